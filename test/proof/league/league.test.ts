import type { Contender } from '../../../proof/league/contenders/contender';
import { ONCEFLOW } from '../../../proof/league/contenders/onceflow';
import { INSERT_FIRST, LOCK_TTL, NONE } from '../../../proof/league/contenders/plain';
import type { Failure } from '../../../proof/league/judge';
import { FAULT_KINDS } from '../../../proof/league/kinds';
import { type Cell, type Score, scoreOf } from '../../../proof/league/league';
import { PROMISED, problemsOf, type Report, reportOf } from '../../../proof/league/report';
import { type Schedule, scheduleOf, textOf } from '../../../proof/league/schedule';
import { replay, shortest } from '../../../proof/league/shorten';
import { runs } from '../../support/scale';

const SEEDS = runs(2, 3);
const BY_BUS = ONCEFLOW.filter(({ id }) => id === 'onceflow');
const CONTENDERS: readonly Contender[] = [NONE, LOCK_TTL, ...BY_BUS];

/** Plays the selected schedules to each of them, one after the other: the time of day is one for a whole process. */
async function scoresOf(contenders: readonly Contender[], kinds?: readonly string[]): Promise<Score[]> {
  const scores: Score[] = [];
  for (const contender of contenders)
    scores.push(await scoreOf(contender, { seeds: SEEDS, kinds }, () => undefined));
  return scores;
}

function scheduleIn(text: string): Schedule {
  const read = scheduleOf(text);
  if (typeof read === 'string') throw new Error(read);
  return read;
}

describe('a small league: no protection, a lock table and onceflow, in every kind of fault', () => {
  let report: Report;
  beforeAll(async () => {
    report = reportOf(CONTENDERS, await scoresOf(CONTENDERS), { seeds: SEEDS, notRun: [] });
  }, 120_000);

  const cellsOf = (contender: string): readonly Cell[] =>
    report.cells.filter(cell => cell.contender === contender);
  const kindsWith = (failure: Failure, contender: string) =>
    cellsOf(contender).flatMap(cell => (cell[failure] > 0 ? [cell.kind] : []));

  test('onceflow: in no kind anything of what it promises not to happen', () => {
    const own = cellsOf('onceflow');

    expect(own.map(({ kind }) => kind)).toEqual(FAULT_KINDS.map(({ id }) => id));
    expect(own.filter(cell => PROMISED.some(failure => cell[failure] > 0))).toEqual([]);
    expect(problemsOf(report)).toEqual([]);
  });

  test('onceflow, by a provider that forgets: a step that was cut off is doubled, and stands in the table', () => {
    expect(kindsWith('doubled', 'onceflow')).toContain('provider');
    expect(kindsWith('doubled', 'onceflow')).not.toEqual(expect.arrayContaining(['at-once', 'late', 'calm']));
  });

  test('no protection: its known failures are there', () => {
    expect(kindsWith('doubled', 'none')).toEqual(
      expect.arrayContaining(['provider', 'killed-after', 'at-once', 'late']),
    );
    expect(kindsWith('doubledAtProvider', 'none')).toContain('late');
    expect(kindsWith('letThrough', 'none')).toEqual(['payload']);
  });

  test('a lock whose lease is its time to live: overdue where it was killed, because DynamoDB does not delete it in time', () => {
    expect(kindsWith('overdue', 'lock-ttl')).toEqual(expect.arrayContaining(['killed-before']));
    expect(kindsWith('doubled', 'lock-ttl')).not.toContain('at-once');
  });

  test('nothing goes wrong where nothing goes wrong', () => {
    const calm = report.cells.filter(({ kind }) => kind === 'calm');

    expect(calm.map(({ deliveries, bill: _, kind: __, contender: ___, ...counts }) => counts)).toEqual(
      CONTENDERS.map(() => ({
        ...{
          doubled: 0,
          doubledAtProvider: 0,
          lost: 0,
          overdue: 0,
          wrongAnswers: 0,
          letThrough: 0,
          reported: 0,
        },
      })),
    );
  });

  test('the same seeds again: the same cells and the same shortest schedules', async () => {
    const kinds = ['provider', 'throttled', 'frozen', 'clocks'];

    expect(await scoresOf(CONTENDERS, kinds)).toEqual(await scoresOf(CONTENDERS, kinds));
    expect(await scoresOf([NONE])).toEqual([
      {
        cells: cellsOf('none'),
        found: report.found.filter(({ contender }) => contender === 'none'),
      },
    ]);
  }, 60_000);

  test('each shortest schedule: replays to its failure, step by step as reported', async () => {
    expect(report.found.map(({ contender, failure }) => `${contender} ${failure}`)).toEqual(
      expect.arrayContaining([
        'none doubled',
        'none doubledAtProvider',
        'none letThrough',
        'lock-ttl overdue',
      ]),
    );
    for (const { contender: id, failure, schedule, steps } of report.found) {
      const [contender = NONE] = CONTENDERS.filter(one => one.id === id);
      const replayed = await replay(contender, scheduleIn(schedule));

      expect([id, failure, replayed.outcome[failure] > 0]).toEqual([id, failure, true]);
      expect(replayed.steps).toEqual(steps);
    }
  }, 60_000);
});

describe('a schedule with a failure, made shorter', () => {
  test('one that does no failure: none', async () => {
    expect(await shortest(NONE, scheduleIn('at=0'), 'doubled')).toBeUndefined();
  });

  test.each([
    ['none', 'doubled', NONE, 'at=0/fault=effect:killedAfter'],
    ['insert-first', 'lost', INSERT_FIRST, 'at=0/failures=1'],
  ] as const)(
    '%s, %s: what the failure does not need is left out, and it is still there',
    async (...given) => {
      const [, failure, contender, least] = given;
      const faults = 'fault=effect:killedAfter,9:rejected/outage=50000,60000/failures=1';
      const long = scheduleIn(`at=0,20000/${faults}/deleted-after=7200/clocks=0,60/beside=2`);

      const shorter = await shortest(contender, long, failure);

      expect(shorter && textOf(shorter.schedule)).toBe(least);
      const replayed = await replay(contender, scheduleIn(least));
      expect(replayed.outcome[failure]).toBeGreaterThan(0);
      expect(replayed.steps).toEqual(shorter?.steps);
    },
  );
});
