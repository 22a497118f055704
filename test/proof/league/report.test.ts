import { failuresWith, per10000, problemsOf, reportOf } from '../../../proof/league/report';
import { cellOf, contenderOf, smallReport } from './reports';

/** A league of two kinds with these cells, of one contender each. */
function leagueOf(...cells: readonly ReturnType<typeof cellOf>[]) {
  const contenders = cells.map(({ contender }) => contenderOf(contender));
  return reportOf(
    contenders,
    cells.map(cell => ({ cells: [cell], found: [] })),
    { seeds: 1, notRun: [] },
  );
}

describe('what is wrong with a league', () => {
  test('onceflow keeps what it promises, no protection doubles: nothing', () => {
    expect(problemsOf(smallReport())).toEqual([]);
  });

  test.each(['doubledAtProvider', 'lost', 'overdue', 'wrongAnswers', 'letThrough'] as const)(
    'onceflow in any way of starting it, with one of %s: named with its kind',
    failure => {
      const report = leagueOf(cellOf('onceflow-queue', 'outage', { [failure]: 1 }));

      expect(problemsOf(report)).toEqual([
        expect.stringMatching(/^onceflow-queue has 1 of ".+" in "outage"$/),
      ]);
    },
  );

  test('a step that was cut off, at a provider that forgets: is not promised', () => {
    expect(problemsOf(leagueOf(cellOf('onceflow', 'provider', { doubled: 5 })))).toEqual([]);
  });

  test('without recovery, or of another contender: is not promised', () => {
    const overdue = { overdue: 1 };

    expect(
      problemsOf(
        leagueOf(cellOf('onceflow-unrecovered', 'killed', overdue), cellOf('lock-ttl', 'killed', overdue)),
      ),
    ).toEqual([]);
  });

  test('no protection, and nothing doubled: the league is blind; give more seeds or kinds', () => {
    expect(problemsOf(leagueOf(cellOf('none', 'late', { letThrough: 9 })))).toEqual([
      'without protection nothing was doubled: the league is blind; give more seeds or kinds',
    ]);
  });

  test.each(['calm', 'poison'])(
    'no protection, and nothing doubled where nothing can be, in %s: nothing',
    kind => {
      expect(problemsOf(leagueOf(cellOf('none', kind, {})))).toEqual([]);
    },
  );
});

describe('a figure', () => {
  test('for 10,000 deliveries: rounded, and what has happened at all is never 0', () => {
    expect([per10000(1, 3), per10000(0, 3), per10000(1, 1_000_000), per10000(0, 0)]).toEqual([3333, 0, 1, 0]);
  });

  test('all failures together: what is doubled is counted once, for one provider or the other', () => {
    const counts = {
      doubled: 5,
      doubledAtProvider: 2,
      lost: 10,
      overdue: 20,
      wrongAnswers: 30,
      letThrough: 40,
    };

    expect([failuresWith('forgetful', counts), failuresWith('keyed', counts)]).toEqual([105, 102]);
  });

  test('the price: what the guard takes, without the step that everyone runs', () => {
    const report = leagueOf(
      cellOf('none', 'calm', {}, { invocations: 100, stepRuns: 100 }),
      cellOf('lock', 'calm', {}, { invocations: 100, stepRuns: 100, writes: 200 }),
    );

    // 200 writes of 100 deliveries: two write units of 0.625 dollars a million each, and their time in the function.
    expect(report.standings.map(({ price }) => [price.writes, price.dollars])).toEqual([
      [0, 0],
      [20_000, expect.closeTo(0.02, 1)],
    ]);
    expect(report.standings[1]?.price.dollars).toBeGreaterThan(0.0125 - 0.005);
  });
});
