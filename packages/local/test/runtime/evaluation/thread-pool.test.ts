import { EvaluationThreads } from '../../../runtime/evaluation/thread-pool';

const NOW = Date.UTC(2026, 0, 1);
const HOPELESS = `$match('${'a'.repeat(40)}!', /^(a+)+$/)`;

const jobOf = (source: string) => ({ source, states: {}, variables: {}, now: NOW, seed: 'seed' });
const problemOf = (problem: string) => ({
  kind: 'failed',
  problem: `threw an error during evaluation: ${problem}`,
});
const TIMEOUT = problemOf('Expression evaluation timeout: Check for infinite loop');

let threads: EvaluationThreads;

beforeEach(() => {
  threads = new EvaluationThreads();
});

afterEach(() => threads.close());

describe('an evaluation', () => {
  test.each([
    ['a value', '[1..3].($ * 2)', { kind: 'value', value: [2, 4, 6] }],
    ['time', '$now()', { kind: 'value', value: '2026-01-01T00:00:00.000Z' }],
    ['nothing', '$nobody', { kind: 'failed', problem: 'returned nothing (undefined).' }],
    [
      'an error',
      '"a" + 1',
      {
        kind: 'failed',
        problem:
          'threw an error during evaluation. T2001: The left side of the "+" operator must evaluate to a number',
      },
    ],
    ['a regular expression that never ends', HOPELESS, TIMEOUT],
    ['a function that never ends', '($f := function($x){ $f($x + 1) }; $f(0))', TIMEOUT],
  ])('%s: the same with waiting and without', async (_, source, result) => {
    expect(await threads.evaluate(jobOf(source), {})).toEqual(result);
    expect(threads.evaluateAndWait(jobOf(source))).toEqual(result);
  });

  test('more than a thread has memory for: fails, and the next one is evaluated', async () => {
    const source =
      '$map([1..800000], function($i){ $map([1..100], function($j){ {"i": $i, "j": $j} }) }) ~> $count()';

    const result = await threads.evaluate(jobOf(source), {});

    expect(result.kind).toBe('failed');
    expect(await threads.evaluate(jobOf('1'), {})).toEqual({ kind: 'value', value: 1 });
  });

  test('late on a machine that had no time for it: evaluated again, and late like any other then', async () => {
    // The processors have worked for none of the first second, as far as the pool can measure.
    const readings: number[] = [];
    const usedMs = () => (readings.push(performance.now()) > 2 ? performance.now() : 0);
    const starved = new EvaluationThreads(usedMs);
    // What it finds is a thread that another runtime has left.
    const other = new EvaluationThreads();
    other.evaluateAndWait(jobOf('1'));
    other.close();

    expect(starved.evaluateAndWait(jobOf(HOPELESS))).toEqual(TIMEOUT);
    expect(readings.splice(0)).toHaveLength(4);
    expect(await starved.evaluate(jobOf(HOPELESS), {})).toEqual(TIMEOUT);
    expect(readings).toHaveLength(4);
    starved.close();
  });

  test('those that wait: who has used the least time comes first', async () => {
    const owner = {};
    const order: string[] = [];
    const hopeless = Array.from({ length: 12 }, () =>
      threads.evaluate(jobOf(HOPELESS), owner).then(() => order.push('hopeless')),
    );
    await Promise.race(hopeless);

    await threads.evaluate(jobOf('$match("a", /a+/)'), {}).then(() => order.push('other'));

    // Those that were being evaluated already, and none of those that waited.
    expect(order.indexOf('other')).toBeLessThan(9);
  }, 60_000);

  test('closed: what is being evaluated fails at once, and no thread is left', async () => {
    const result = threads.evaluate(jobOf(HOPELESS), {});
    await threads.evaluate(jobOf('1'), {});

    threads.close();

    expect(await result).toEqual(TIMEOUT);
  });

  test('closed: what waits for its turn fails by name', async () => {
    const results = Array.from({ length: 6 }, () => threads.evaluate(jobOf(HOPELESS), {}));

    threads.close();

    expect((await Promise.all(results)).at(-1)).toEqual({
      kind: 'failed',
      problem: 'was not evaluated: the local runtime was closed before its turn came',
    });
  });

  test.each([
    ['1', { kind: 'value', value: 1 }],
    [HOPELESS, TIMEOUT],
  ])('closed after %s was waited for: others go on, one after the other', (source, result) => {
    expect(threads.evaluateAndWait(jobOf(source))).toEqual(result);
    threads.close();

    for (const value of [2, 3]) {
      const next = new EvaluationThreads();
      expect(next.evaluateAndWait(jobOf(`${value}`))).toEqual({ kind: 'value', value });
      next.close();
    }
    expect(threads.evaluateAndWait(jobOf('4'))).toEqual({ kind: 'value', value: 4 });
  });
});
