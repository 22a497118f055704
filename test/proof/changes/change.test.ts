import { changed, changesOf } from '../../../proof/changes/change';

/** What a source becomes by each of its changes. */
function becomes(source: string): string[] {
  return changesOf('source.ts', source).map(change => changed(source, change));
}

describe('small changes of a source', () => {
  test.each<[source: string, ...changes: string[]]>([
    ['a === b;', ';', 'a !== b;'],
    ['const due = now >= at;', 'const due = now < at;'],
    ['const late = !isInTime;', 'const late = isInTime;'],
    ['const isOpen = true;', 'const isOpen = false;'],
    ['const wait = 30;', 'const wait = (30 + 1);'],
    ['const list = [a, b];', 'const list = [ b];', 'const list = [a, ];'],
    ['const task = { retry };', 'const task = {  };'],
    ['if (late) return;', ';'],
    ["const rule = '$a = $b and $c';", "const rule = '$a = $b or $c';", "const rule = '$a != $b and $c';"],
  ])('%s', (source, ...changes) => {
    expect(becomes(source).toSorted()).toEqual(changes.toSorted());
  });

  test.each([
    "import { Stack } from 'aws-cdk-lib';",
    'type Attempt = 1 | 2;',
    "const state = f({ Comment: 'One or two.' });",
    "const problem = 'one or two';",
  ])('%s: stays', source => {
    expect(becomes(source)).toEqual([]);
  });
});
