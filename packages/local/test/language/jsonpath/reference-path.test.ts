import fc from 'fast-check';
import type { Json } from '../../../json/json';
import { parsePath, select } from '../../../language/jsonpath/path';
import { insert, parseReferencePath, valueAt } from '../../../language/jsonpath/reference-path';

/** The document with a value in it, or the cause of the failure. */
function placed(text: string, document: Json, value: Json): Json {
  const parsed = parseReferencePath(text);
  if (parsed.kind === 'invalid') return `invalid: ${parsed.reason}`;
  const result = insert(parsed.referencePath, document, value);
  return result.kind === 'value' ? result.value : `${result.error}: ${result.cause}`;
}

describe('a value placed in a document', () => {
  test.each<[string, Json, Json]>([
    ['$', { a: 1 }, 'new'],
    ['$.a', { a: 1, b: 2 }, { a: 'new', b: 2 }],
    ['$.c', { a: 1 }, { a: 1, c: 'new' }],
    ['$.a.b.c', {}, { a: { b: { c: 'new' } } }],
    ["$['odd name'].x", { 'odd name': { y: 1 } }, { 'odd name': { y: 1, x: 'new' } }],
    ['$.list[1]', { list: [1, 2, 3] }, { list: [1, 'new', 3] }],
    ['$.list[0].a', { list: [{}] }, { list: [{ a: 'new' }] }],
    ['$[0]', [1], ['new']],
  ])('%s of %j', (path, document, expected) => {
    const before = JSON.stringify(document);
    expect(placed(path, document, 'new')).toEqual(expected);
    expect(JSON.stringify(document)).toBe(before);
  });

  test('null instead of a path: the document as it was', () => {
    expect(insert(null, { a: 1 }, 'new')).toEqual({ kind: 'value', value: { a: 1 } });
  });

  test('a member called __proto__: a member like any other', () => {
    expect(JSON.stringify(placed('$.__proto__.a', {}, 1))).toBe('{"__proto__":{"a":1}}');
  });

  test.each<[string, Json, string]>([
    ['$.a', 'text', 'Unable to apply step "a" to input "text"'],
    ['$.a.b', { a: [1] }, 'Unable to apply step "b" to input {"a":[1]}'],
    ['$.a.b', { a: null }, 'Unable to apply step "b" to input {"a":null}'],
    ['$.list[2]', { list: [1, 2] }, 'Unable to apply step "2" to input {"list":[1,2]}'],
    ['$.list[0]', {}, 'Unable to apply step "0" to input {}'],
  ])('%s of %j: no place for it', (path, document, cause) =>
    expect(placed(path, document, 1)).toBe(`States.ReferencePathConflict: ${cause}`),
  );

  test('any names and values: selecting gives back what was placed, and all else stays', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
    const document = fc.dictionary(name, fc.dictionary(name, fc.dictionary(name, fc.integer())));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), document, json, (names, before, value) => {
        const text = `$.${names.join('.')}`;
        const after = placed(text, before, value);
        const parsed = parsePath(text);
        if (parsed.kind === 'invalid') throw new Error(parsed.reason);
        const roots = { input: after, context: {}, variables: {} };
        expect(select(parsed.path, roots)).toEqual({ kind: 'value', value });
        const [top = ''] = names;
        const others = (all: object) => Object.entries(all).filter(([key]) => key !== top);
        expect(others(after as object)).toEqual(others(before));
      }),
      { numRuns: 100 },
    );
  });
});

describe('a path that is not a reference path', () => {
  test.each([
    ['$.a[*]', 'a reference path consists of names and indices only'],
    ['$..a', 'a reference path consists of names and indices only'],
    ['$.a[0:1]', 'a reference path consists of names and indices only'],
    ['$.a[-1]', 'a reference path consists of names and indices only'],
    ["$['a','b']", 'a reference path consists of names and indices only'],
    ['$.a.length()', 'a reference path consists of names and indices only'],
    ['$$.a', "a reference path begins with '$.'"],
    ['$name.a', "a reference path begins with '$.'"],
    ['a', "expected '$', found 'a' at position 1"],
  ])('%s: rejected', (text, reason) => expect(placed(text, {}, 1)).toBe(`invalid: ${reason}`));
});

describe('the place a path stands for', () => {
  const at = (text: string, input: Json) => {
    const parsed = parsePath(text);
    if (parsed.kind === 'invalid') throw new Error(parsed.reason);
    const result = valueAt(parsed.path, { input, context: { Map: {} }, variables: { rows: [7] } });
    return result.kind === 'value' ? result.value : `${result.error}: ${result.cause}`;
  };

  test.each<[string, Json]>([
    ['$.a.b', [1]],
    ['$rows', [7]],
    ['$rows[0]', 7],
  ])('%s: its value', (text, value) => expect(at(text, { a: { b: [1] } })).toEqual(value));

  test.each([
    ['$.a.c', 'States.ReferencePathConflict: Unable to apply step "c" to input {"a":{"b":1}}'],
    ['$.x.y', 'States.ReferencePathConflict: Unable to apply step "x" to input {"a":{"b":1}}'],
    ['$.a.b[0]', 'States.ReferencePathConflict: Unable to apply step "0" to input {"a":{"b":1}}'],
    ['$$.Map.Item', 'States.ReferencePathConflict: Unable to apply step "Item" to input {"Map":{}}'],
    ['$none.a', 'States.Runtime: The variable $none has no value'],
  ])('%s: a conflict at the first step that leads to nothing', (text, failure) =>
    expect(at(text, { a: { b: 1 } })).toBe(failure),
  );
});
