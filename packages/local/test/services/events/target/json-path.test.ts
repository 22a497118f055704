import type { Json } from '../../../../json/json';
import { compileJsonPath } from '../../../../services/events/target/json-path';

const DOCUMENT: Json = {
  'detail-type': 'x',
  detail: { items: [{ id: 1 }, { id: 2, sub: null }], 'a/b': true, empty: [] },
};

describe('compileJsonPath', () => {
  const rows: readonly [path: string, found: Json | undefined][] = [
    ['$', DOCUMENT],
    ['$.detail-type', 'x'],
    ['$.detail.a/b', true],
    ['$.detail.items', [{ id: 1 }, { id: 2, sub: null }]],
    ['$.detail.items[1].id', 2],
    ['$.detail.items[1].sub', null],
    ['$.detail.items[2]', undefined],
    ['$.detail.items.id', undefined],
    ['$.detail.toString', undefined],
    ['$.detail.items[*].id', [1, 2]],
    ['$.detail.items[*].sub', [null]],
    ['$.detail.empty[*]', []],
    ['$.detail.items[0].*', [1]],
  ];
  test.each(rows)('%s: %j', (text, found) => {
    expect(compileJsonPath(text)?.(DOCUMENT)).toEqual(found);
  });

  test.each([
    '',
    'detail',
    '$detail',
    '$.',
    '$..id',
    "$['detail']",
    '$.a[',
    '$.a[-1]',
    '$.a[?(@.b)]',
    '$.a b',
  ])('%j: not a path of EventBridge', text => {
    expect(compileJsonPath(text)).toBeUndefined();
  });
});
