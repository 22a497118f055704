import type { ServiceCall, ServiceResult } from '@onceflow/local';
import { loseFirstAnswer, noFault, stopping } from '../support/faults';
import { GRACE_MS, type Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

// Requests that arrive late, owners that another definition has started, and redrives that come at odd times.

const KEY = 'ChargePayment#order-7';
const FORMER = 'arn:aws:states:us-east-1:111111111111:stateMachine:FormerPayments';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const AT_MOST_ONCE: Variant = { name: 'at most once', workflow: { delivery: 'at-most-once' } };

let world: World;
afterEach(() => world.close());

/** An owner that was stopped within its step, which has certainly ended since. */
async function deadOwner(): Promise<string> {
  world.step = async () => world.never();
  const owner = await world.deliver(ORDER);
  await world.pass(1000);
  await world.stop(owner);
  await world.pass(GRACE_MS);
  return owner;
}

/** Keeps back the first request of a state, whose caller is told that its answer is lost, until `arrive` is called. */
function keepsBack(stateName: string) {
  let late: (() => Promise<ServiceResult>) | undefined;
  world.faults = async (call: ServiceCall, next) => {
    if (late || call.stateName !== stateName) return next();
    late = next;
    return fails('DynamoDB.SdkClientException', 'Connection reset');
  };
  return async () => {
    const result = await late?.();
    return result?.kind;
  };
}

describe('a request that arrives when nobody waits for it any more', () => {
  beforeEach(async () => {
    world = await openWorld();
    world.step = () => fails('CardDeclined');
    await world.delivered(ORDER);
  });

  test('a claim, after its execution has taken over: refused, the attempt stays', async () => {
    const arrive = keepsBack('Claim record');
    const arrivals: unknown[] = [];
    world.step = async () => {
      arrivals.push(await arrive());
      return returns('paid');
    };

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '"paid"' });
    expect(arrivals).toEqual(['failed']);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '2' } });
  });

  test('a takeover, after its execution has taken over from a later attempt: refused', async () => {
    const arrive = keepsBack('Take over');
    const takingOver = await world.deliver(ORDER);
    await world.stack.runtime.idle();
    // While its retry waits, another delivery takes over and fails.
    await world.putRecord({ ...(await world.record(KEY)), attempt: { N: '2' } });
    const arrivals: unknown[] = [];
    world.step = async () => {
      arrivals.push(await arrive());
      return returns('paid');
    };
    await world.settle();

    expect(await world.execution(takingOver)).toMatchObject({ status: 'SUCCEEDED' });
    expect(arrivals).toEqual(['failed']);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '3' } });
  });
});

describe('an owner that another definition has started', () => {
  test('whose step may take longer than ours: its own grace counts', async () => {
    world = await openWorld();
    world.step = async () => world.never();
    const owner = await world.deliver(ORDER);
    await world.pass(1000);
    await world.putRecord({ ...(await world.record(KEY)), stepTimeout: { N: '930' } });
    await world.stop(owner);
    await world.pass(GRACE_MS);

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InProgress' });
    expect(await world.execution(owner)).toMatchObject({ redriveCount: 0 });
    world.step = () => returns('paid');
    await world.pass(930_000);
    await world.delivered(ORDER);
    expect(await world.execution(owner)).toMatchObject({ output: '"paid"' });
  });

  test('one of a former state machine: its result is the answer, and what it left is taken over', async () => {
    world = await openWorld({ name: 'renamed', workflow: { formerStateMachines: ['Before', FORMER] } });
    const finished = {
      idempotencyKey: { S: KEY },
      status: { S: 'COMPLETED' },
      owner: { S: 'arn:aws:states:us-east-1:111111111111:execution:FormerPayments:order-7' },
      attempt: { N: '1' },
      claimedAt: { S: '2026-11-19T09:00:00.000Z' },
      result: { S: '"paid before"' },
    };
    await world.putRecord(finished);

    expect(await world.delivered(ORDER)).toMatchObject({ output: '"paid before"' });
    const { result: _, ...unfinished } = finished;
    await world.putRecord({ ...unfinished, status: { S: 'IN_PROGRESS' } });
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await world.record(KEY)).toMatchObject({ attempt: { N: '2' }, status: { S: 'COMPLETED' } });
    expect(world.calls.filter(call => call.includes('describeExecution'))).toHaveLength(1);
  });

  test('an Express one: its lease counts, and nobody asks about it', async () => {
    world = await openWorld();
    const now = world.clock.now();
    const record = {
      idempotencyKey: { S: KEY },
      status: { S: 'IN_PROGRESS' },
      owner: { S: `${world.stack.output('StateMachineArn').replace(':stateMachine:', ':express:')}:a:b` },
      attempt: { N: '1' },
      claimedAt: { S: new Date(now).toISOString() },
      leaseExpiry: { N: String(now + 60_000) },
    };
    await world.putRecord(record);
    const asked = () => world.calls.filter(call => call.includes('describeExecution'));

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InProgress' });
    await world.pass(60_001);
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await world.record(KEY)).toMatchObject({ attempt: { N: '2' } });
    expect(asked()).toEqual([]);
  });
});

describe('an owner that holds a record without knowing it', () => {
  test.each([
    'Idempotency.InvalidEvent',
    'Idempotency.InvalidEvent',
    'Idempotency.PayloadMismatch',
    'Idempotency.InProgress',
    'Idempotency.ResultUnavailable',
  ])('ended as %s: taken over', async error => {
    world = await openWorld();
    const owner = await deadOwner();
    world.step = () => returns('paid');
    world.faults = async (call, next) => {
      const answer = await next();
      if (call.stateName !== 'Ask about the owner' || answer.kind !== 'succeeded') return answer;
      return { ...answer, output: { ...(answer.output as object), Status: 'FAILED', Error: error } };
    };

    expect(await world.delivered(ORDER)).toMatchObject({ output: '"paid"' });
    expect(await world.execution(owner)).toMatchObject({ redriveCount: 0 });
  });

  test('succeeded, and its record says that it works (restored from a backup): its output answers, and it is finished', async () => {
    world = await openWorld();
    const { executionArn } = await world.delivered(ORDER);
    const { result: _result, expiry: _expiry, ...finished } = (await world.record(KEY)) ?? {};
    await world.putRecord({ ...finished, status: { S: 'IN_PROGRESS' } });
    await world.pass(60_000);

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(await world.record(KEY)).toMatchObject({
      owner: { S: executionArn },
      status: { S: 'COMPLETED' },
      result: { S: 'ELSEWHERE' },
      expiry: { N: expect.any(String) },
    });
    expect(await world.delivered(ORDER)).toMatchObject({ output: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });

  test('the same, and the answer of finishing it lost: the retry finds it finished', async () => {
    world = await openWorld();
    await world.delivered(ORDER);
    const { result: _result, expiry: _expiry, ...finished } = (await world.record(KEY)) ?? {};
    await world.putRecord({ ...finished, status: { S: 'IN_PROGRESS' } });
    await world.pass(60_000);
    world.faults = loseFirstAnswer('Finalize: owner completed');

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.calls.filter(call => call.endsWith(' from Finalize: owner completed'))).toHaveLength(2);
  });
});

describe('a record that is finished for its owner', () => {
  test('released by a person just before: stays so, and the next delivery takes over', async () => {
    world = await openWorld();
    await world.delivered(ORDER);
    const { result: _result, expiry: _expiry, ...finished } = (await world.record(KEY)) ?? {};
    await world.putRecord({ ...finished, status: { S: 'IN_PROGRESS' } });
    await world.pass(60_000);
    const error = { S: JSON.stringify({ Error: 'Idempotency.Released', Cause: '' }) };
    let isReleased = false;
    world.faults = async (call, next) => {
      if (call.stateName === 'Finalize: owner completed' && !isReleased) {
        isReleased = true;
        await world.putRecord({ ...finished, status: { S: 'FAILED' }, error });
      }
      return next();
    };

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.ClaimContended' });
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'FAILED' }, error });
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":2}' });
  });
});

describe('a redrive that was decided on an old look', () => {
  test('refused once: not tried again, the next delivery looks afresh', async () => {
    world = await openWorld();
    const owner = await deadOwner();
    world.step = () => returns('paid');
    let isRefused = false;
    world.faults = async (call, next) => {
      if (isRefused || call.stateName !== 'Redrive the owner') return next();
      isRefused = true;
      return fails('Lambda.TooManyRequestsException');
    };

    const refused = await world.delivered(ORDER);
    expect(refused).toMatchObject({ error: 'Idempotency.InProgress' });
    expect(JSON.parse(refused.cause ?? '')).toMatchObject({
      redriveError: 'Lambda.TooManyRequestsException',
    });
    await world.delivered(ORDER);
    expect(await world.execution(owner)).toMatchObject({ output: '"paid"', redriveCount: 1 });
  });

  test('of a delivery that was itself redriven there: redrives nobody', async () => {
    world = await openWorld();
    const owner = await deadOwner();
    world.faults = stopping(world, 'Redrive the owner', 'before');
    const duplicate = await world.delivered(ORDER);
    world.faults = noFault;

    await world.stack.runtime.redriveExecution({ executionArn: duplicate.executionArn });
    await world.stack.runtime.idle();

    expect(await world.execution(duplicate.executionArn)).toMatchObject({ error: 'Idempotency.InProgress' });
    expect(await world.execution(owner)).toMatchObject({ redriveCount: 0 });
  });
});

describe('at most once', () => {
  beforeEach(async () => {
    world = await openWorld(AT_MOST_ONCE);
  });

  test.each(['Function.ResponseSizeTooLarge', 'Extension.Crash'])('%s: in doubt', async error => {
    world.step = () => fails(error);
    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
  });

  test('cut off, redriven by a person, then declined: the doubt about the first run remains', async () => {
    const owner = await deadOwner();
    world.step = () => fails('CardDeclined');
    await world.stack.runtime.redriveExecution({ executionArn: owner });
    await world.settle();
    world.step = () => returns('a third run');

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
    expect(world.runs).toHaveLength(2);
  });

  test('a failure that an earlier definition recorded after a lost answer: in doubt', async () => {
    world.step = () => fails('CardDeclined');
    await world.delivered(ORDER);
    const error = { S: JSON.stringify({ Error: 'Lambda.SdkClientException', Cause: '' }) };
    await world.putRecord({ ...(await world.record(KEY)), error });

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
    expect(world.runs).toHaveLength(1);
  });
});

describe('a record in progress that names this very execution', () => {
  /** An owner, started under the name of its key, dies in its step; it is forgotten, and its name is free again. */
  async function forgotten(): Promise<void> {
    world.step = async () => world.never();
    await world.send(ORDER);
    await world.pass(1000);
    const [owner] = await world.executions();
    await world.stop(owner?.executionArn ?? '');
    await world.pass(91 * 24 * 3_600_000);
    world.step = () => returns('paid');
  }

  test('of the same name, 90 days before: taken over as the next attempt', async () => {
    world = await openWorld();
    await forgotten();
    await world.publish(ORDER);

    expect(await world.executions()).toMatchObject([{ name: 'order-7', status: 'SUCCEEDED' }]);
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('of the same name, with another amount: refused, nothing runs', async () => {
    world = await openWorld();
    await forgotten();
    await world.publish({ ...ORDER, amount: 99 });

    expect(await world.executions()).toMatchObject([{ error: 'Idempotency.PayloadMismatch' }]);
    expect(world.runs).toHaveLength(1);
  });

  test('of the same name, at most once: parked, nothing runs', async () => {
    world = await openWorld(AT_MOST_ONCE);
    await forgotten();
    await world.publish(ORDER);

    expect(await world.executions()).toMatchObject([{ error: 'Idempotency.InDoubt' }]);
    expect(world.runs).toHaveLength(1);
  });

  test.each(['at-least-once', 'at-most-once'] as const)(
    'whose claim arrived after it had been refused, %s: goes on with it, nothing had run',
    async delivery => {
      world = await openWorld(delivery === 'at-most-once' ? AT_MOST_ONCE : undefined);
      await world.delivered(ORDER);
      const arrive = keepsBack('Claim record');
      const { faults } = world;
      let isRead = false;
      world.faults = async (call, next) => {
        if (call.stateName === 'Read record' && !isRead) {
          isRead = true;
          // The record that refused the claim has expired and is deleted; now the claim's first request arrives.
          await world.deleteRecord(KEY);
          expect(await arrive()).toBe('succeeded');
        }
        return faults(call, next);
      };
      world.step = () => returns('paid again');

      expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '"paid again"' });
      expect(isRead).toBe(true);
      expect(world.runs).toHaveLength(2);
    },
  );
});
