import { Versions } from '../../../page/history/versions';

describe('versions of a value', () => {
  const versions = new Versions(2, 'a');
  versions.set(5, 'b');
  versions.set(5, 'c');
  versions.set(9, 'd');

  test.each([
    [0, undefined],
    [1, undefined],
    [2, 'a'],
    [4, 'a'],
    [5, 'c'],
    [8, 'c'],
    [9, 'd'],
    [100, 'd'],
  ])('at %d: %s', (point, value) => {
    expect(versions.at(point)).toBe(value);
  });

  test('the last one', () => {
    expect(versions.last).toBe('d');
  });
});
