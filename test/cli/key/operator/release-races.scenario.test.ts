import type { Time } from '../../../../client/time';
import { Recovery } from '../../../../infra/index';
import { noFault } from '../../../support/faults';
import { randomFrom } from '../../../support/random';
import { runs } from '../../../support/scale';
import { fails, returns } from '../../../support/world';
import { type CliWorld, ORDER, openCliWorld, RECORD_KEY } from '../../world';

/** The longest a run of the step works, also without an execution that waits for it: the timeout of its function. */
const STEP_MAX_MS = 10_000;

/** What the step has seen. */
interface Seen {
  atOnceMax: number;
  readonly attempts: number[];
  readonly said: string[];
  readonly releases: Promise<void>[];
}

/**
 * One order, delivered again and again, its executions stopped now and then, and released by several operators at any
 * moment: before, after and between the calls of executions that run, and of recovery.
 */
async function race(c: CliWorld, random: () => number): Promise<Seen> {
  const { world } = c;
  const seen: Seen = { atOnceMax: 0, attempts: [], said: [], releases: [] };
  const chance = (probability: number) => random() < probability;
  // A hold waits within the call of an execution, as a slow service would.
  (c.aws.time as { sleep: Time['sleep'] }).sleep = ms => world.pause(ms);
  let atOnce = 0;
  world.step = async ({ attempt }) => {
    seen.attempts.push(attempt);
    atOnce += 1;
    seen.atOnceMax = Math.max(seen.atOnceMax, atOnce);
    await world.pause(Math.floor(random() * STEP_MAX_MS));
    atOnce -= 1;
    return fails(chance(0.5) ? 'CardDeclined' : 'Lambda.SdkClientException');
  };
  let underWay = 0;
  // A release takes over from one that was interrupted: who releases again and again never comes to the end.
  const someoneReleases = async () => {
    if (!chance(underWay === 0 ? 0.25 : 0.01)) return;
    const options = { isForced: chance(0.7), isDeleted: chance(0.2) };
    underWay += 1;
    const releases = chance(0.3) ? [c.release(options), c.release()] : [c.release(options)];
    const said = Promise.all(releases);
    const done = said.then(texts => {
      underWay -= 1;
      seen.said.push(...texts);
    });
    // Either the call waits for it, or goes on beside it.
    if (chance(0.3)) await done;
    else seen.releases.push(done);
  };
  world.faults = async (call, next) => {
    if (call.stateName === 'Business step') return next();
    await someoneReleases();
    if (chance(0.2)) await world.pause(Math.floor(random() * 5000));
    const answer = await next();
    await someoneReleases();
    return answer;
  };
  for (let i = 0; i < 40; i += 1) {
    const arn = await world.deliver(ORDER);
    await world.pass(Math.floor(random() * 40_000));
    if ((await world.execution(arn)).status === 'RUNNING' && chance(0.6)) await world.stop(arn);
  }
  world.faults = noFault;
  await world.pass(3_600_000);
  // A request that is still on its way to a service waits only after its answer: time passes until no execution waits.
  let isOver = false;
  const over = Promise.all(seen.releases).then(() => {
    isOver = true;
  });
  while (!isOver) await world.pass(5_000);
  await over;
  (c.aws.time as { sleep: Time['sleep'] }).sleep = ms => world.pass(ms);
  return seen;
}

const RACES = [
  ['at-least-once', 8],
  ['at-most-once', 4],
  ['at-least-once', 2],
  ['at-least-once', 3],
  ['at-most-once', 5],
] as const;

describe.each(RACES.slice(0, runs(2, 5)))('releases at any moment, %s, seed %i', (delivery, seed) => {
  test('never two runs of the step at once, and the key is not stuck', async () => {
    const c = await openCliWorld({
      name: delivery,
      workflow: { delivery, recovery: Recovery.automatic() },
    });
    try {
      const { atOnceMax, attempts, said } = await race(c, randomFrom(seed * 7919));

      expect(atOnceMax).toBe(1);
      expect(attempts.length).toBeGreaterThan(3);
      expect(said.some(text => text.includes('is released'))).toBe(true);
      await c.world.delivered(ORDER);
      await c.world.pass(3_600_000);
      await c.release({ isForced: true });
      c.world.step = () => returns('paid');
      await c.world.delivered(ORDER);
      await c.world.delivered(ORDER);
      expect(await c.world.record(RECORD_KEY)).toMatchObject({ status: { S: 'COMPLETED' } });
    } finally {
      await c.close();
    }
  }, 60_000);
});
