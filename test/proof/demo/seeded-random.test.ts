import { chanceByKey } from '../../../proof/demo/seeded-random';

function row(chance: (key: string) => number, key: string, length: number): number[] {
  return Array.from({ length }, () => chance(key));
}

describe('chance by key', () => {
  test('calls of other keys in between: the same numbers', () => {
    const alone = row(chanceByKey(7), 'order-1', 20);
    const beside = chanceByKey(7);

    const seen = alone.map((_, index) => {
      for (let other = 0; other < index % 3; other += 1) beside(`order-${other + 2}`);
      return beside('order-1');
    });

    expect(seen).toEqual(alone);
  });

  test('another key, another seed: other numbers, all in [0, 1)', () => {
    const rows = [
      row(chanceByKey(7), 'a', 50),
      row(chanceByKey(7), 'b', 50),
      row(chanceByKey(8), 'a', 50),
    ].flat();

    expect(new Set(rows).size).toBe(150);
    expect(Math.min(...rows)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...rows)).toBeLessThan(1);
  });

  test('many keys, a number each: as many below a bound as chance has them', () => {
    const chance = chanceByKey(1);
    const hits = Array.from({ length: 10_000 }, (_, index) => chance(`order-${index}`)).filter(n => n < 0.05);

    // Five standard deviations around 500.
    expect(Math.abs(hits.length - 500)).toBeLessThan(110);
  });
});
