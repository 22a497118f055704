import type { Interceptor } from '@onceflow/local';
import { Recovery } from '../../infra/index';
import { runs } from '../support/scale';
import { GRACE_MS } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const BUSY = { orderId: 'order-busy', amount: 12.5, currency: 'EUR' };
const DEAD = Array.from({ length: 10 }, (_, number) => ({ ...BUSY, orderId: `order-dead-${number}` }));
const DUPLICATES = runs(200, 1000);
/** How many requests a second each is taken of, without a bucket for a burst: StartExecution, DescribeExecution. */
const PER_SECOND = 15;
const HOUR_MS = 3_600_000;

/** Takes so many requests a second and rejects the others, by the name that throttling has there. */
function limitOf(perSecond: number, clock: World['clock']) {
  let left = perSecond;
  let countedAt = clock.now();
  const answered = new Set<string>();
  const rejected = new Set<string>();
  const interceptor: Interceptor = async ({ executionArn }, next) => {
    const now = clock.now();
    left = Math.min(perSecond, left + ((now - countedAt) / 1000) * perSecond);
    countedAt = now;
    if (left < 1) {
      rejected.add(executionArn);
      return fails('Sfn.SfnException', 'Rate exceeded (Service: Sfn, Status Code: 400)');
    }
    left -= 1;
    answered.add(executionArn);
    return next();
  };
  return { answered, rejected, interceptor };
}

describe('a storm of duplicates of one running key', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
    // Only deliveries start recovery.
    world.deliveries = async () => ({ executionArn: 'lost' });
  });
  afterEach(() => world.close());

  /** Executions that were stopped within their steps, one for each of the ended keys, their grace over. */
  async function deadOwners(): Promise<string[]> {
    world.step = () => world.never();
    const owners = await Promise.all(DEAD.map(world.deliver));
    await world.pass(1000);
    await Promise.all(owners.map(world.stop));
    await world.pass(GRACE_MS);
    world.step = () => returns('done');
    return owners;
  }

  /** The owner of the busy key: its step has run, and the write of its end takes an hour. */
  async function busyOwner(): Promise<string> {
    const others = world.faults;
    const owner = await world.deliver(BUSY);
    world.faults = async (call, next) => {
      if (call.executionArn === owner && call.stateName === 'Record the result') await world.pause(HOUR_MS);
      return others(call, next);
    };
    await world.stack.runtime.work.idle();
    expect(await world.execution(owner)).toMatchObject({ status: 'RUNNING' });
    return owner;
  }

  /** Delivers the busy key many times within one second, and in its middle each of the ended keys once. */
  async function storm(): Promise<string[]> {
    const duplicates: string[] = [];
    const inATenth = DUPLICATES / 10;
    for (let tenth = 0; tenth < 10; tenth += 1) {
      duplicates.push(...(await Promise.all(Array.from({ length: inATenth }, () => world.deliver(BUSY)))));
      if (tenth === 5) await Promise.all(DEAD.map(world.deliver));
      await world.pass(100);
    }
    return duplicates;
  }

  test.each([
    { when: "within its step's time", afterMs: 1000, callers: DEAD.length },
    {
      when: "after its step's time, its owner running",
      afterMs: GRACE_MS,
      callers: DUPLICATES + DEAD.length,
    },
  ])(
    '$when: all of them in progress, and every ended owner is resumed',
    async ({ afterMs, callers }) => {
      const dead = await deadOwners();
      const calling = limitOf(PER_SECOND, world.clock);
      const asking = limitOf(PER_SECOND, world.clock);
      world.faults = (call, next) => {
        if (call.stateName === 'Call recovery') return calling.interceptor(call, next);
        return call.stateName === 'Ask about the owner' ? asking.interceptor(call, next) : next();
      };
      const owner = await busyOwner();
      await world.pass(afterMs);
      const duplicates = await storm();
      await world.settle();

      const ends = await Promise.all(duplicates.map(world.execution));
      expect(new Set(ends.map(({ status, error }) => `${status} ${error}`))).toEqual(
        new Set(['FAILED Idempotency.InProgress']),
      );
      for (const arn of dead) {
        expect(await world.execution(arn)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
      }
      expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', output: '"done"' });
      expect(world.runs).toHaveLength(1 + 2 * DEAD.length);
      expect(calling.answered.size).toBe(callers);
      // However many deliveries call the recovery of an owner, one runs in a quarter of an hour.
      const ofTheBusy = asking.answered.size - DEAD.length;
      if (callers > DEAD.length) {
        expect(calling.rejected.size).toBeGreaterThan(DUPLICATES / 2);
        expect([1, 2]).toContain(ofTheBusy);
      } else {
        expect([calling.rejected.size, ofTheBusy]).toEqual([0, 0]);
      }
    },
    120_000,
  );
});
