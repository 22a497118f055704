import { Parents } from '../../../proof/explore/search/parents';
import { SeenTexts } from '../../../proof/explore/search/seen';

describe('SeenTexts', () => {
  test('more texts than its first table holds: the same number each time', () => {
    const seen = new SeenTexts();
    const texts = Array.from({ length: 100_000 }, (_, index) => `${index}|${index % 7}`);
    const numbers = [...texts.keys()];

    expect(texts.map(text => seen.numberOf(text))).toEqual(numbers);
    expect(texts.map(text => seen.numberOf(text))).toEqual(numbers);
    expect(seen.size).toBe(100_000);
  });
});

describe('Parents', () => {
  test('more states than its first table holds: the path to the last', () => {
    const parents = new Parents();
    for (let state = 0; state < 100_000; state += 1) parents.add(state, `step${state % 3}`);

    const path = parents.pathTo(100_000);

    expect(path).toHaveLength(100_000);
    expect(path.slice(0, 4)).toEqual(['step0', 'step1', 'step2', 'step0']);
  });
});
