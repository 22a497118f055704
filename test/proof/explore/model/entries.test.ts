import { entryCalled, entryOf, movedEntry, nameOfEntry } from '../../../../proof/explore/model/entries';

describe('an entry of an execution', () => {
  test.each([
    [0, 0, '1'],
    [0, 1, '1b'],
    [11, 2, '12c'],
  ])('execution %i, entry %i: called %s', (execution, which, name) => {
    expect(nameOfEntry(entryOf(execution, which))).toBe(name);
    expect(entryCalled(name)).toBe(entryOf(execution, which));
  });

  test('no name of an entry: no entry', () => {
    expect(entryCalled('')).toBeNaN();
  });

  test('its execution is at another place: so is the entry, and it stays the one that it is', () => {
    expect(movedEntry([1, 0], entryOf(0, 1))).toBe(entryOf(1, 1));
    expect(movedEntry([1, 0], entryOf(1, 0))).toBe(entryOf(0, 0));
  });
});
