import { loadAssembly } from '../../load-assembly';
import { temporaryDirectory, writeAssembly } from './assembly-directory';

const directory = temporaryDirectory();
let count = 0;

function load(Resources: object) {
  count += 1;
  return loadAssembly(writeAssembly(`${directory}/${count}`, { Main: { template: { Resources } } }));
}

function loaded(Resources: object) {
  const result = load(Resources);
  if (result.kind === 'assembly') return result.assembly;
  throw new Error(JSON.stringify(result.problems));
}

function problems(Resources: object): readonly string[] {
  const result = load(Resources);
  return result.kind === 'problems' ? result.problems.map(({ where, message }) => `${where} ${message}`) : [];
}

const queue = (Properties: object = {}) => ({ Type: 'AWS::SQS::Queue', Properties });
const mapping = (Properties: object) => ({ Type: 'AWS::Lambda::EventSourceMapping', Properties });
const ARN = 'arn:aws:sqs:us-east-1:111111111111:orders';

describe('queues of a template', () => {
  test('a key of KMS is taken over with its data key period, and turns off the key of SQS', () => {
    const { queues } = loaded({
      Key: { Type: 'AWS::KMS::Key', Properties: {} },
      Orders: queue({ KmsMasterKeyId: { 'Fn::GetAtt': ['Key', 'Arn'] }, KmsDataKeyReusePeriodSeconds: 60 }),
    });

    expect(queues[0]?.attributes).toEqual({
      kmsMasterKeyId: expect.stringMatching(/^arn:aws:kms:us-east-1:111111111111:key\//),
      kmsDataKeyReuseSeconds: 60,
      isSseManaged: false,
    });
  });

  test('all attributes: taken over, references between queues resolved', () => {
    const { queues } = loaded({
      Orders: queue({
        QueueName: 'orders',
        VisibilityTimeout: 90,
        DelaySeconds: '5',
        MessageRetentionPeriod: 3600,
        ReceiveMessageWaitTimeSeconds: 20,
        RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 3 },
        SqsManagedSseEnabled: false,
        MaximumMessageSize: 2048,
      }),
      Dead: queue(),
    });

    expect(queues).toEqual([
      {
        logicalId: 'Orders',
        stack: 'Main',
        arn: ARN,
        name: 'orders',
        attributes: {
          visibilityTimeoutSeconds: 90,
          delaySeconds: 5,
          messageRetentionSeconds: 3600,
          receiveMessageWaitTimeSeconds: 20,
          redrivePolicy: {
            deadLetterTargetArn: 'arn:aws:sqs:us-east-1:111111111111:Main-Dead',
            maxReceiveCount: 3,
          },
          maximumMessageBytes: 2048,
          isSseManaged: false,
        },
      },
      expect.objectContaining({ name: 'Main-Dead', attributes: {} }),
    ]);
  });

  test.each([
    [{ FifoQueue: true }, 'Main-Orders.fifo', false],
    [{ FifoQueue: true, QueueName: 'a.fifo', ContentBasedDeduplication: true }, 'a.fifo', true],
  ])('FIFO as %j says: the name ends so', (properties, name, isContentBased) => {
    const { queues } = loaded({ Orders: queue(properties) });

    expect(queues).toMatchObject([{ name, attributes: { fifo: { isContentBased } } }]);
  });

  test.each([{ QueueName: 'a.fifo' }, { QueueName: 'a', FifoQueue: true }])(
    'a name that says otherwise, as %j: a problem',
    properties => {
      expect(problems({ Orders: queue(properties) })).toEqual([expect.stringMatching(/QueueName of a FIFO/)]);
    },
  );

  test('FIFO with deduplication by message group', () => {
    const { queues } = loaded({
      Orders: queue({
        FifoQueue: true,
        DeduplicationScope: 'messageGroup',
        FifoThroughputLimit: 'perMessageGroupId',
      }),
    });

    expect(queues).toMatchObject([{ attributes: { fifo: { isByGroup: true, isLimitedByGroup: true } } }]);
  });

  test.each([
    [
      'too long a timeout',
      { VisibilityTimeout: 43_201 },
      'VisibilityTimeout must be a whole number from 0 to 43200, got 43201',
    ],
    [
      'too short a retention',
      { MessageRetentionPeriod: 59 },
      'MessageRetentionPeriod must be a whole number from 60 to 1209600, got 59',
    ],
    ['no count', { RedrivePolicy: { deadLetterTargetArn: ARN } }, 'RedrivePolicy.maxReceiveCount is missing'],
    ['no target', { RedrivePolicy: { maxReceiveCount: 1 } }, 'RedrivePolicy.deadLetterTargetArn is missing'],
  ])('%s: rejected by name', (_case, properties, problem) => {
    expect(problems({ Orders: queue(properties) })).toEqual([
      `Main.template.json: Resources.Orders.Properties.${problem}`,
    ]);
  });
});

describe('event source mappings of a template', () => {
  test("of a queue, with nothing else said: Lambda's defaults", () => {
    const { queueSources, notRun } = loaded({
      Orders: queue({ QueueName: 'orders' }),
      Source: mapping({ EventSourceArn: { 'Fn::GetAtt': ['Orders', 'Arn'] }, FunctionName: 'consume' }),
    });

    expect(queueSources).toEqual([
      {
        logicalId: 'Source',
        stack: 'Main',
        queueArn: ARN,
        functionName: 'consume',
        enabled: true,
        batchSize: 10,
        maximumBatchingWindowInSeconds: 0,
        reportBatchItemFailures: false,
      },
    ]);
    expect(notRun).toEqual([]);
  });

  test('of a queue, with all said: taken over', () => {
    const { queueSources } = loaded({
      Source: mapping({
        EventSourceArn: ARN,
        FunctionName: 'consume',
        Enabled: false,
        BatchSize: 500,
        MaximumBatchingWindowInSeconds: 30,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: 2 },
      }),
    });

    expect(queueSources).toMatchObject([
      {
        enabled: false,
        batchSize: 500,
        maximumBatchingWindowInSeconds: 30,
        reportBatchItemFailures: true,
        maximumConcurrency: 2,
      },
    ]);
  });

  test.each([
    [
      'a large batch without a window',
      { BatchSize: 11 },
      'BatchSize above 10 needs a MaximumBatchingWindowInSeconds of at least 1',
    ],
    [
      'a bound below 2',
      { ScalingConfig: { MaximumConcurrency: 1 } },
      'ScalingConfig.MaximumConcurrency must be a whole number from 2 to 1000, got 1',
    ],
  ])('%s: rejected by name', (_case, more, problem) => {
    expect(problems({ Source: mapping({ EventSourceArn: ARN, FunctionName: 'f', ...more }) })).toEqual([
      `Main.template.json: Resources.Source.Properties.${problem}`,
    ]);
  });

  test('of another source, also one that cannot be resolved, or with a filter: listed, and no problem', () => {
    const { queueSources, notRun } = loaded({
      Stream: { Type: 'AWS::Kinesis::Stream', Properties: {} },
      Source: mapping({ EventSourceArn: { 'Fn::GetAtt': ['Stream', 'Arn'] }, FunctionName: 'f' }),
      Kafka: mapping({ SelfManagedEventSource: {}, FunctionName: 'f' }),
      Filter: mapping({ EventSourceArn: ARN, FunctionName: 'f', FilterCriteria: { Filters: [] } }),
    });

    expect(queueSources).toEqual([]);
    expect(notRun.map(({ logicalId }) => logicalId)).toEqual(['Stream', 'Source', 'Kafka', 'Filter']);
  });
});

describe('what is accepted and not run', () => {
  test('permissions, logs and keys: nothing is missed; alarms and dashboards: listed', () => {
    const types = [
      'AWS::SQS::QueuePolicy',
      'AWS::Logs::LogGroup',
      'AWS::IAM::Role',
      'AWS::IAM::Policy',
      'AWS::KMS::Alias',
      'AWS::Lambda::Permission',
      'AWS::KMS::Key',
      'AWS::CloudWatch::Alarm',
      'AWS::CloudWatch::Dashboard',
    ];
    const { notRun } = loaded(
      Object.fromEntries(types.map((Type, index) => [`R${index}`, { Type, Properties: {} }])),
    );

    expect(notRun.map(({ type }) => type)).toEqual([
      'AWS::KMS::Key',
      'AWS::CloudWatch::Alarm',
      'AWS::CloudWatch::Dashboard',
    ]);
  });

  test('what a state machine logs and traces: as CreateStateMachine takes it', () => {
    const { stateMachines } = loaded({
      Group: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: 'g' } },
      Machine: {
        Type: 'AWS::StepFunctions::StateMachine',
        Properties: {
          DefinitionString: '{}',
          LoggingConfiguration: {
            Level: 'ALL',
            IncludeExecutionData: true,
            Destinations: [{ CloudWatchLogsLogGroup: { LogGroupArn: { 'Fn::GetAtt': ['Group', 'Arn'] } } }],
          },
          TracingConfiguration: { Enabled: true },
        },
      },
    });

    expect(stateMachines).toMatchObject([
      {
        loggingConfiguration: {
          level: 'ALL',
          includeExecutionData: true,
          destinations: [
            { cloudWatchLogsLogGroup: { logGroupArn: 'arn:aws:logs:us-east-1:111111111111:log-group:g:*' } },
          ],
        },
        tracingConfiguration: { enabled: true },
      },
    ]);
  });
});
