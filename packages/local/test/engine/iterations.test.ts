import { type Child, type Iterations, rootThread } from '../../engine/execution';
import {
  countOf,
  hasLive,
  iterationAt,
  liveIterations,
  outputsOf,
  withIteration,
} from '../../engine/iterations';
import { dataOf } from '../../language/asl/data';

const live: Child = { kind: 'live', thread: rootThread(dataOf('in')) };
const done = (output: number): Child => ({ kind: 'done', output: dataOf(output) });

/** So many, of which those at the given indices have not ended. */
function iterations(count: number, ...running: readonly number[]): Iterations {
  let made: Iterations = [];
  for (let index = 0; index < count; index += 1) {
    made = withIteration(made, index, running.includes(index) ? live : done(index));
  }
  return made;
}

describe('the iterations of a Map', () => {
  test.each([0, 1, 255, 256, 257, 1000])('%d of them: counted, found and in order', count => {
    const made = iterations(count);

    expect(countOf(made)).toBe(count);
    expect(outputsOf(made).map(({ value }) => value)).toEqual(Array.from({ length: count }, (_, n) => n));
    expect(iterationAt(made, count)).toBeUndefined();
    expect(hasLive(made)).toBe(false);
  });

  test('one that ends: the others as they were, and what they were made of has not changed', () => {
    const before = iterations(600, 0, 255, 256, 599);
    const after = withIteration(before, 256, done(256));

    expect(liveIterations(after).map(({ index }) => index)).toEqual([0, 255, 599]);
    expect(liveIterations(before).map(({ index }) => index)).toEqual([0, 255, 256, 599]);
    expect(iterationAt(after, 256)).toEqual(done(256));
  });

  test('one of many: only its chunk is copied, and chunks in which all have ended are not looked into', () => {
    const before = iterations(2_560, 1_000);
    const after = withIteration(before, 1_000, live);
    expect(after.filter((chunk, index) => chunk !== before[index])).toHaveLength(1);

    const looked: number[] = [];
    const watched = before.map(({ children, live: count }, number) => ({
      live: count,
      get children() {
        looked.push(number);
        return children;
      },
    }));
    expect(liveIterations(watched)).toHaveLength(1);
    expect(hasLive(watched)).toBe(true);
    expect(new Set(looked)).toEqual(new Set([3]));
  });
});
