import { hashOfText } from '../../../proof/explore/model/hash';
import { SeenStates } from '../../../proof/explore/search/seen';

const hash = new Uint32Array(4);

function hashOf(text: string): Uint32Array {
  hashOfText(text, hash);
  return hash;
}

describe('SeenStates', () => {
  test('more states than its first index holds: the same number each time', () => {
    const seen = new SeenStates();
    const texts = Array.from({ length: 100_000 }, (_, index) => `${index}|${index % 7}`);
    const numbers = [...texts.keys()];
    seen.reserve(texts.length);

    expect(texts.map(text => seen.add(hashOf(text), 0, 0))).toEqual(numbers);
    seen.reserve(texts.length);
    expect(texts.map(text => ~seen.add(hashOf(text), 0, 0))).toEqual(numbers);
    expect(seen.size).toBe(100_000);
  });

  test('a chain of states: the path to the last', () => {
    const seen = new SeenStates();
    seen.reserve(100_001);
    seen.add(hashOf('first'), 0, 0);
    for (let state = 0; state < 100_000; state += 1) seen.add(hashOf(`${state}`), state, state % 3);

    const path = seen.pathTo(100_000);

    expect(path).toHaveLength(100_000);
    expect(path.slice(0, 4)).toEqual([0, 1, 2, 0]);
  });

  test('more states than room was made for: an error', () => {
    const seen = new SeenStates();

    expect(() => seen.add(hashOf('first'), 0, 0)).toThrow('more states than there was room reserved for');
  });
});

describe('hashOfText', () => {
  test.each([
    ['', 'a'],
    ['a', 'a\0'],
    ['ab', 'ba'],
    ['12', '1 2'],
  ])('%j and %j: two hashes', (one, other) => {
    expect([...hashOf(one)]).not.toEqual([...hashOf(other)]);
  });
});
