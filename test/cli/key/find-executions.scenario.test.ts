import { executionNameIn } from '../../../cli/arns';
import { findExecutions } from '../../../cli/key/find-executions';
import { readRecord } from '../../../cli/key/read-record';
import { timelineOf } from '../../../cli/timeline/timeline';
import { noFault } from '../../support/faults';
import { randomFrom } from '../../support/random';
import { runs } from '../../support/scale';
import { fails, returns } from '../../support/world';
import { type CliWorld, ORDER, openCliWorld } from '../world';

const KEYS = ['order-1', 'order-2', 'order-3'];

/** Three orders, delivered again and again: steps that fail or take long, lost answers, stops, changed amounts. */
async function chaos({ world }: CliWorld, random: () => number): Promise<void> {
  const chance = (probability: number) => random() < probability;
  world.step = async () => {
    await world.pause(Math.floor(random() * 8000));
    return chance(0.4) ? fails(chance(0.5) ? 'CardDeclined' : 'Lambda.SdkClientException') : returns('paid');
  };
  world.faults = async (call, next) => {
    if (call.stateName === 'Business step' || !chance(0.1)) return next();
    await next();
    return fails('DynamoDB.SdkClientException', 'lost');
  };
  for (let i = 0; i < 20; i += 1) {
    const orderId = KEYS[Math.floor(random() * KEYS.length)] ?? '';
    const arn = await world.deliver({ ...ORDER, orderId, amount: chance(0.1) ? 99 : ORDER.amount });
    await world.pass(Math.floor(random() * 20_000));
    const { status } = await world.execution(arn);
    if (status === 'RUNNING' && chance(0.5)) await world.stop(arn);
  }
  world.faults = noFault;
  await world.pass(3_600_000);
}

describe.each([1, 2, 3].slice(0, runs(1, 3)))('the timelines of a chaos run, seed %i', seed => {
  test('every execution of a key is found, and every run of its step is in them, no more', async () => {
    const c = await openCliWorld();
    try {
      await chaos(c, randomFrom(seed));
      const everything = await c.world.executions();
      for (const key of KEYS) {
        const recordKey = `ChargePayment#${key}`;
        const record = await readRecord(c.context, recordKey);
        const named = { text: key, recordKey, owner: record?.owner };
        const found = await findExecutions(c.context, named, { since: 0, openedMax: 100 });
        expect(found.searched).toMatchObject({ unopened: 0, undecided: 0 });
        const executions = found.executions.map(({ executionArn, description, history }) => ({
          executionArn,
          name: executionNameIn(executionArn),
          status: description.status ?? '',
          timeline: timelineOf(history, { executionArn, stepMs: 0 }),
        }));

        const ofKey = everything.filter(({ input }) => JSON.parse(input ?? '').detail.orderId === key);
        expect(executions.map(({ name }) => name).sort()).toEqual(ofKey.map(({ name }) => name).sort());
        const all = executions.flatMap(({ timeline }) => timeline);
        const runs = c.world.runs.filter(({ idempotencyKey }) => idempotencyKey === recordKey);
        expect(all.filter(({ kind }) => kind === 'ran')).toHaveLength(runs.length);
        // Each goes to its end, in the order of time.
        for (const { timeline, status } of executions) {
          const times = timeline.map(({ at }) => at.getTime());
          expect(times).toEqual([...times].sort((one, other) => one - other));
          if (status !== 'RUNNING') expect(ENDS[status]).toBe(timeline.at(-1)?.kind);
        }
        const owner = executions.find(({ executionArn }) => executionArn === record?.owner);
        expect(owner?.timeline.some(({ kind }) => kind === 'claimed' || kind === 'tookOver')).toBe(true);
      }
    } finally {
      await c.close();
    }
  });
});

const ENDS: Readonly<Record<string, string>> = {
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  ABORTED: 'aborted',
};
