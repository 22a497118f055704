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
  test('more worlds than its first table holds: the way to the last', () => {
    const parents = new Parents();
    for (let world = 0; world < 100_000; world += 1) parents.add(world, `step${world % 3}`);

    const way = parents.wayTo(100_000);

    expect(way).toHaveLength(100_000);
    expect(way.slice(0, 4)).toEqual(['step0', 'step1', 'step2', 'step0']);
  });
});
