import fc from 'fast-check';
import { axisOf } from '../../../page/views/axis';

describe('the time axis', () => {
  test('any moments: places go up with time, from 0 to 1', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1e13 }), { minLength: 2, maxLength: 40 }), moments => {
        const axis = axisOf(moments);
        const sorted = [...new Set(moments)].sort((one, other) => one - other);
        const places = sorted.map(axis.at);
        for (const [index, place] of places.entries()) {
          expect(place).toBeGreaterThanOrEqual(0);
          expect(place).toBeLessThanOrEqual(1);
          if (index > 0) expect(place).toBeGreaterThan(places[index - 1] ?? 0);
        }
        if (sorted.length > 1) expect([places[0], places.at(-1)]).toEqual([0, 1]);
      }),
    );
  });

  test('milliseconds, then hours: both are seen', () => {
    const axis = axisOf([0, 5, 10, 3 * 3_600_000]);

    expect(axis.at(5)).toBeGreaterThan(0.1);
    expect(axis.at(10)).toBeLessThan(0.7);
    expect(axis.ticks[0]).toEqual({ at: 0, sincePrevious: 0 });
  });

  test('one moment, or none: no division by nothing', () => {
    expect(axisOf([7]).at(7)).toBe(0);
    expect(axisOf([]).at(7)).toBe(0);
  });
});
