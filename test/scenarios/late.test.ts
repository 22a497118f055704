import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { ServiceCall, ServiceResult } from '@onceflow/local';
import { Duration } from 'aws-cdk-lib';
import { Recovery } from '../../infra/index';
import { at, atFirst, loseFirstAnswer, noFault } from '../support/faults';
import { GRACE_MS, type Variant } from '../support/variant';
import { fails, openWithoutEvents, openWorld, returns, type World } from '../support/world';

// Requests that arrive late, owners that another definition has started, and redrives that come at odd times.

const KEY = 'ChargePayment#order-7';
const FORMER = 'arn:aws:states:us-east-1:111111111111:stateMachine:FormerPayments';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const RECOVERED: Variant = { name: 'recovery', workflow: { recovery: Recovery.automatic() } };
const AT_MOST_ONCE: Variant = { name: 'at most once', workflow: { delivery: 'at-most-once' } };

let world: World;
afterEach(() => world.close());

/** An owner that was stopped within its step, which has certainly ended since. */
async function stoppedOwner(): Promise<string> {
  world.step = async () => world.never();
  const owner = await world.deliver(ORDER);
  await world.pass(1000);
  await world.stop(owner);
  await world.pass(GRACE_MS);
  return owner;
}

/** Delays the first request of a state until `arrive` is called; its caller gets a lost answer. */
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

describe('a request that arrives when no caller waits for it any more', () => {
  beforeEach(async () => {
    world = await openWorld();
    world.step = () => fails('CardDeclined');
    await world.delivered(ORDER);
  });

  test('a claim, after its execution has taken over: rejected, the attempt stays', async () => {
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

  test('a takeover, after its execution has taken over from a later attempt: rejected', async () => {
    const arrive = keepsBack('Take over');
    const takingOver = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
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
  test('whose step may take longer than ours: that time counts', async () => {
    world = await openWorld(RECOVERED);
    world.step = async () => world.never();
    const owner = await world.deliver(ORDER);
    await world.pass(1000);
    await world.putRecord({ ...(await world.record(KEY)), stepTimeout: { N: '930' } });
    await world.stop(owner);
    world.step = () => returns('paid');
    await world.pass(930_000);

    expect(await world.execution(owner)).toMatchObject({ redriveCount: 0 });
    await world.settle();
    expect(await world.execution(owner)).toMatchObject({ output: '"paid"', redriveCount: 1 });
  });

  test('one of a former state machine: its result is the answer, and what it left is done by the new one', async () => {
    const formerStateMachines = ['Before', FORMER];
    world = await openWithoutEvents({
      name: 'renamed',
      workflow: { ...RECOVERED.workflow, formerStateMachines },
    });
    const finished = {
      idempotencyKey: { S: KEY },
      status: { S: 'COMPLETED' },
      owner: { S: 'arn:aws:states:us-east-1:111111111111:execution:FormerPayments:order-7' },
      attempt: { N: '1' },
      claimedAt: { S: '2026-11-19T09:00:00.000Z' },
      claimId: { S: '2026-11-19T09:00:00.000Z' },
      result: { S: '"paid before"' },
    };
    await world.putRecord(finished);

    expect(await world.delivered(ORDER)).toMatchObject({ output: '"paid before"' });
    const { result: _, ...unfinished } = finished;
    await world.putRecord({ ...unfinished, status: { S: 'IN_PROGRESS' } });
    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InProgress' });
    expect(await world.record(KEY)).toMatchObject({ attempt: { N: '2' }, status: { S: 'COMPLETED' } });
  });

  test('an Express one: its lease counts, and it is not asked about', async () => {
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
    'Idempotency.PayloadMismatch',
    'Idempotency.InProgress',
    'Idempotency.ResultUnavailable',
  ])('ended as %s: released, and delivered again', async error => {
    world = await openWithoutEvents(RECOVERED);
    const owner = await stoppedOwner();
    world.step = () => returns('paid');
    world.faults = at('Ask about the owner', async (_call, next) => {
      const answer = await next();
      if (answer.kind !== 'succeeded') return answer;
      return { ...answer, output: { ...(answer.output as object), Status: 'FAILED', Error: error } };
    });

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InProgress' });
    expect(await world.delivered(ORDER)).toMatchObject({ output: '"paid"' });
    expect(await world.execution(owner)).toMatchObject({ redriveCount: 0 });
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '2' } });
  });
});

describe('a record that recovery completes for its owner', () => {
  let unfinished: Record<string, AttributeValue>;
  beforeEach(async () => {
    world = await openWithoutEvents(RECOVERED);
    await world.delivered(ORDER);
    const { result: _result, expiry: _expiry, ...record } = (await world.record(KEY)) ?? {};
    unfinished = { ...record, status: { S: 'IN_PROGRESS' } };
    await world.putRecord(unfinished);
    await world.pass(60_000);
  });

  test('the answer is lost: completed, and nothing is delivered', async () => {
    world.faults = loseFirstAnswer('Complete the record');
    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InProgress' });

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(await world.executions()).toHaveLength(3);
    expect(world.runs).toHaveLength(1);
  });

  test('released by an operator just before: stays so, and the next delivery takes over', async () => {
    const error = { S: JSON.stringify({ Error: 'Idempotency.Released', Cause: 'arn:of:an:operator' }) };
    const released = { ...unfinished, status: { S: 'RELEASED' }, error };
    world.faults = atFirst('Complete the record', async (_call, next) => {
      await world.putRecord(released);
      return next();
    });
    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InProgress' });

    expect(await world.record(KEY)).toEqual(released);
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":2}' });
  });
});

describe('a redrive that was decided on an old read', () => {
  test('of a recovery that was itself redriven there: it reads again first', async () => {
    world = await openWithoutEvents(RECOVERED);
    const owner = await stoppedOwner();
    world.step = () => returns('paid');
    let recovery = '';
    world.faults = atFirst('Redrive the owner', async call => {
      recovery = call.executionArn;
      void world.stop(call.executionArn);
      return world.never();
    });
    await world.delivered(ORDER);
    world.faults = noFault;
    await world.pass(60_000);
    const before = world.calls.length;

    await world.stack.runtime.redriveExecution({ executionArn: recovery });
    await world.settle();

    const calls = world.calls.slice(before).map(call => call.replace(/^.* from /, ''));
    expect(calls.slice(0, 3)).toEqual(['Ask about the owner', 'Read record', 'Redrive the owner']);
    expect(await world.execution(owner)).toMatchObject({ output: '"paid"', redriveCount: 1 });
  });
});

describe('a delivery that was decided on an old read', () => {
  test('of a recovery that was redriven there, when the work had been done meanwhile: it reads again', async () => {
    world = await openWorld({
      ...RECOVERED,
      workflow: { ...RECOVERED.workflow, retention: Duration.hours(1) },
    });
    const stopped: Record<string, string> = {};
    world.faults = async (call, next) => {
      const { stateName, executionArn } = call;
      if (!['Claim record', 'Deliver again'].includes(stateName) || stopped[stateName]) return next();
      stopped[stateName] = executionArn;
      void world.stop(executionArn);
      return world.never();
    };
    await world.delivered(ORDER);
    await world.pass(GRACE_MS + 60_000);
    const recovery = String(stopped['Deliver again']);
    world.faults = noFault;
    world.step = () => returns('paid');
    await world.delivered(ORDER);
    await world.pass(2 * 60 * 60_000);

    await world.stack.runtime.redriveExecution({ executionArn: recovery });
    await world.settle();
    await world.pass(10 * 60_000);

    expect(world.runs).toHaveLength(1);
    expect(await world.execution(recovery)).toMatchObject({
      status: 'SUCCEEDED',
      output: '{"deliveries":0}',
    });
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

  test('interrupted, redriven by an operator, then declined: the doubt about the first run remains', async () => {
    const owner = await stoppedOwner();
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
  /** An owner, started under the name of its key, is stopped in its step; it is forgotten, and its name is free again. */
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

  test('of the same name, with another amount: rejected, nothing runs', async () => {
    world = await openWorld();
    await forgotten();
    await world.publish({ ...ORDER, amount: 99 });

    expect(await world.executions()).toMatchObject([{ error: 'Idempotency.PayloadMismatch' }]);
    expect(world.runs).toHaveLength(1);
  });

  test('of the same name, at most once: held, nothing runs', async () => {
    world = await openWorld(AT_MOST_ONCE);
    await forgotten();
    await world.publish(ORDER);

    expect(await world.executions()).toMatchObject([{ error: 'Idempotency.InDoubt' }]);
    expect(world.runs).toHaveLength(1);
  });

  test.each(['at-least-once', 'at-most-once'] as const)(
    'whose claim arrived after it had been rejected, %s: goes on with it, nothing had run',
    async delivery => {
      world = await openWorld(delivery === 'at-most-once' ? AT_MOST_ONCE : undefined);
      await world.delivered(ORDER);
      const arrive = keepsBack('Claim record');
      const { faults } = world;
      let isRead = false;
      world.faults = async (call, next) => {
        if (call.stateName === 'Read record' && !isRead) {
          isRead = true;
          // The record that rejected the claim has expired and is deleted; now the claim's first request arrives.
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
