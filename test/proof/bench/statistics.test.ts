import { median, medianRatio, rowOf } from '../../../proof/bench/statistics';

describe('the median', () => {
  test.each<[readonly number[], number]>([
    [[3], 3],
    [[9, 1, 5], 5],
    [[10, 9, 2, 1], 2],
  ])('of %j: %d', (numbers, middle) => {
    expect(median(numbers)).toBe(middle);
  });

  test('of none: a fault', () => {
    expect(() => median([])).toThrow();
  });
});

describe('the ratio of two programs', () => {
  const runs = (...seconds: readonly number[]) => seconds.map(each => ({ executions: 1000, seconds: each }));

  test('is the median of the ratios of their runs', () => {
    expect(medianRatio(runs(3, 20, 4), runs(2, 10, 4))).toBe(1.5);
  });

  test('counts the runs that both have', () => {
    expect(medianRatio(runs(3, 5), runs(2))).toBe(1.5);
  });
});

describe('a row', () => {
  test('is the median of its runs, by execution and by event', () => {
    const runs = [0.4, 0.1, 0.2].map(seconds => ({ executions: 1000, seconds, events: 10_000 }));

    expect(rowOf('tasks', 'three', runs)).toEqual({
      bench: 'tasks',
      what: 'three',
      runs: 3,
      executionsPerSecond: 5000,
      microsecondsPerExecution: 200,
      microsecondsPerEvent: 20,
    });
  });

  test('without events: says nothing of them', () => {
    expect(rowOf('tasks', 'three', [{ executions: 10, seconds: 1 }])).not.toHaveProperty(
      'microsecondsPerEvent',
    );
  });
});
