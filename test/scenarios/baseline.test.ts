import { startTestStack, type TestStack } from '@onceflow/local';
import {
  App,
  Aspects,
  CfnOutput,
  Duration,
  type Environment,
  type IAspect,
  Stack,
  Stage,
  Tags,
} from 'aws-cdk-lib';
import { Annotations, Template } from 'aws-cdk-lib/assertions';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, PermissionsBoundary, Role } from 'aws-cdk-lib/aws-iam';
import { Alias, CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { FailureDestination, IdempotentWorkflow, RecordTable, Recovery, Source } from '../../infra/index';
import { newDirectory } from '../support/shared';
import { someFunction } from '../support/synthesize';
import { openWorld, returns, type World } from '../support/world';

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(60_000);

const UNBUNDLED = { 'aws:cdk:bundling-stacks': [] };
const DEV = { account: '111111111111', region: 'eu-west-1' };
const PROD = { account: '222222222222', region: 'eu-central-1' };

/** What an organisation sets in every app: timeouts, runtimes, how long logs are kept. */
const baseline = (timeout: number): IAspect => ({
  visit(node) {
    if (node instanceof CfnFunction) {
      node.timeout = timeout;
      node.runtime = 'nodejs22.x';
    }
    if (node instanceof CfnLogGroup) node.retentionInDays = 365;
  },
});

/** What another team defines, and the workflow's stack imports by its name. */
function definePlatform(stack: Stack): void {
  new EventBus(stack, 'Bus', { eventBusName: 'shared' });
  new Table(stack, 'Table', {
    tableName: 'records',
    partitionKey: { name: 'PK', type: AttributeType.STRING },
    timeToLiveAttribute: 'ttl',
  });
  new Queue(stack, 'Failures', { queueName: 'failures' });
  new Queue(stack, 'Orders', {
    queueName: 'orders',
    visibilityTimeout: Duration.minutes(12),
    deadLetterQueue: { queue: new Queue(stack, 'Dead'), maxReceiveCount: 5 },
  });
}

/** A workflow that takes everything except its function from outside. */
function defineWorkflow(stack: Stack): IdempotentWorkflow {
  const arn = (service: string, resource: string) => stack.formatArn({ service, resource });
  const charge = someFunction(stack, { timeout: Duration.seconds(1) });
  const records = Table.fromTableName(stack, 'Records', 'records');
  const pay = new IdempotentWorkflow(stack, 'Pay', {
    idempotencyKey: '{% $states.input.detail.id %}',
    scope: 'pay',
    step: new Alias(stack, 'Live', { aliasName: 'live', version: charge.currentVersion }),
    table: RecordTable.fromTable(records, { partitionKey: 'PK', timeToLiveAttribute: 'ttl' }),
    role: Role.fromRoleArn(stack, 'Role', `arn:aws:iam::${stack.account}:role/payments`, { mutable: false }),
    onFailure: FailureDestination.queue(Queue.fromQueueArn(stack, 'Failures', arn('sqs', 'failures'))),
  });
  pay.startFrom(
    Source.eventBridge(EventBus.fromEventBusName(stack, 'Shared', 'shared'), { source: ['shop'] }),
  );
  pay.startFrom(
    Source.queue(Queue.fromQueueArn(stack, 'Orders', arn('sqs', 'orders')), {
      visibilityTimeout: Duration.minutes(12),
      maxReceiveCount: 5,
      input: "{% { 'detail': $states.input } %}",
    }),
  );
  new CfnOutput(stack, 'Machine', { value: pay.stateMachine.stateMachineArn });
  return pay;
}

interface Environments {
  readonly app: App;
  readonly stacks: Readonly<Record<'Dev' | 'Prod', Stack>>;
}

/** One app with two environments, each with the baseline of its organisation. */
function organisation(timeout = 120, outdir = newDirectory()): Environments {
  const app = new App({ outdir, context: UNBUNDLED });
  const define = (name: string, env: Environment & { readonly account: string }) => {
    const stage = new Stage(app, name, { env });
    definePlatform(new Stack(stage, 'Platform'));
    const stack = new Stack(stage, 'Shop');
    defineWorkflow(stack);
    const boundary = ManagedPolicy.fromManagedPolicyName(stack, 'Boundary', 'boundary');
    PermissionsBoundary.of(stage).apply(boundary);
    Aspects.of(stage).add(baseline(timeout));
    Tags.of(stage).add('team', 'payments');
    return stack;
  };
  return { app, stacks: { Dev: define('Dev', DEV), Prod: define('Prod', PROD) } };
}

describe("an app with an organisation's baseline, in two environments", () => {
  const { app, stacks } = organisation();
  const assembly = app.synth();
  const directoryOf = (stage: string) => assembly.getNestedAssembly(`assembly-${stage}`).directory;

  test('the baseline is in every resource of the package', () => {
    for (const [stack, { account }] of [
      [stacks.Dev, DEV],
      [stacks.Prod, PROD],
    ] as const) {
      const template = Template.fromStack(stack);
      template.allResourcesProperties('AWS::Lambda::Function', { Timeout: 120, Runtime: 'nodejs22.x' });
      template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 365 });
      const tags = [{ Key: 'team', Value: 'payments' }];
      template.allResourcesProperties('AWS::SQS::Queue', { Tags: tags });
      template.allResourcesProperties('AWS::StepFunctions::StateMachine', { Tags: tags });
      const boundary = JSON.stringify(template.findResources('AWS::IAM::Role')).split(
        `::${account}:policy/boundary`,
      );
      expect(boundary).toHaveLength(1 + Object.keys(template.findResources('AWS::IAM::Role')).length);
      expect(Annotations.fromStack(stack).findWarning('*', '*')).toEqual([]);
    }
  });

  let stack: TestStack | undefined;
  afterEach(() => stack?.close());

  test.each([
    ['Dev', DEV],
    ['Prod', PROD],
  ] as const)('%s: what comes by the bus and the queue runs once, by the alias', async (stage, env) => {
    const called: unknown[] = [];
    stack = await startTestStack({
      assembly: directoryOf(stage),
      interceptor: async ({ stateName, arguments: given }, next) => {
        if (stateName !== 'Business step') return next();
        called.push(given);
        return returns('charged');
      },
    });
    const event = { source: 'shop', 'detail-type': 'Ordered', detail: { id: 'order-1' } };
    const ofBus = await stack.deliver({ eventBus: 'Platform/Bus', event, times: 3 });
    const ofQueue = await stack.deliver({ queue: 'Platform/Orders', body: { id: 'order-2' }, times: 2 });

    expect(stack.notRun).toEqual([]);
    const started = [...ofBus.executions, ...ofQueue.executions].filter(({ type }) => type === 'STANDARD');
    expect(started.map(({ name, status, output }) => ({ name, status, output }))).toEqual([
      { name: 'order-1', status: 'SUCCEEDED', output: 'charged' },
      { name: 'order-2', status: 'SUCCEEDED', output: 'charged' },
    ]);
    const live = expect.stringMatching(`^arn:aws:lambda:${env.region}:${env.account}:function:[\\w-]+:live$`);
    expect(called).toMatchObject([{ FunctionName: live }, { FunctionName: live }]);
    for (const queue of ['Orders', 'Failures']) expect(stack.messages(`Platform/${queue}`)).toEqual([]);
  });
});

describe('what a baseline sets that the workflow cannot work with ends the synthesis, and says why', () => {
  test.each<[string, (stack: Stack) => void, RegExp]>([
    [
      'a timeout beyond the visibility of a queue that is imported',
      stack => Aspects.of(stack).add(baseline(900)),
      /`Source.queue` needs a visibility timeout of at least 900 seconds, the time to start a batch; .* has 720/,
    ],
    [
      'a runtime in which the functions of the package do not run',
      stack =>
        Aspects.of(stack).add({
          visit: node => {
            if (node instanceof CfnFunction) node.runtime = 'nodejs18.x';
          },
        }),
      /needs the runtime nodejs20\.x or a later one, got nodejs18\.x: an aspect or an override has set it/,
    ],
    [
      'a key for every queue',
      stack =>
        Aspects.of(stack).add({
          visit: node => {
            if (node instanceof CfnQueue) node.kmsMasterKeyId = 'alias/organisation';
          },
        }),
      /KmsMasterKeyId is "alias\/organisation" in the template, but was not set/,
    ],
  ])('%s', (_, change, message) => {
    const stack = new Stack(new App({ context: UNBUNDLED }), 'Shop', { env: DEV });
    defineWorkflow(stack);
    change(stack);

    expect(() => Template.fromStack(stack)).toThrow(message);
  });

  test('a bus of the other environment', () => {
    const stack = new Stack(new App({ context: UNBUNDLED }), 'Shop', { env: DEV });
    const shared = `arn:aws:events:${PROD.region}:${PROD.account}:event-bus/shared`;
    const bus = EventBus.fromEventBusArn(stack, 'Other', shared);
    const pay = defineWorkflow(stack);

    expect(() => pay.startFrom(Source.eventBridge(bus, { source: ['shop'] }))).toThrow(
      /must be in the account and region of the stack, 111111111111 and eu-west-1.*Forward the events to a bus/,
    );
  });
});

describe("a function's timeout that an aspect raises from 10 to 120 seconds", () => {
  let world: World;
  afterEach(() => world.close());

  test('a step of 75 seconds, delivered each 10 seconds: no two runs at the same time', async () => {
    world = await openWorld({
      name: 'raised-timeout',
      workflow: { recovery: Recovery.automatic() },
      more: stack => Aspects.of(stack).add(baseline(120)),
    });
    let [running, most] = [0, 0];
    world.step = async () => {
      running += 1;
      most = Math.max(most, running);
      await world.pause(75_000);
      running -= 1;
      return returns('paid');
    };
    for (let delivery = 0; delivery < 20; delivery += 1) {
      await world.send({ orderId: 'order-7', amount: 12, currency: 'EUR' });
      await world.pass(10_000);
    }
    await world.settle();

    expect({ runs: world.runs.length, most }).toEqual({ runs: 1, most: 1 });
  });
});
