import { Duration, type Stack } from 'aws-cdk-lib';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  type IRecordStream,
  type PipeSourceOptions,
  RecordStream,
  type ShardedStreamOptions,
  Source,
} from '../../infra/index';
import { allowed, definitionIn, someFunction, synthesized } from '../support/synthesize';

const CLUSTER = 'arn:aws:kafka:us-east-1:123456789012:cluster/vpc/751d2973';
const startingPosition = 'TRIM_HORIZON';

const kinesis =
  (options: Partial<ShardedStreamOptions> = {}) =>
  (stack: Stack) =>
    RecordStream.kinesis(new Stream(stack, 'Clicks'), { startingPosition, ...options });
const changes = (stack: Stack) => {
  const partitionKey = { name: 'id', type: AttributeType.STRING };
  const table = new Table(stack, 'Orders', { partitionKey, stream: StreamViewType.NEW_IMAGE });
  return RecordStream.dynamoDb(table, { startingPosition });
};
const msk = (stack: Stack) => {
  const saslScram512Auth = new Secret(stack, 'Secret');
  return RecordStream.msk(CLUSTER, { topic: 'orders', startingPosition, saslScram512Auth });
};
const kafka = (stack: Stack) => {
  const saslScram512Auth = new Secret(stack, 'Secret');
  const bootstrapServers = ['one.example.com:9092', 'two.example.com:9092'];
  return RecordStream.kafka({ topic: 'orders', startingPosition, saslScram512Auth, bootstrapServers });
};

function started(
  stream: (stack: Stack) => IRecordStream,
  options: PipeSourceOptions = {},
  props: Partial<IdempotentWorkflowProps> = {},
): Template {
  return synthesized(stack => {
    const idempotencyKey = '{% $states.input.data.orderId %}';
    const workflow = new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey,
      step: someFunction(stack),
      ...props,
    });
    workflow.startFrom(Source.pipe(stream(stack), options));
  });
}

describe('Source.pipe', () => {
  test('Kinesis: a pipe that waits for the dispatcher, record by record, and gives none up for half a day', () => {
    const template = started(kinesis());

    template.hasResourceProperties('AWS::Pipes::Pipe', {
      Source: { 'Fn::GetAtt': [Match.stringLikeRegexp('Clicks'), 'Arn'] },
      SourceParameters: {
        KinesisStreamParameters: {
          BatchSize: 1,
          StartingPosition: 'TRIM_HORIZON',
          MaximumRecordAgeInSeconds: 43_200,
          DeadLetterConfig: { Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('NotDelivered'), 'Arn'] } },
        },
      },
      TargetParameters: { StepFunctionStateMachineParameters: { InvocationType: 'REQUEST_RESPONSE' } },
    });
    template.hasResource('AWS::Pipes::Pipe', {
      DependsOn: Match.arrayWith([Match.stringLikeRegexp('PipeRole')]),
    });
  });

  test('its role: reads the stream, runs the dispatcher and keeps places, for pipes of its account', () => {
    const template = started(kinesis());
    const actions = allowed(template, /PipeRole/).flatMap(
      statement => statement.split(' ')[0]?.split(',') ?? [],
    );

    expect(actions).toEqual(
      expect.arrayContaining(['states:StartSyncExecution', 'sqs:SendMessage', 'kinesis:GetRecords']),
    );
    expect(actions.filter(action => !/^(states|sqs|kinesis):/.test(action))).toEqual([]);
    template.hasResourceProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Statement: [
          Match.objectLike({
            Principal: { Service: 'pipes.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
        ],
      },
    });
  });

  test('the dispatcher: whatever fails of a record leads to the dead-letter queue, and to a good end', () => {
    const { StartAt, States } = definitionIn(started(kinesis()), /Dispatcher/);

    expect(StartAt).toBe('For each record');
    expect(States['For each record']).toMatchObject({
      Type: 'Map',
      MaxConcurrency: 1,
      ItemProcessor: { StartAt: 'Take the record' },
      Catch: [
        // Whether all errors are this one as well, AWS tells both ways.
        {
          ErrorEquals: ['States.QueryEvaluationError', 'States.DataLimitExceeded'],
          Next: 'Keep each',
          Assign: { why: 'Idempotency.MalformedRecord' },
        },
        { ErrorEquals: ['States.ALL'], Next: 'Keep each' },
      ],
    });
    expect(States['Keep each']).toMatchObject({
      ItemProcessor: { StartAt: 'Keep the event' },
      Output: { batchItemFailures: [] },
      End: true,
    });
  });

  test('DynamoDB: the stream of the table; nothing is decoded or left out', () => {
    const template = started(changes, {}, { idempotencyKey: '{% $states.input.eventID %}' });

    template.hasResourceProperties('AWS::Pipes::Pipe', {
      Source: { 'Fn::GetAtt': [Match.stringLikeRegexp('Orders'), 'StreamArn'] },
      SourceParameters: { DynamoDBStreamParameters: { BatchSize: 1, MaximumRecordAgeInSeconds: 43_200 } },
    });
    const record = definitionIn(template, /Dispatcher/).States['For each record'];
    expect(JSON.stringify(record)).toContain('? ($record) : $error');
  });

  test('MSK: the topic, with its secret; there is no place to keep, as a pipe of Kafka gives nothing up', () => {
    const template = started(msk, {}, { idempotencyKey: '{% $states.input.key %}' });

    template.hasResourceProperties('AWS::Pipes::Pipe', {
      Source: CLUSTER,
      SourceParameters: {
        ManagedStreamingKafkaParameters: {
          TopicName: 'orders',
          BatchSize: 1,
          Credentials: { SaslScram512Auth: { Ref: Match.stringLikeRegexp('Secret') } },
        },
      },
    });
    template.resourceCountIs('AWS::SQS::Queue', 1);
    const actions = allowed(template, /PipeRole/).join(' ');
    expect(actions).toMatch(/kafka:GetBootstrapBrokers/);
    expect(actions).toMatch(/secretsmanager:GetSecretValue/);
  });

  test('a Kafka of one’s own: its brokers', () => {
    started(kafka, {}, { idempotencyKey: '{% $states.input.key %}' }).hasResourceProperties(
      'AWS::Pipes::Pipe',
      {
        Source: 'smk://one.example.com:9092',
        SourceParameters: {
          SelfManagedKafkaParameters: {
            TopicName: 'orders',
            AdditionalBootstrapServers: ['two.example.com:9092'],
          },
        },
      },
    );
  });

  test('filters, and more at the same time: those of the pipe', () => {
    const filters = [{ data: { kind: ['paid'] } }];
    started(kinesis({ parallelizationFactor: 10 }), { filters }).hasResourceProperties('AWS::Pipes::Pipe', {
      SourceParameters: {
        FilterCriteria: { Filters: [{ Pattern: '{"data":{"kind":["paid"]}}' }] },
        KinesisStreamParameters: { ParallelizationFactor: 10 },
      },
    });
  });

  test('what is kept may be read: the id of the record as a key', () => {
    const template = started(
      kinesis(),
      { keep: ['eventID'] },
      { idempotencyKey: '{% $states.input.eventID %}' },
    );
    const items = JSON.stringify(definitionIn(template, /Dispatcher/).States['For each record']);

    expect(items).toContain("'sequenceNumber', 'approximateArrivalTimestamp'");
    expect(items).not.toContain("'eventID'");
  });

  test.each<[string, () => unknown, RegExp]>([
    [
      'a key out of what is left out',
      () => started(kinesis(), {}, { idempotencyKey: '{% $states.input.eventID %}' }),
      /\$states\.input\.eventID differs between deliveries.*keep: \['eventID'\]/,
    ],
    [
      'an Express workflow',
      () => started(kinesis(), {}, { type: 'EXPRESS', timeout: Duration.minutes(2) }),
      /`Source\.pipe` needs a STANDARD workflow/,
    ],
    [
      'a member that there is not',
      () => started(kinesis(), { keep: ['id'] }),
      /`keep` must be a list of: eventID, /,
    ],
    [
      'an option that there is not',
      () => started(kinesis(), { batch: 5 } as object),
      /has no option `batch`/,
    ],
    [
      'no start',
      () => started(kinesis({ startingPosition: 'NOW' as 'LATEST' })),
      /`startingPosition` is 'LATEST' or/,
    ],
    [
      'too much at the same time',
      () => started(kinesis({ parallelizationFactor: 11 })),
      /from 1 to 10, got 11/,
    ],
    [
      'too old a record',
      () => started(kinesis({ maximumRecordAge: Duration.days(8) })),
      /`maximumRecordAge` must be whole seconds from 1 minute to 7 days, got 8 days/,
    ],
    [
      'a table without a stream',
      () =>
        started(stack => {
          const partitionKey = { name: 'id', type: AttributeType.STRING };
          return RecordStream.dynamoDb(new Table(stack, 'Orders', { partitionKey }), { startingPosition });
        }),
      /Test\/Orders has none\. Set its `stream`/,
    ],
    [
      'no stream',
      () => started(() => 'clicks' as never),
      /takes a record stream such as RecordStream\.kinesis/,
    ],
    [
      'a Kinesis stream, of which nothing says where to begin',
      () => started(stack => new Stream(stack, 'Clicks') as never),
      /takes a record stream such as RecordStream\.kinesis\(stream, .*TRIM_HORIZON.*, got a Kinesis stream$/,
    ],
    [
      'a table',
      () => {
        const partitionKey = { name: 'id', type: AttributeType.STRING };
        return started(stack => new Table(stack, 'Orders', { partitionKey }) as never);
      },
      /takes a record stream such as RecordStream\.dynamoDb\(table, .*, got a table$/,
    ],
  ])('%s: rejected with the remedy', (_, define, message) => {
    expect(define).toThrow(message);
  });
});
