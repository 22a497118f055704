import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type AttributeValue, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStateMachineCommand,
  ListStateMachinesCommand,
  SFNClient,
  UpdateStateMachineCommand,
} from '@aws-sdk/client-sfn';
import {
  advanceBy,
  type ExecutionDescription,
  type LocalStack,
  runToEnd,
  type ServiceResult,
  startLocal,
  VirtualClock,
  WorkTracker,
} from '@onceflow/local';
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { IdempotentWorkflow, RecordTable, Recovery, Source } from '../../../infra/index';
import { answerOfRedriver } from '../../support/redriver';
import { newDirectory } from '../../support/shared';
import { someFunction } from '../../support/synthesize';
import { fails, returns, T0 } from '../../support/world';

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(120_000);

/**
 * The definitions of the app below as commit 6eebae2d rendered them, by the logical ids of their state machines.
 * References are `${LogicalId}`, as Fn::Sub has them.
 */
const OLD: Readonly<Record<string, object>> = JSON.parse(
  readFileSync(path.join(__dirname, '6eebae2d.json'), 'utf8'),
);

/** The resources of the app that commit 6eebae2d deployed: types by logical ids. */
const RESOURCES: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(path.join(__dirname, '6eebae2d-resources.json'), 'utf8'),
);

/** The app as this version synthesizes it, or with the definitions of then. */
function assembly(version: 'old' | 'new'): string {
  const outdir = newDirectory();
  const app = new App({ outdir });
  const stack = new Stack(app, 'Shop');
  const pay = new IdempotentWorkflow(stack, 'Pay', {
    scope: 'pay',
    idempotencyKey: '{% $states.input.orderId %}',
    payload: "{% $states.input.{'amount': amount} %}",
    table: new RecordTable(stack, 'Records', { tableName: 'records' }),
    step: someFunction(stack, { timeout: Duration.seconds(10) }),
    recovery: Recovery.automatic(),
  });
  const dead = { queue: new Queue(stack, 'Dead', { queueName: 'dead' }), maxReceiveCount: 3 };
  const visibilityTimeout = Duration.minutes(3);
  const orders = new Queue(stack, 'Orders', {
    queueName: 'orders',
    visibilityTimeout,
    deadLetterQueue: dead,
  });
  pay.startFrom(Source.queue(orders));
  new CfnOutput(stack, 'Machine', { value: pay.stateMachine.stateMachineArn });
  app.synth();
  if (version === 'old') withOldDefinitions(path.join(outdir, 'Shop.template.json'));
  return outdir;
}

function withOldDefinitions(file: string): void {
  const template = JSON.parse(readFileSync(file, 'utf8'));
  for (const [id, definition] of Object.entries(OLD)) {
    const { Properties: properties } = template.Resources[id];
    properties.DefinitionString = { 'Fn::Sub': JSON.stringify(definition) };
  }
  writeFileSync(file, JSON.stringify(template));
}

function sfn({ endpoint }: LocalStack): SFNClient {
  const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
  return new SFNClient({ region: 'us-east-1', endpoint, credentials });
}

async function machinesOf(stack: LocalStack) {
  return (await sfn(stack).send(new ListStateMachinesCommand({}))).stateMachines ?? [];
}

type Item = Record<string, AttributeValue>;

/** The stack of then, with steps by script, and what upgrades it. */
async function deployed() {
  const clock = new VirtualClock(T0);
  const work = new WorkTracker();
  const runs: string[] = [];
  const world = {
    step: (_key: string): ServiceResult | Promise<ServiceResult> => returns({ run: runs.length }),
  };
  const stack: LocalStack = await startLocal({
    assembly: assembly('old'),
    clock,
    seed: '1',
    port: 0,
    work,
    interceptor: async (call, next) => {
      if (call.stateName !== 'Business step') return answerOfRedriver(stack, call) ?? next();
      const { Payload } = call.arguments as unknown as {
        Payload: { idempotencyKey: string; attempt: number };
      };
      runs.push(`${Payload.idempotencyKey} ${Payload.attempt}`);
      return world.step(Payload.idempotencyKey);
    },
  });
  const { runtime, dynamoDb } = stack;
  const start = async (orderId: unknown, amount = 1): Promise<string> => {
    const input = JSON.stringify({ orderId, amount });
    return (await runtime.startExecution({ stateMachineArn: stack.output('Machine'), input })).executionArn;
  };
  const settle = () => runToEnd(runtime, clock);
  return Object.assign(world, {
    stack,
    runs,
    start,
    settle,
    pause: (ms: number) => work.pause(clock, ms),
    pass: (ms: number) => advanceBy(runtime, clock, ms),
    async delivered(orderId: unknown, amount = 1): Promise<ExecutionDescription> {
      const executionArn = await start(orderId, amount);
      await settle();
      return runtime.describeExecution({ executionArn });
    },
    async record(key: string): Promise<Item> {
      const Key = { idempotencyKey: { S: key } };
      const request = new GetItemCommand({ TableName: 'records', Key, ConsistentRead: true });
      return (await dynamoDb.client.send(request)).Item ?? {};
    },
    async put(item: Item): Promise<void> {
      await dynamoDb.client.send(new PutItemCommand({ TableName: 'records', Item: item }));
    },
    /** Gives each state machine the definition of this version, as a deployment does. */
    async upgrade(): Promise<void> {
      const options = { clock: new VirtualClock(T0), seed: '1', port: 0 };
      const fresh = await startLocal({ assembly: assembly('new'), ...options });
      for (const { stateMachineArn } of await machinesOf(fresh)) {
        const { definition } = await sfn(fresh).send(new DescribeStateMachineCommand({ stateMachineArn }));
        await sfn(stack).send(new UpdateStateMachineCommand({ stateMachineArn, definition }));
      }
      expect(await machinesOf(stack)).toHaveLength(Object.keys(OLD).length);
      await fresh.close();
    },
  });
}

/** The hash of the payload `{amount: 12.5}`, as 6eebae2d wrote it. */
const HASH = 'c52f0ad58500fa29018476beb9593b71d922c8aed6d2e04e08ab7bd4a01b1f71';
const LONG = 'x'.repeat(500);
/** Keys of each kind, and the text of their records as 6eebae2d wrote it. */
const KEYS: readonly (readonly [kind: string, orderId: unknown, text: string])[] = [
  ['a text', 'order-7', 'pay#order-7'],
  ['a number', 770_011, 'pay##770011'],
  ['a list', ['up-shop', 7], 'pay#up-shop,#7'],
  ['a text with ~ , #', 'a~b,c#d', 'pay#a~~b~,c~#d'],
  ['a text like a number of before', 'number:770011', 'pay#number:770011'],
  [
    'a long text',
    LONG,
    `pay#${LONG.slice(0, 400)}c38c2bf3055c516a98ac5d97f30e7c364e827bc0199e1c3415b794afbe55dcad`,
  ],
];

describe('an upgrade of what commit 6eebae2d has deployed', () => {
  let world: Awaited<ReturnType<typeof deployed>>;
  beforeEach(async () => {
    world = await deployed();
  });
  afterEach(() => world.stack.close());

  test.each(KEYS)(
    'the key %j: its record is found, and the step does not run again',
    async (_kind, orderId, text) => {
      const first = await world.delivered(orderId, 12.5);
      const before = await world.record(text);
      await world.upgrade();

      const again = await world.delivered(orderId, 12.5);
      const other = await world.delivered(orderId, 13);

      expect(before['status']).toEqual({ S: 'COMPLETED' });
      expect(before['payloadHash']).toEqual({ S: HASH });
      expect(again).toMatchObject({ status: 'SUCCEEDED', output: first.output });
      expect(other).toMatchObject({ status: 'FAILED', error: 'Idempotency.PayloadMismatch' });
      expect(await world.record(text)).toEqual(before);
      expect(world.runs).toEqual([`${text} 1`]);
    },
  );

  test('what executions in flight need stays in the stack, or was retained in it', () => {
    const template = JSON.parse(readFileSync(path.join(assembly('new'), 'Shop.template.json'), 'utf8'));
    const gone = Object.entries(RESOURCES).filter(([id]) => template.Resources[id] === undefined);

    // `removalPolicy` retains roles and policies that leave a stack; the other role was that of the search.
    expect(new Set(gone.map(([, type]) => type))).toEqual(
      new Set(['AWS::IAM::Policy', 'AWS::IAM::Role', 'AWS::Logs::LogGroup']),
    );
    const roles = gone.filter(([, type]) => type === 'AWS::IAM::Role').map(([id]) => id);
    expect(roles).toEqual([
      expect.stringMatching(/^PayRecoverySearchStateMachineEventsRole/),
      expect.stringMatching(/^PayRecoverySearchStateMachineRole/),
    ]);
  });

  test('records of every status: each goes on', async () => {
    world.step = key => (key === 'pay#failed' ? fails('CardDeclined') : returns('paid'));
    await world.delivered('failed');
    await world.delivered('done');
    const { result: _, finishedAt: _at, expiry: _expiry, ...unfinished } = await world.record('pay#done');
    const error = { S: '{"Error":"Idempotency.RedrivesExhausted","Cause":"{}"}' };
    for (const [key, status] of [
      ['released', 'RELEASED'],
      ['held', 'HELD'],
      ['releasing', 'RELEASING'],
    ] as const) {
      await world.put({ ...unfinished, idempotencyKey: { S: `pay#${key}` }, status: { S: status }, error });
    }
    await world.upgrade();
    world.runs.length = 0;
    world.step = () => returns('paid');

    const ends: Record<string, unknown> = {};
    for (const key of ['done', 'failed', 'released', 'held', 'releasing']) {
      const { status, error: by } = await world.delivered(key);
      ends[key] = by ?? status;
    }

    expect(ends).toEqual({
      done: 'SUCCEEDED',
      failed: 'SUCCEEDED',
      released: 'SUCCEEDED',
      held: 'Idempotency.RedrivesExhausted',
      releasing: 'Idempotency.InProgress',
    });
    expect(world.runs).toEqual(['pay#failed 2', 'pay#released 2']);
  });

  test('executions and messages under way, an owner that was stopped: each key finishes once', async () => {
    world.step = async () => {
      await world.pause(8_000);
      return returns('paid');
    };
    const inStep = await world.start('in-step');
    const stopped = await world.start('stopped');
    world.stack.queues.send('orders', JSON.stringify({ orderId: 'message', amount: 1 }));
    await world.pass(2_000);
    await world.stack.runtime.stopExecution({ executionArn: stopped });
    expect(world.stack.queues.counts('orders')).toMatchObject({ visible: 0, notVisible: 1 });
    await world.upgrade();

    const waiting = await world.start('in-step');
    await world.settle();

    const statusOf = async (executionArn: string) => {
      const { status, error } = await world.stack.runtime.describeExecution({ executionArn });
      return error ?? status;
    };
    expect(await statusOf(waiting)).toBe('Idempotency.InProgress');
    expect([await statusOf(inStep), await statusOf(stopped)]).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    for (const key of ['in-step', 'stopped', 'message']) {
      expect(await world.record(`pay#${key}`)).toMatchObject({ status: { S: 'COMPLETED' } });
      expect((await world.delivered(key)).status).toBe('SUCCEEDED');
    }
    // The step that was interrupted runs once more.
    expect([...world.runs].sort()).toEqual([
      'pay#in-step 1',
      'pay#message 1',
      'pay#stopped 1',
      'pay#stopped 1',
    ]);
    expect(world.stack.queues.peek('orders')).toEqual([]);
    expect(world.stack.queues.peek('dead')).toEqual([]);
  });
});
