import { spawnSync } from 'node:child_process';
import { specified } from '../../../proof/specification/bridge';
import { Checker } from '../../../proof/specification/checker';
import { GUARDS } from '../../../proof/specification/guards';
import { tryWithout } from '../../../proof/specification/run';
import { runs } from '../../support/scale';
import WALKS from '../explore/walks.json';

const isHere = ['spin', 'cc'].every(program => spawnSync(program, ['--version']).error === undefined);
const name = 'the specification, in SPIN';
const suite = isHere ? describe : describe.skip;

/** Minutes on a machine whose cores others use as well. */
const BUILD_MS = 300_000;

suite(isHere ? name : `${name} (skipped: no spin here, or no cc; apt-get install spin gcc)`, () => {
  const checker = new Checker(2000, new AbortController().signal);

  beforeAll(async () => {
    // Each is built when it is first asked.
    await checker.ask('all', { deliveries: 1, faults: 0 });
    await checker.ask('schedule', { deliveries: 1, faults: 0, steps: [['START', 1]] });
  }, BUILD_MS);

  afterAll(() => checker.close());

  test.each([
    ['least', false, 2, 1],
    ['most', true, 1, runs(1, 2)],
  ])('at %s once: it holds in every order', async (_, isAtMostOnce, deliveries, faults) => {
    const answer = await checker.ask('all', { deliveries, faults, isAtMostOnce });
    expect(answer.violation).toBeUndefined();
    expect(answer.isWhole).toBe(true);
    expect(answer.states).toBeGreaterThan(1000);
  });

  const most = runs(2, 4);
  const small = GUARDS.filter(({ budget: [deliveries, faults] }) => deliveries + faults <= most);
  test.each(small.map(guard => [guard.name, guard] as const))('without %s: a violation', async (_, guard) => {
    expect((await tryWithout(checker, guard)).violation).toBeDefined();
  });

  const known = GUARDS.flatMap(guard =>
    guard.counterpart ? [[guard.counterpart.mutation, guard] as const] : [],
  );
  test.each(known)('the schedule of %s: a violation without its guard alone', async (_, guard) => {
    const { schedule = '', continued = '' } = guard.counterpart ?? {};
    const steps = `${schedule} ${continued}`.trim().split(' ');
    const how = guard.isAtMostOnce ? { isAtMostOnce: true } : {};
    expect((await specified(checker, steps, { ...how, without: guard.name })).kind).toBe('violation');
    expect(['holds', 'impossible']).toContain((await specified(checker, steps, how)).kind);
  });

  test('the walks that are kept: they hold here, too, except the one with a dispatcher', async () => {
    const verdicts = [];
    for (const { schedule } of WALKS) verdicts.push((await specified(checker, schedule, {})).kind);
    expect(verdicts).toEqual(['holds', 'left out', 'holds']);
  });
});
