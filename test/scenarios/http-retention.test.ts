import { Duration } from 'aws-cdk-lib';
import { OnInProgress } from '../../infra/index';
import { type HttpWorld, keyed, openHttp, told } from '../support/http';
import { fails, returns } from '../support/world';

const DAY = 24 * 3_600_000;
const STEP_MS = 5000;

let world: HttpWorld;
afterEach(() => world.close());

describe('a request whose record expires while the name of its execution is taken', () => {
  beforeEach(async () => {
    world = await openHttp('short retention', {}, { retention: Duration.days(30) });
  });

  test('again after the retention: a new run, answered at once', async () => {
    await world.answered(keyed('k1'));
    await world.pass(31 * DAY);

    const again = await world.answered(keyed('k1'));

    expect(again).toMatchObject({ status: 200, headers: {}, body: '{"charge":2}' });
    expect(again.tookMs).toBeLessThan(5000);
    expect(world.runs).toHaveLength(2);
  });

  test('within the retention: the first result, and no run', async () => {
    await world.answered(keyed('k1'));
    await world.pass(29 * DAY);

    expect(await world.answered(keyed('k1'))).toMatchObject({ status: 200, body: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });
});

describe('requests whose step fails, and has failed before', () => {
  const NEWS = ' or $toMillis($record.claimedAt.S) >= $started.at';

  /** Two requests at once, behind one whose step has failed: their answers. */
  async function twoAtOnce(mutants: Parameters<typeof openHttp>[4] = []) {
    const waits = { onDuplicateInProgress: OnInProgress.wait(Duration.seconds(20)) };
    world = await openHttp('news', { errors: { CardDeclined: 402 } }, waits, undefined, mutants);
    world.step = async () => {
      await world.pause(STEP_MS);
      return fails('CardDeclined');
    };
    await world.answered(keyed('k1'));
    const both = [world.request(keyed('k1')), world.request(keyed('k1'))];
    for (const one of both) one.catch(() => undefined);
    await world.settle();
    return Promise.all(both);
  }

  test('two at once: both get the failure of the one that was first', async () => {
    const answers = await twoAtOnce();

    expect(answers.map(({ status }) => status)).toEqual([402, 402]);
    for (const { tookMs } of answers) {
      expect(tookMs).toBeGreaterThanOrEqual(STEP_MS);
      expect(tookMs).toBeLessThan(2 * STEP_MS);
    }
  });

  test('without the rule that the failure of another is news: one waits for its own', async () => {
    const answers = await twoAtOnce([{ from: NEWS, to: '' }]);

    expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeGreaterThanOrEqual(2 * STEP_MS);
  });

  test('another attempt succeeds: its result, and not the failure of before', async () => {
    world = await openHttp('news', { errors: { CardDeclined: 402 } });
    world.step = () => fails('CardDeclined');
    await world.answered(keyed('k1'));
    world.step = async () => {
      await world.pause(STEP_MS);
      return returns({ charge: 2 });
    };

    expect(told(await world.answered(keyed('k1')))).toBe('200');
  });
});
