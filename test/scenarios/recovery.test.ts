import type { ExecutionDescription, ServiceCall } from '@onceflow/local';
import { Recovery } from '../../infra/index';
import { at, noFault, stopping } from '../support/faults';
import { GRACE_MS } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const VARIANT = { name: 'recovery', workflow: { recovery: Recovery.automatic() } };
const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const HOUR = 3_600_000;

/** The executions of one of recovery's two state machines, oldest first. */
async function executionsOf(world: World, output: 'RecoveryArn' | 'SearchArn') {
  const { runtime } = world.stack;
  const { executions } = await runtime.listExecutions({ stateMachineArn: world.stack.output(output) });
  const described = executions.map(({ executionArn }) => world.execution(executionArn));
  return (await Promise.all(described)).reverse();
}

const statusOf = async (world: World) => (await world.record(KEY))?.['status']?.S;
const isOf = (world: World, output: 'RecoveryArn' | 'SearchArn', { executionArn }: ServiceCall) =>
  executionArn.startsWith(`${world.stack.output(output).replace(':stateMachine:', ':execution:')}:`);
const endsOf = (executions: readonly ExecutionDescription[]) =>
  executions.map(({ status, error }) => error ?? status);

describe('recovery', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(VARIANT);
  });
  afterEach(() => world.close());

  test.each([
    ['before its claim is made', 'Claim record', 'before', 1],
    ['when it is claimed', 'Claim record', 'after', 1],
    ['within its step', 'Business step', 'before', 1],
    ['when its step is done', 'Business step', 'after', 2],
    ['before its end is recorded', 'Record the result', 'before', 1],
    ['when its end is recorded', 'Record the result', 'after', 1],
  ] as const)(
    'an execution is interrupted %s: its event ends completed',
    async (_when, state, when, runs) => {
      world.faults = stopping(world, state, when);
      const executionArn = await world.deliver(ORDER);
      await world.settle();

      expect(await world.execution(executionArn)).toMatchObject({ redriveCount: expect.any(Number) });
      expect(await statusOf(world)).toBe('COMPLETED');
      expect(world.runs).toHaveLength(runs);
      expect(endsOf(await executionsOf(world, 'RecoveryArn'))).toEqual(['SUCCEEDED']);
    },
  );

  test('a step fails: its record says so, and recovery looks at it in four transitions', async () => {
    world.step = () => fails('CardDeclined');
    await world.delivered(ORDER);

    const [recovery, ...more] = await executionsOf(world, 'RecoveryArn');
    expect(recovery).toMatchObject({ status: 'SUCCEEDED', output: '{"deliveries":0}' });
    expect(world.stack.runtime.billedTransitions(recovery?.executionArn ?? '')).toBe(4);
    expect(more).toEqual([]);
    expect(world.runs).toHaveLength(1);
  });

  test('deliveries that are answered or rejected: recovery is started for a missing key only, and leaves it', async () => {
    world.step = () => world.never();
    const owner = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
    await world.deliver(ORDER);
    await world.deliver({ ...ORDER, amount: 1 });
    await world.deliver({ nothing: true });
    await world.pass(5_000);

    expect(endsOf(await world.executions())).toEqual([
      'RUNNING',
      'Idempotency.InProgress',
      'Idempotency.PayloadMismatch',
      'Idempotency.InvalidEvent',
    ]);
    expect(endsOf(await executionsOf(world, 'RecoveryArn'))).toEqual(['RUNNING']);
    await world.stop(owner);
    await world.pass(GRACE_MS + 60_000);
    const [missing] = await executionsOf(world, 'RecoveryArn');
    expect(missing).toMatchObject({ status: 'SUCCEEDED', output: '{"deliveries":0}' });
    expect(world.stack.runtime.billedTransitions(missing?.executionArn ?? '')).toBe(7);
  });

  test('all status changes are lost: the schedule finds what was interrupted', async () => {
    world.deliveries = async ({ targetArn }, next) =>
      targetArn === world.stack.output('RecoveryArn') ? { executionArn: 'lost' } : next();
    for (const state of ['Claim record', 'Record the result']) {
      world.faults = stopping(world, state, 'before');
      await world.deliver({ ...ORDER, orderId: state });
      await world.settle();
      world.faults = noFault;
    }
    expect(await executionsOf(world, 'RecoveryArn')).toEqual([]);

    await world.pass(HOUR);
    await world.settle();
    for (const key of ['Claim record', 'Record the result'])
      expect(await world.record(`ChargePayment#${key}`)).toMatchObject({ status: { S: 'COMPLETED' } });
    await world.pass(HOUR);
    expect(endsOf(await executionsOf(world, 'SearchArn'))).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    // One for both, one for each; what a search finds again is not begun again.
    expect(await executionsOf(world, 'RecoveryArn')).toHaveLength(3);
  });

  test('what it costs: thirteen transitions of recovery, one redrive, and no delivery', async () => {
    world.faults = stopping(world, 'Record the result', 'before');
    await world.deliver(ORDER);
    await world.settle();

    const [recovery] = await executionsOf(world, 'RecoveryArn');
    expect(world.stack.runtime.billedTransitions(recovery?.executionArn ?? '')).toBe(13);
    expect(recovery?.output).toBe('{"deliveries":0}');
    expect(await world.executions()).toEqual([
      expect.objectContaining({ status: 'SUCCEEDED', redriveCount: 1 }),
    ]);
  });

  test('an execution ends before its claim: what it costs is nine transitions of recovery, and one delivery', async () => {
    world.faults = stopping(world, 'Claim record', 'before');
    await world.deliver(ORDER);
    await world.settle();

    const [recovery] = await executionsOf(world, 'RecoveryArn');
    expect(world.stack.runtime.billedTransitions(recovery?.executionArn ?? '')).toBe(9);
    expect(recovery?.output).toBe('{"deliveries":1}');
    const names = (await world.executions()).map(({ name }) => name);
    expect(names).toEqual([
      expect.any(String),
      expect.stringMatching(new RegExp(`^${names[0]}-recovery-1-[0-9a-f]{16}$`)),
    ]);
  });

  test('its status changes come an hour late, when a person has redriven it: nothing is delivered', async () => {
    world.deliveries = async (_attempt, next) => {
      await world.pause(HOUR);
      return next();
    };
    world.faults = stopping(world, 'Record the result', 'before');
    const executionArn = await world.deliver(ORDER);
    await world.pass(GRACE_MS);
    await world.stack.runtime.redriveExecution({ executionArn });
    await world.pass(2 * HOUR);

    expect(await statusOf(world)).toBe('COMPLETED');
    expect(await world.executions()).toHaveLength(1);
    expect(endsOf(await executionsOf(world, 'RecoveryArn'))).toEqual(['SUCCEEDED']);
  });

  test('a delivered event ends before its claim in its turn: it is recovered as well', async () => {
    world.faults = async (call, next) => {
      if (call.stateName !== 'Claim record' || call.executionArn.includes('-recovery-2-')) return next();
      void world.stop(call.executionArn);
      return world.never();
    };
    await world.deliver(ORDER);
    await world.settle();

    expect(await statusOf(world)).toBe('COMPLETED');
    expect((await world.executions()).map(({ name }) => /-recovery-\d/.exec(name)?.[0])).toEqual([
      undefined,
      '-recovery-1',
      '-recovery-2',
    ]);
    expect(world.runs).toHaveLength(1);
  });

  test('a delivered event ends within its step: it is redriven, and not delivered again', async () => {
    let stops = 2;
    world.faults = async (call, next) => {
      const isDelivered = call.executionArn.includes('-recovery-1-');
      if (stops === 0 || call.stateName !== (isDelivered ? 'Business step' : 'Claim record')) return next();
      stops -= 1;
      void world.stop(call.executionArn);
      return world.never();
    };
    await world.deliver(ORDER);
    await world.settle();

    expect(await statusOf(world)).toBe('COMPLETED');
    expect((await world.executions()).map(({ redriveCount }) => redriveCount)).toEqual([0, 1]);
    expect(world.runs).toHaveLength(1);
  });

  test.each([
    ['Record the result', 'redriven once', [1]],
    ['Claim record', 'delivered once', [0, 0]],
  ] as const)('a status change of an end in %s comes twice: %s', async (state, _once, redriveCounts) => {
    world.deliveries = async (_attempt, next) => {
      await next();
      return next();
    };
    world.faults = stopping(world, state, 'before');
    await world.deliver(ORDER);
    await world.settle();

    expect(await statusOf(world)).toBe('COMPLETED');
    expect(endsOf(await executionsOf(world, 'RecoveryArn'))).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect((await world.executions()).map(({ redriveCount }) => redriveCount)).toEqual(redriveCounts);
  });

  test.each([
    ['Read record', 'Record the result'],
    ['Ask about the owner', 'Record the result'],
    ['Redrive the owner', 'Record the result'],
    ['Read record', 'Claim record'],
    ['Deliver again', 'Claim record'],
  ])(
    'recovery is stopped at its call in %s, for an execution that ended in %s: a search begins it again',
    async (state, ended) => {
      const stopped = new Set<string>();
      world.faults = async (call, next) => {
        const isRecovery = isOf(world, 'RecoveryArn', call);
        const id = isRecovery ? 'recovery' : 'owner';
        if (stopped.has(id) || call.stateName !== (isRecovery ? state : ended)) return next();
        stopped.add(id);
        void world.stop(call.executionArn);
        return world.never();
      };
      await world.deliver(ORDER);
      await world.settle();
      expect(await statusOf(world)).toBe(ended === 'Claim record' ? undefined : 'IN_PROGRESS');
      expect(endsOf(await executionsOf(world, 'RecoveryArn'))).toEqual(['ABORTED']);

      await world.pass(HOUR);
      await world.settle();
      expect(await statusOf(world)).toBe('COMPLETED');
      expect(world.runs).toHaveLength(1);
    },
  );

  test('a person redrives the owner at the same moment: it goes on once', async () => {
    world.faults = stopping(world, 'Record the result', 'before');
    const executionArn = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
    await world.pass(GRACE_MS);
    await world.stack.runtime.redriveExecution({ executionArn });
    await world.settle();

    expect(await world.execution(executionArn)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    expect(world.runs).toHaveLength(1);
    expect(endsOf(await executionsOf(world, 'RecoveryArn'))).toEqual(['SUCCEEDED']);
  });

  test('an owner that ends after each redrive: held for review, and recovery says so', async () => {
    world.faults = at('Record the result', async call => {
      void world.stop(call.executionArn);
      return world.never();
    });
    await world.deliver(ORDER);
    await world.settle();

    const recoveries = await executionsOf(world, 'RecoveryArn');
    const failed = recoveries.filter(({ status }) => status !== 'SUCCEEDED');
    expect(endsOf(failed)).toEqual(['Idempotency.RecoveryGivenUp']);
    expect(failed[0]?.cause).toContain('failed again after each redrive');
    expect(world.runs).toHaveLength(1);
    expect((await world.executions()).map(({ redriveCount }) => redriveCount)).toEqual([3]);
    expect(await world.record(KEY)).toMatchObject({
      status: { S: 'HELD' },
      error: { S: expect.stringContaining('Idempotency.RedrivesExhausted') },
    });
  });

  test('DynamoDB is away for three hours: what came before, during and after reaches its end', async () => {
    const end = world.clock.now() + 3 * HOUR;
    const isAway = () => world.clock.now() < end;
    world.step = () => returns('paid');
    await world.deliver({ ...ORDER, orderId: 'before' });
    world.faults = async ({ resource }, next) =>
      resource.startsWith('dynamodb:') && isAway() ? fails('DynamoDB.AmazonDynamoDBException') : next();
    await world.deliver({ ...ORDER, orderId: 'during' });
    await world.settle();
    await world.deliver({ ...ORDER, orderId: 'after' });
    await world.settle();

    expect(world.clock.now()).toBeGreaterThan(end);
    for (const key of ['before', 'during', 'after'])
      expect(await world.record(`ChargePayment#${key}`)).toMatchObject({ status: { S: 'COMPLETED' } });
    expect(endsOf(await executionsOf(world, 'RecoveryArn'))).not.toContain('Idempotency.RecoveryGivenUp');
  });

  test('an input that the event does not carry: read, and delivered as it is', async () => {
    const order = { ...ORDER, note: 'n'.repeat(250 * 1024) };
    world.faults = stopping(world, 'Claim record', 'before');
    const executionArn = await world.deliver(order);
    await world.settle();

    expect(await statusOf(world)).toBe('COMPLETED');
    const [dead, delivered] = await world.executions();
    expect(dead).toMatchObject({ executionArn, status: 'ABORTED' });
    expect(delivered?.input === dead?.input).toBe(true);
  });

  test('an input that cannot be read in one answer: given up, which says so', async () => {
    const order = { ...ORDER, note: 'n'.repeat(255 * 1024 + 200) };
    world.faults = stopping(world, 'Claim record', 'before');
    await world.deliver(order);
    await world.settle();

    const [recovery] = await executionsOf(world, 'RecoveryArn');
    expect(recovery).toMatchObject({ status: 'FAILED', error: 'Idempotency.RecoveryGivenUp' });
    expect(recovery?.cause).toContain('cannot be read');
  });

  test('it is stopped before it has said that its event has no key: given up, which says so', async () => {
    const executionArn = await world.deliver({ nothing: true });
    await world.stack.runtime.work.idle();
    await world.stop(executionArn);
    await world.settle();

    const [recovery] = await executionsOf(world, 'RecoveryArn');
    expect(recovery).toMatchObject({ status: 'FAILED', error: 'Idempotency.RecoveryGivenUp' });
    expect(recovery?.cause).toContain('no usable key');
  });

  test('a duplicate is interrupted while the owner is at work: left alone', async () => {
    world.step = () => world.never();
    const owner = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
    world.faults = stopping(world, 'Read record', 'before');
    await world.deliver(ORDER);
    await world.pass(20_000);

    expect(endsOf(await world.executions())).toEqual(['RUNNING', 'ABORTED']);
    // What it had sent might take the key over until its step's time is over.
    await world.pass(GRACE_MS);
    expect(await world.executions()).toHaveLength(2);
    expect(endsOf(await executionsOf(world, 'RecoveryArn'))).toContain('SUCCEEDED');
    await world.stop(owner);
  });

  test('a person redrives the owner, which is at work when recovery looks: left alone', async () => {
    world.step = () => world.never();
    const executionArn = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
    await world.stop(executionArn);
    await world.pass(GRACE_MS - 1000);
    await world.stack.runtime.redriveExecution({ executionArn });
    await world.pass(15_000);

    expect(endsOf(await world.executions())).toEqual(['RUNNING']);
    expect(endsOf(await executionsOf(world, 'RecoveryArn'))).toEqual(['SUCCEEDED']);
    await world.stop(executionArn);
  });

  test('what is delivered again cannot claim for hours: delivered once', async () => {
    world.faults = stopping(world, 'Claim record', 'before');
    await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
    const end = world.clock.now() + 3 * HOUR;
    world.faults = async ({ stateName }, next) =>
      stateName === 'Claim record' && world.clock.now() < end
        ? fails('DynamoDB.ProvisionedThroughputExceededException')
        : next();
    await world.settle();

    expect(await statusOf(world)).toBe('COMPLETED');
    expect(await world.executions()).toHaveLength(2);
  });

  test('a failed step, of which the event comes when its record has expired: left alone', async () => {
    world.deliveries = async (_attempt, next) => {
      await world.pause(3 * HOUR);
      return next();
    };
    world.step = () => fails('CardDeclined');
    await world.delivered(ORDER);
    const record = (await world.record(KEY)) ?? {};
    await world.putRecord({ ...record, expiry: { N: String(Math.floor(world.clock.now() / 1000)) } });
    await world.pass(4 * HOUR);

    expect(endsOf(await world.executions())).toEqual(['CardDeclined']);
    expect(endsOf(await executionsOf(world, 'RecoveryArn'))).toEqual(['SUCCEEDED']);
  });

  test.each([
    ['at once', false],
    ['after recovery has read that there is no record', true],
  ])(
    'a claim is made %s, and then nothing can be evaluated: recovered, although its event is said to be invalid',
    async (_when, isLate) => {
      const limit = fails('States.QueryEvaluationError', 'injected');
      let late: (() => Promise<unknown>) | undefined;
      world.faults = async (call, next) => {
        if (call.stateName !== 'Claim record') return next();
        if (isLate) late ??= next;
        else await next();
        return limit;
      };
      expect(await world.deliver(ORDER)).toBeDefined();
      await world.pass(20_000);
      expect(endsOf(await world.executions())).toEqual(['Idempotency.InvalidEvent']);
      world.faults = noFault;
      await late?.();
      await world.settle();

      expect(await statusOf(world)).toBe('COMPLETED');
    },
  );

  test('an execution that a person has stopped for good: left alone', async () => {
    world.step = () => world.never();
    const executionArn = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
    await world.stack.runtime.stopExecution({ executionArn, error: 'Idempotency.Stopped' });
    await world.pass(2 * HOUR);

    expect(await statusOf(world)).toBe('IN_PROGRESS');
    expect(await world.executions()).toHaveLength(1);
  });
});

describe('recovery of a workflow that delivers at most once', () => {
  test('an owner is stopped within its step: its key is held, and nothing runs again', async () => {
    const workflow = { ...VARIANT.workflow, delivery: 'at-most-once' } as const;
    const world = await openWorld({ name: 'recovery, at most once', workflow });
    try {
      world.faults = stopping(world, 'Business step', 'before');
      await world.deliver(ORDER);
      await world.settle();

      expect(await world.record(KEY)).toMatchObject({
        status: { S: 'HELD' },
        error: { S: expect.stringContaining('Idempotency.InDoubt') },
      });
      expect(await world.executions()).toEqual([
        expect.objectContaining({ status: 'ABORTED', redriveCount: 0 }),
      ]);
      expect(endsOf(await executionsOf(world, 'RecoveryArn'))).toEqual(['Idempotency.RecoveryGivenUp']);
      expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
      expect(world.runs).toHaveLength(0);
    } finally {
      await world.close();
    }
  });
});
