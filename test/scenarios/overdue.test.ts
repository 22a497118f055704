import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Recovery, Redrive } from '../../infra/index';
import { at, atFirst, failing, loseFirstAnswer, noFault, stopping } from '../support/faults';
import { GRACE_MS, type Variant } from '../support/variant';
import { fails, openWithoutEvents, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const IN_PROGRESS = { status: 'FAILED', error: 'Idempotency.InProgress' };

let world: World;
afterEach(() => world.close());

async function recoveries() {
  const stateMachineArn = world.stack.output('RecoveryArn');
  const { executions } = await world.stack.runtime.listExecutions({ stateMachineArn });
  const described = executions.map(({ executionArn }) => world.execution(executionArn));
  return (await Promise.all(described)).reverse();
}
const endsOfRecoveries = async () => (await recoveries()).map(({ status, error }) => error ?? status);
const statusOf = async () => (await world.record(KEY))?.['status']?.S;

/** An order whose execution is stopped at its call in this state. */
async function stoppedIn(stateName: string, when: 'before' | 'after'): Promise<string> {
  world.faults = stopping(world, stateName, when);
  const owner = await world.deliver(ORDER);
  await world.settle();
  world.faults = noFault;
  expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED' });
  expect(await recoveries()).toEqual([]);
  return owner;
}

/** The same, and its step has certainly ended. */
async function overdue(stateName: string, when: 'before' | 'after' = 'before'): Promise<string> {
  const owner = await stoppedIn(stateName, when);
  await world.pass(GRACE_MS);
  return owner;
}

describe('a delivery, when no event has told of the end of the owner', () => {
  beforeEach(async () => {
    world = await openWithoutEvents({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
  });

  test('stopped after its step: the delivery calls recovery, which redrives it, and the step does not run again', async () => {
    const owner = await overdue('Record the result');
    world.step = () => returns('a second run');

    const calling = await world.delivered(ORDER);
    const later = await world.delivered(ORDER);

    expect(calling).toMatchObject(IN_PROGRESS);
    expect(await world.statesOf(calling.executionArn)).toContain('Call recovery');
    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    expect(later).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
    expect(await endsOfRecoveries()).toEqual(['SUCCEEDED']);
  });

  test('stopped when its record was finished: the record answers, and no recovery is called', async () => {
    const owner = await overdue('Record the result', 'after');

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount: 0 });
    expect(await recoveries()).toEqual([]);
  });

  test('stopped before its end, the result in its output only: redriven, and then it answers', async () => {
    world.step = () => returns({ precise: 0.12345678901234568 });
    const owner = await stoppedIn('Record the result', 'after');
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' }, result: { S: 'ELSEWHERE' } });

    const calling = await world.delivered(ORDER);
    const later = await world.delivered(ORDER);

    expect(calling).toMatchObject(IN_PROGRESS);
    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    expect(later.output).toBe('{"precise":0.12345678901234568}');
    expect(world.runs).toHaveLength(1);
  });

  test('stopped within its step: nothing calls recovery within its time, and then it runs again in its own execution', async () => {
    world.step = async () => world.never();
    const owner = await world.deliver(ORDER);
    await world.pass(1000);
    await world.stop(owner);
    world.step = () => returns('second');

    await world.pass(GRACE_MS - 1001);
    const within = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
    expect(await world.execution(within)).toMatchObject(IN_PROGRESS);
    expect(await recoveries()).toEqual([]);

    await world.pass(1);
    expect(await world.delivered(ORDER)).toMatchObject(IN_PROGRESS);
    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', output: '"second"' });
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  test('stopped a moment before the delivery, overdue by its claim: redriven only when its step has certainly ended', async () => {
    world.faults = at('Record the result', async () => world.never());
    const owner = await world.deliver(ORDER);
    await world.pass(2 * GRACE_MS);
    await world.stop(owner);
    world.faults = noFault;
    await world.deliver(ORDER);
    await world.pass(GRACE_MS - 1);
    expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount: 0 });
    await world.settle();

    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    expect(world.runs).toHaveLength(1);
  });

  test('stopped with its claim written and not answered: redriven, it claims again and runs once', async () => {
    const owner = await overdue('Claim record', 'after');
    await world.delivered(ORDER);

    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED' });
    expect(world.runs).toHaveLength(1);
  });

  test('stopped in the wait after a lost answer: redriven, it waits again and records the failure', async () => {
    world.step = () => fails('Lambda.SdkClientException');
    const owner = await world.deliver(ORDER);
    await world.pass(1000);
    await world.stop(owner);
    await world.pass(GRACE_MS);
    await world.delivered(ORDER);

    expect(await world.execution(owner)).toMatchObject({ error: 'Lambda.SdkClientException' });
    expect(await statusOf()).toBe('FAILED');
    expect(world.runs).toHaveLength(1);
  });

  test('two deliveries at once: one recovery, and one redrive', async () => {
    const owner = await overdue('Business step');
    const arns = await Promise.all([world.deliver(ORDER), world.deliver(ORDER)]);
    await world.settle();

    const ends = await Promise.all(arns.map(world.execution));
    expect(ends).toMatchObject([IN_PROGRESS, IN_PROGRESS]);
    expect(world.calls.filter(call => call.endsWith('Call recovery'))).toHaveLength(2);
    expect(await recoveries()).toHaveLength(1);
    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    expect(world.runs).toHaveLength(1);
  });

  test('the answer to the redrive is lost: redriven once', async () => {
    const owner = await overdue('Record the result');
    world.faults = loseFirstAnswer('Redrive the owner', 'Lambda.SdkClientException');
    await world.delivered(ORDER);

    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
  });

  test('it ends again after the first redrive: the same recovery redrives it again', async () => {
    const owner = await overdue('Record the result');
    world.faults = stopping(world, 'Record the result', 'before');
    await world.delivered(ORDER);

    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 2 });
    expect(await endsOfRecoveries()).toEqual(['SUCCEEDED']);
    expect(world.runs).toHaveLength(1);
  });

  test('recovery cannot be started: in progress, which says why, and the next delivery calls it', async () => {
    const owner = await overdue('Record the result');
    world.faults = failing('Call recovery', 'Sfn.SfnException');
    const { cause = '', ...calling } = await world.delivered(ORDER);
    expect(calling).toMatchObject(IN_PROGRESS);
    expect(JSON.parse(cause)).toMatchObject({ owner, serviceError: 'Sfn.SfnException: injected' });
    expect(await recoveries()).toEqual([]);

    world.faults = noFault;
    await world.delivered(ORDER);
    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
  });

  test('the recovery that it called is stopped: the next delivery, a quarter of an hour later, calls another', async () => {
    const owner = await overdue('Record the result');
    world.faults = atFirst('Ask about the owner', async call => {
      void world.stop(call.executionArn);
      return world.never();
    });
    await world.delivered(ORDER);
    expect(await endsOfRecoveries()).toEqual(['ABORTED']);

    await world.pass(15 * MINUTE);
    await world.delivered(ORDER);
    expect(await endsOfRecoveries()).toEqual(['ABORTED', 'SUCCEEDED']);
    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
  });

  test('redriven too often: held, deliveries end with that, and a redrive by an operator completes the record', async () => {
    const owner = await overdue('Record the result');
    world.faults = at('Record the result', async call => {
      void world.stop(call.executionArn);
      return world.never();
    });
    expect(await world.delivered(ORDER)).toMatchObject(IN_PROGRESS);
    expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount: 3 });
    expect(await statusOf()).toBe('HELD');
    expect(await endsOfRecoveries()).toEqual(['Idempotency.RecoveryGivenUp']);
    world.faults = noFault;

    for (const _ of [1, 2]) {
      const { error, cause = '', executionArn } = await world.delivered(ORDER);
      expect(error).toBe('Idempotency.RedrivesExhausted');
      expect(JSON.parse(cause)).toMatchObject({ owner, attempt: 1, idempotencyKey: KEY });
      expect(world.stack.runtime.billedTransitions(executionArn)).toBe(4);
    }
    await world.pass(DAY);
    expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount: 3 });

    await world.stack.runtime.redriveExecution({ executionArn: owner });
    await world.settle();
    expect(await statusOf()).toBe('COMPLETED');
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });

  test('too old to be redriven: released and delivered again, and the step runs as the next attempt', async () => {
    const owner = await overdue('Business step');
    await world.pass(15 * DAY);
    expect(await world.delivered(ORDER)).toMatchObject(IN_PROGRESS);

    const [, , delivered, ...more] = await world.executions();
    expect(more).toEqual([]);
    expect(delivered).toMatchObject({ status: 'SUCCEEDED', name: expect.stringContaining('-recovery-1-') });
    expect(await world.record(KEY)).toMatchObject({
      status: { S: 'COMPLETED' },
      owner: { S: delivered?.executionArn },
      attempt: { N: '2' },
    });
    expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount: 0 });
  });

  test('it ended in a Fail state before its step, with a claim of its own: released and delivered again', async () => {
    world.faults = at('Claim record', async (_call, next) => {
      await next();
      return fails('States.QueryEvaluationError', 'injected');
    });
    const owner = await world.deliver(ORDER);
    await world.settle();
    world.faults = noFault;
    expect(await world.execution(owner)).toMatchObject({ error: 'Idempotency.InvalidEvent' });
    expect(await statusOf()).toBe('IN_PROGRESS');
    await world.pass(GRACE_MS);
    await world.delivered(ORDER);

    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '2' } });
    expect(await world.execution(owner)).toMatchObject({ status: 'FAILED', redriveCount: 0 });
    expect(world.runs).toHaveLength(1);
  });

  test('it is running, however long: its duplicates are in progress, and recovery leaves it', async () => {
    let release = () => {};
    const released = new Promise<void>(resolve => {
      release = resolve;
    });
    world.faults = at('Record the result', async (_call, next) => {
      await world.pause(HOUR);
      release();
      return next();
    });
    const owner = await world.deliver(ORDER);
    await world.pass(GRACE_MS);
    const early = await world.deliver(ORDER);
    await world.pass(MINUTE);
    expect(await world.execution(early)).toMatchObject(IN_PROGRESS);
    expect(await endsOfRecoveries()).toEqual(['SUCCEEDED']);
    await world.settle();
    await released;

    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 0 });
    expect(await world.executions()).toHaveLength(2);
    expect(world.runs).toHaveLength(1);
  });

  test('it is about to be redriven: recovery leaves it', async () => {
    const owner = await overdue('Business step');
    world.faults = at('Ask about the owner', async (_call, next) => {
      const answer = await next();
      if (answer.kind !== 'succeeded') return answer;
      return { ...answer, output: { ...(answer.output as object), Status: 'PENDING_REDRIVE' } };
    });

    expect(await world.delivered(ORDER)).toMatchObject(IN_PROGRESS);
    expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount: 0 });
    expect(await endsOfRecoveries()).toEqual(['SUCCEEDED']);
  });

  test('it is not visible yet: nothing is released before it certainly would be', async () => {
    await overdue('Business step');
    world.faults = failing('Ask about the owner', 'Sfn.ExecutionDoesNotExistException');
    await world.deliver(ORDER);
    await world.pass(15 * MINUTE - GRACE_MS - 1);
    expect(await statusOf()).toBe('IN_PROGRESS');

    await world.settle();
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '2' } });
    expect(world.runs).toHaveLength(1);
  });

  test('it cannot be asked about until no retry is left: recovery fails, and nothing is released', async () => {
    await overdue('Business step');
    world.faults = failing('Ask about the owner', 'Sfn.ThrottlingException');
    await world.deliver(ORDER);
    await world.pass(24 * 60 * MINUTE);

    expect(await statusOf()).toBe('IN_PROGRESS');
    expect(await endsOfRecoveries()).toEqual(['Sfn.ThrottlingException']);
  });

  /** Leaves the record of an execution of this workflow that Step Functions does not know. */
  async function left(more: Record<string, AttributeValue> = {}) {
    const executions = world.stack.output('StateMachineArn').replace(':stateMachine:', ':execution:');
    const record = {
      idempotencyKey: { S: KEY },
      status: { S: 'IN_PROGRESS' },
      owner: { S: `${executions}:gone` },
      attempt: { N: '1' },
      claimedAt: { S: '2026-11-19T09:00:00.000Z' },
      claimId: { S: '2026-11-19T09:00:00.000Z' },
      ...more,
    };
    await world.putRecord(record);
    return record;
  }

  test('deleted: released and delivered again with the input of the delivery', async () => {
    await left();
    const calling = await world.delivered(ORDER);

    expect(calling).toMatchObject(IN_PROGRESS);
    const [, delivered, ...more] = await world.executions();
    expect(more).toEqual([]);
    expect(delivered).toMatchObject({ status: 'SUCCEEDED', input: calling.input });
    expect(delivered?.name).toMatch(/^gone-recovery-1-[0-9a-f]{16}$/);
    expect(await world.record(KEY)).toMatchObject({
      status: { S: 'COMPLETED' },
      owner: { S: delivered?.executionArn },
      attempt: { N: '2' },
    });
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([2]);
  });

  test('deleted: its step gets its time from the first question on, and what it still writes is the answer', async () => {
    const record = await left();
    await world.deliver(ORDER);
    await world.pass(GRACE_MS - 1000);
    expect(await statusOf()).toBe('IN_PROGRESS');
    await world.putRecord({ ...record, status: { S: 'COMPLETED' }, result: { S: '"paid"' } });
    await world.settle();

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '"paid"' });
    expect(world.runs).toHaveLength(0);
  });

  test('deleted, its step longer than that of this definition: the longer time is waited for', async () => {
    await left({ stepTimeout: { N: '600' } });
    await world.deliver(ORDER);
    await world.pass(599_000);
    expect(await statusOf()).toBe('IN_PROGRESS');
    await world.settle();

    expect(world.runs).toEqual([expect.objectContaining({ attempt: 2 })]);
  });

  test('deleted, and the answer to the release is lost: delivered once', async () => {
    await left();
    world.faults = loseFirstAnswer('Release the record');
    await world.delivered(ORDER);

    expect(await world.executions()).toHaveLength(2);
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([2]);
  });

  test('released, and recovery is stopped before it delivers: the next delivery takes over', async () => {
    await left();
    world.faults = stopping(world, 'Deliver again', 'before');
    expect(await world.delivered(ORDER)).toMatchObject(IN_PROGRESS);
    expect(await statusOf()).toBe('RELEASED');

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED' });
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([2]);
  });

  test('succeeded beside its unfinished record, as after a restore of the table: its output is the result', async () => {
    world.step = () => returns('charged');
    const owner = await world.delivered(ORDER);
    const { expiry: _, result: __, finishedAt: ___, ...record } = (await world.record(KEY)) ?? {};
    await world.putRecord({ ...record, status: { S: 'IN_PROGRESS' } });
    await world.pass(GRACE_MS);

    expect(await world.delivered(ORDER)).toMatchObject(IN_PROGRESS);
    expect(await world.record(KEY)).toMatchObject({
      status: { S: 'COMPLETED' },
      owner: { S: owner.executionArn },
      result: { S: 'ELSEWHERE' },
    });
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '"charged"' });
    expect(world.runs).toHaveLength(1);
  });
});

describe.each([
  ['by the direct integration', { name: 'recovery, direct', workflow: { redrive: Redrive.direct() } }],
  ['by the function as it is bundled', { name: 'recovery, bundled', bundles: true }],
] as const)('recovery that redrives %s', (_, variant: Variant) => {
  test('a delivery finds the owner overdue: redriven once', async () => {
    const workflow = { ...variant.workflow, recovery: Recovery.automatic() };
    world = await openWithoutEvents({ ...variant, workflow });
    world.isRedriverReal = variant.bundles ?? false;
    const owner = await overdue('Record the result');
    await world.delivered(ORDER);

    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    expect(world.runs).toHaveLength(1);
  }, 30_000);
});
