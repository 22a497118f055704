import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App, Duration, Fn, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { CfnEventBus } from 'aws-cdk-lib/aws-eventsv2';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, Pass, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { forwardOrders, startFromForwarded } from '../../docs/guide/snippets/central-bus';
import { RESOURCE_BOUNDS } from '../../infra/cdk/resource-bounds';
import {
  FailureDestination,
  IdempotentFragment,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  type IWorkflowSource,
  Monitoring,
  RecordStream,
  RecordTable,
  Results,
  Source,
  SuccessDestination,
} from '../../infra/index';
import type { Environment } from '../../state-machine/template/environment';
import { someFunction } from '../support/synthesize';

const BUS = { name: 'shop' };
const OWN: Environment = { account: '111111111111', region: 'eu-west-1' };
const OTHER_ACCOUNT: Environment = { account: '222222222222', region: 'eu-west-1' };
const OTHER_REGION: Environment = { account: '111111111111', region: 'eu-central-1' };
/** A stack of a workflow, and the environment of its resource. */
interface Places {
  readonly own: Stack;
  /** A stack of the same app, in the environment of the resource. */
  readonly other: Stack;
  arn(service: string, resource: string): string;
}

const idempotencyKey = '{% $states.input.detail.id %}';

function workflow(stack: Stack, props: Partial<IdempotentWorkflowProps> = {}): IdempotentWorkflow {
  const step = someFunction(stack);
  return new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step, scope: 'pay', ...props });
}

const from = (stack: Stack, source: IWorkflowSource, key = idempotencyKey) =>
  workflow(stack, { idempotencyKey: key }).startFrom(source);

type Given = (places: Places) => unknown;
const fromRecords = (stack: Stack, stream: Parameters<typeof Source.pipe>[0], key: string) =>
  from(stack, Source.pipe(stream), key);
const startingPosition = 'LATEST';
const partitionKey = { name: 'idempotencyKey', type: AttributeType.STRING };
const login = (stack: Stack) => new Secret(stack, 'Login');
const events = { source: ['shop'] };
/** Each option: the ways in which an app gives it a resource, by the name of the way. */
const GIVEN: Readonly<Record<keyof typeof RESOURCE_BOUNDS, Readonly<Record<string, Given>>>> = {
  step: {
    'by ARN': ({ own, arn }) => {
      const step = LambdaFunction.fromFunctionArn(own, 'F', arn('lambda', 'function:charge'));
      return workflow(own, { step, stepTimeout: Duration.minutes(15) });
    },
    'of a stack': ({ own, other }) =>
      workflow(own, { step: someFunction(other, { functionName: 'charge' }) }),
  },
  table: {
    'by ARN': ({ own, arn }) =>
      workflow(own, { table: Table.fromTableArn(own, 'T', arn('dynamodb', 'table/records')) }),
    'by attributes': ({ own, arn }) =>
      workflow(own, {
        table: Table.fromTableAttributes(own, 'T', { tableArn: arn('dynamodb', 'table/records') }),
      }),
    'of a stack': ({ own, other }) =>
      workflow(own, { table: new RecordTable(other, 'T', { tableName: 'records' }) }),
    'of a fragment, with a schema': ({ own, arn }) => {
      const charge = new IdempotentFragment(own, 'Charge', {
        idempotencyKey,
        scope: 'pay',
        step: new Pass(own, 'Step'),
        table: RecordTable.fromTable(Table.fromTableArn(own, 'T', arn('dynamodb', 'table/records')), {
          partitionKey: 'PK',
        }),
      });
      charge.grantTo(
        new StateMachine(own, 'Orders', { definitionBody: DefinitionBody.fromChainable(charge) }),
      );
    },
  },
  results: {
    'by attributes': ({ own, other: { account, region } }) =>
      workflow(own, {
        results: Results.inBucket(
          Bucket.fromBucketAttributes(own, 'B', { bucketName: 'results', account, region }),
        ),
      }),
    'of a stack': ({ own, other }) =>
      workflow(own, { results: Results.inBucket(new Bucket(other, 'B', { bucketName: 'results' })) }),
  },
  onFailure: {
    'a queue by ARN': ({ own, arn }) =>
      workflow(own, {
        onFailure: FailureDestination.queue(Queue.fromQueueArn(own, 'Q', arn('sqs', 'failures'))),
      }),
    'a queue of a stack': ({ own, other }) =>
      workflow(own, {
        onFailure: FailureDestination.queue(new Queue(other, 'Q', { queueName: 'failures' })),
      }),
    'a bus by ARN': ({ own, arn }) =>
      workflow(own, {
        onFailure: FailureDestination.eventBus(
          EventBus.fromEventBusArn(own, 'E', arn('events', 'event-bus/failures')),
        ),
      }),
    'a bus of a stack': ({ own, other }) =>
      workflow(own, {
        onFailure: FailureDestination.eventBus(new EventBus(other, 'E', { eventBusName: 'failures' })),
      }),
  },
  onSuccess: {
    'a queue by attributes': ({ own, arn }) =>
      workflow(own, {
        onSuccess: SuccessDestination.queue(
          Queue.fromQueueAttributes(own, 'Q', { queueArn: arn('sqs', 'results') }),
        ),
      }),
    'a bus by attributes': ({ own, arn }) =>
      workflow(own, {
        onSuccess: SuccessDestination.eventBus(
          EventBus.fromEventBusAttributes(own, 'E', {
            eventBusArn: arn('events', 'event-bus/results'),
            eventBusName: 'results',
            eventBusPolicy: '',
          }),
        ),
      }),
  },
  role: {
    'by ARN': ({ own, other }) =>
      workflow(own, { role: Role.fromRoleArn(own, 'R', `arn:aws:iam::${other.account}:role/payments`) }),
    'of a stack': ({ own, other }) =>
      workflow(own, {
        role: new Role(other, 'R', {
          roleName: 'payments',
          assumedBy: new ServicePrincipal('states.amazonaws.com'),
        }),
      }),
  },
  encryptionKey: {
    'by ARN': ({ own, arn }) =>
      workflow(own, { encryptionKey: Key.fromKeyArn(own, 'K', arn('kms', 'key/1a2b')) }),
    'of a RecordTable, by ARN': ({ own, arn }) =>
      new RecordTable(own, 'T', { encryptionKey: Key.fromKeyArn(own, 'K', arn('kms', 'key/1a2b')) }),
  },
  logs: {
    'by ARN': ({ own, arn }) =>
      workflow(own, {
        logs: { destination: LogGroup.fromLogGroupArn(own, 'L', arn('logs', 'log-group:payments')) },
      }),
    'of a stack': ({ own, other }) =>
      workflow(own, { logs: { destination: new LogGroup(other, 'L', { logGroupName: 'payments' }) } }),
  },
  formerStateMachines: {
    'an ARN': ({ own, arn }) => workflow(own, { formerStateMachines: [arn('states', 'stateMachine:Old')] }),
    'by ARN': ({ own, arn }) =>
      workflow(own, {
        formerStateMachines: [StateMachine.fromStateMachineArn(own, 'M', arn('states', 'stateMachine:Old'))],
      }),
    'of a stack': ({ own, other }) => workflow(own, { formerStateMachines: [someMachine(other)] }),
  },
  grantTo: {
    'of a stack': ({ own, other }) => {
      const table = new RecordTable(own, 'T');
      const charge = new IdempotentFragment(own, 'Charge', {
        idempotencyKey,
        table,
        step: new Pass(own, 'Step'),
      });
      charge.grantTo(new StateMachine(other, 'M', { definitionBody: DefinitionBody.fromChainable(charge) }));
    },
  },
  'Source.eventBridge': {
    'by ARN': ({ own, arn }) =>
      from(
        own,
        Source.eventBridge(EventBus.fromEventBusArn(own, 'E', arn('events', 'event-bus/default')), events),
      ),
    'of a stack': ({ own, other }) =>
      from(own, Source.eventBridge(new EventBus(other, 'E', { eventBusName: 'orders' }), events)),
  },
  'Source.customEventBus': {
    'by ARN': ({ own, arn }) => from(own, Source.customEventBus(arn('events', 'event-busv2/shop/1a2b3c'))),
    'of a stack': ({ own, other }) => from(own, Source.customEventBus(new CfnEventBus(other, 'E', BUS))),
  },
  'Source.queue': {
    'by ARN': ({ own, arn }) => from(own, Source.queue(Queue.fromQueueArn(own, 'Q', arn('sqs', 'orders')))),
  },
  'Source.topic': {
    'by ARN': ({ own, arn }) => from(own, Source.topic(Topic.fromTopicArn(own, 'P', arn('sns', 'orders')))),
    'of a stack': ({ own, other }) => from(own, Source.topic(new Topic(other, 'P', { topicName: 'orders' }))),
  },
  'Source.http': {
    'of a stack': ({ own, other }) =>
      from(
        own,
        Source.http(new RestApi(other, 'A').root.addResource('payments')),
        '{% $states.input.idempotencyKey %}',
      ),
  },
  'RecordStream.kinesis': {
    'by ARN': ({ own, arn }) =>
      fromRecords(
        own,
        RecordStream.kinesis(Stream.fromStreamArn(own, 'S', arn('kinesis', 'stream/orders')), {
          startingPosition,
        }),
        '{% $states.input.data.id %}',
      ),
    'of a stack': ({ own, other }) =>
      fromRecords(
        own,
        RecordStream.kinesis(new Stream(other, 'S', { streamName: 'orders' }), { startingPosition }),
        '{% $states.input.data.id %}',
      ),
  },
  'RecordStream.dynamoDb': {
    'by attributes': ({ own, arn }) =>
      fromRecords(
        own,
        RecordStream.dynamoDb(
          Table.fromTableAttributes(own, 'T', {
            tableArn: arn('dynamodb', 'table/orders'),
            tableStreamArn: arn('dynamodb', 'table/orders/stream/2026'),
          }),
          { startingPosition },
        ),
        '{% $states.input.dynamodb.NewImage.id.S %}',
      ),
    'of a stack': ({ own, other }) =>
      fromRecords(
        own,
        RecordStream.dynamoDb(
          new Table(other, 'T', { partitionKey, tableName: 'orders', stream: StreamViewType.NEW_IMAGE }),
          { startingPosition },
        ),
        '{% $states.input.dynamodb.NewImage.id.S %}',
      ),
  },
  'RecordStream.msk': {
    'an ARN': ({ own, arn }) =>
      fromRecords(
        own,
        RecordStream.msk(arn('kafka', 'cluster/shop/1a2b'), {
          topic: 'orders',
          startingPosition,
          saslScram512Auth: login(own),
        }),
        '{% $states.input.value.id %}',
      ),
  },
  saslScram512Auth: {
    'by ARN': ({ own, arn }) =>
      fromRecords(
        own,
        RecordStream.kafka({
          topic: 'orders',
          startingPosition,
          bootstrapServers: ['kafka.example.com:9094'],
          saslScram512Auth: Secret.fromSecretCompleteArn(
            own,
            'Login',
            arn('secretsmanager', 'secret:login-1a2b3c'),
          ),
        }),
        '{% $states.input.value.id %}',
      ),
  },
  Monitoring: {
    'of a stack': ({ own, other }) =>
      new Monitoring(own, 'Monitoring', { workflow: workflow(other, { metrics: true }) }),
  },
};

function someMachine(stack: Stack): StateMachine {
  const definitionBody = DefinitionBody.fromChainable(new Pass(stack, 'Nothing'));
  return new StateMachine(stack, 'M', { definitionBody, stateMachineName: 'Old' });
}

/** The template of an app whose workflow is in one environment, or in none, and its resource in another. */
function templateWith(given: Given, its: Environment, own: Environment | undefined): string {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  const stack = new Stack(app, 'Own', own && { env: own });
  const other = new Stack(app, 'Other', { env: its });
  const arn = (service: string, resource: string) =>
    `arn:aws:${service}:${its.region}:${its.account}:${resource}`;
  given({ own: stack, other, arn });
  return JSON.stringify(app.synth().getStackByName('Own').template);
}

/** CDK itself rejects these stacks, because each would depend on the other. */
const CIRCULAR = ['role', 'grantTo', 'Source.http'];

const CASES = Object.entries(GIVEN).flatMap(([option, ways]) =>
  Object.entries(ways).map(([way, given]) => ({ option: option as keyof typeof GIVEN, way, given })),
);

const PARTS = { account: OTHER_ACCOUNT, region: OTHER_REGION } as const;

describe.each(Object.entries(PARTS))('a resource of another %s', (part, its) => {
  const isOwn = (option: keyof typeof GIVEN) =>
    (RESOURCE_BOUNDS[option].own as readonly string[]).includes(part);

  test.each(CASES.filter(({ option }) => isOwn(option)))('$option, $way: rejected', ({ option, given }) => {
    const { own, because, remedy } = RESOURCE_BOUNDS[option];
    const where = own.map(one => OWN[one]).join(' and ');
    const got = own.map(one => its[one]).join(' and ');

    expect(() => templateWith(given, its, OWN)).toThrow(
      new RegExp(
        `\`${option}\` must be in the ${own.join(' and ')} of the stack, ${where}, because ${because}; got \\S+ of ${got}\\. `,
      ),
    );
    expect(() => templateWith(given, its, OWN)).toThrow(remedy);
  });

  const named = CASES.filter(({ option, way }) => !isOwn(option) && (option !== 'role' || way === 'by ARN'));

  test.each(named)('$option, $way: named with where it is', ({ option, given }) => {
    const template = templateWith(given, its, OWN);
    // A role is global, and the names of buckets are.
    if (option !== 'role' && option !== 'results') expect(template).toContain(its[part as keyof Environment]);
    expect(template).not.toMatch(/"TableName\\*":\\*"records/);
  });
});

describe('a resource of the own account and region', () => {
  const possible = CASES.filter(({ option, way }) => way !== 'of a stack' || !CIRCULAR.includes(option));

  test.each(possible)('$option, $way: accepted', ({ given }) => {
    expect(templateWith(given, OWN, OWN)).not.toMatch(/"TableName\\*":\\*"arn/);
  });
});

// A stack without `env` is deployed anywhere: what has an ARN is named by it, and AWS decides.
describe('a stack whose account and region only the deployment knows', () => {
  const byArn = CASES.filter(({ way }) => /ARN|attributes/.test(way));

  test.each(byArn)('$option, $way: no name alone', ({ given }) => {
    const template = templateWith(given, OTHER_ACCOUNT, undefined);

    expect(template).not.toMatch(/"TableName\\*":\\*"records/);
    expect(template).not.toContain('"EventBusName":"default"');
  });

  test('a bus and a table out of parameters: as they are', () => {
    const app = new App();
    const stack = new Stack(app, 'Own');
    const bus = EventBus.fromEventBusArn(stack, 'E', Fn.importValue('bus'));
    const table = Table.fromTableArn(stack, 'T', Fn.importValue('table'));
    workflow(stack, { table }).startFrom(Source.eventBridge(bus, events));
    const template = JSON.stringify(app.synth().getStackByName('Own').template);

    expect(template).toContain('"EventBusName":{"Fn::ImportValue":"bus"}');
    expect(template).toContain('\\"TableName\\":\\"",{"Fn::ImportValue":"table"}');
  });
});

test('a queue of a stack of another account: rejected, because its policy cannot name the roles of the source', () => {
  const given: Given = ({ own, other }) => {
    const deadLetterQueue = { queue: new Queue(other, 'D'), maxReceiveCount: 5 };
    from(own, Source.queue(new Queue(other, 'Q', { queueName: 'orders', deadLetterQueue })));
  };

  expect(() => templateWith(given, OTHER_ACCOUNT, OWN)).toThrow(
    'Own/Pay: `Source.queue` takes a queue of another account by its ARN, such as Queue.fromQueueArn(…), got Other/Q. ' +
      'Its policy must permit the functions of the source',
  );
});

describe('the guide on a central bus', () => {
  const template = (env: Environment, define: (stack: Stack) => void) => {
    const stack = new Stack(new App(), 'Stack', { env });
    define(stack);
    return Template.fromStack(stack);
  };

  test('the central account forwards by the ARN of the bus, with a role', () => {
    const central = template(OTHER_ACCOUNT, stack =>
      forwardOrders(stack, EventBus.fromEventBusName(stack, 'Central', 'central')),
    );

    central.hasResourceProperties('AWS::Events::Rule', {
      EventBusName: 'central',
      Targets: [
        {
          Arn: 'arn:aws:events:eu-west-1:111111111111:event-bus/orders',
          RoleArn: { 'Fn::GetAtt': [Match.anyValue(), 'Arn'] },
        },
      ],
    });
  });

  test('the account of the workflow accepts the events, and starts from its own bus', () => {
    const own = template(OWN, stack => startFromForwarded(stack, workflow(stack)));

    own.hasResourceProperties('AWS::Events::EventBusPolicy', {
      Statement: Match.objectLike({ Action: 'events:PutEvents', Effect: 'Allow' }),
    });
    own.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { source: ['shop.orders'] },
      EventBusName: { Ref: Match.anyValue() },
    });
  });
});

test('docs/reference/constructs.md has every option, and what it takes', () => {
  const page = readFileSync(path.join(__dirname, '../../docs/reference/constructs.md'), 'utf8');
  const table = page.split('## Other accounts and regions\n')[1]?.split('\n## ')[0] ?? '';
  const rows = [...table.matchAll(/^\| (`.*?) \| (.*?) \| (.*?) \|$/gm)].flatMap(
    ([, names = '', account = '', region = '']) =>
      [...names.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => [
        name,
        account.startsWith('no'),
        region.startsWith('no'),
      ]),
  );

  const bounds = Object.entries(RESOURCE_BOUNDS).map(([name, { own }]) => {
    const parts: readonly string[] = own;
    return [name, parts.includes('account'), parts.includes('region')];
  });
  expect(rows.sort()).toEqual(bounds.sort());
});

test('a table of a stack without a name: CDK says what it needs', () => {
  const given: Given = ({ own, other }) => workflow(own, { table: new RecordTable(other, 'T') });

  expect(() => templateWith(given, OTHER_ACCOUNT, OWN)).toThrow(
    "Cannot use resource 'Other/T/Resource' in a cross-environment fashion, the resource's physical name must be",
  );
});
