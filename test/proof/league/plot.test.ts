import fc from 'fast-check';
import { positionLabels, renderPlot } from '../../../proof/league/plot';
import { runs } from '../../support/scale';

const place = fc.record({
  name: fc.constantFrom('none', 'lock-lease', 'onceflow-at-most-once', 'powertools-best'),
  x: fc.constant(1),
  y: fc.constant(1),
  isMarked: fc.boolean(),
  left: fc.integer({ min: 90, max: 540 }),
  top: fc.integer({ min: 30, max: 340 }),
});

describe('the names in a plot', () => {
  test('up to 12 points anywhere: no name stands on another', () => {
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 12 }), points => {
        const labels = positionLabels(points);

        expect(labels).toHaveLength(points.length);
        const over = labels.filter((one, index) =>
          labels.some(
            (other, at) =>
              at > index &&
              one.x0 < other.x1 &&
              other.x0 < one.x1 &&
              Math.abs(one.middle - other.middle) < 14,
          ),
        );
        expect(over).toEqual([]);
      }),
      { numRuns: runs(100, 300) },
    );
  });

  test('seven points at one place: each has a line of its own', () => {
    const points = Array.from({ length: 7 }, (_, index) => ({
      ...{ name: `onceflow-${index}`, x: 4, y: 0, isMarked: true, left: 300, top: 340 },
    }));

    expect(new Set(positionLabels(points).map(({ x0, middle }) => `${x0} ${middle}`)).size).toBe(7);
  });
});

describe('a plot', () => {
  const axes = { label: 'a plot', xTitle: 'dollars', yTitle: 'failure' };
  const textOf = (points: Parameters<typeof renderPlot>[0]['points']) => renderPlot({ ...axes, points }).text;

  test('a value of 0: at its own tick, before the smallest power of ten', () => {
    const text = textOf([
      { name: 'free', x: 0, y: 0, isMarked: false },
      { name: 'dear', x: 0.3, y: 900, isMarked: true },
    ]);
    const ticks = [...text.matchAll(/text-anchor="middle">([\d.]+)</g)].map(([, tick]) => tick);
    const zero = /<text x="([\d.]+)" y="\d+" text-anchor="middle">0</.exec(text)?.[1];

    expect(ticks).toEqual(['0', '0.1', '0.2', '0.5', '1']);
    expect(text).toContain(`<circle cx="${zero}"`);
  });

  test('nothing but 0: is drawn all the same', () => {
    expect(textOf([{ name: 'none', x: 0, y: 0, isMarked: false }])).toContain('none: 0, 0');
  });
});
