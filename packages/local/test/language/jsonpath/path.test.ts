import fc from 'fast-check';
import type { Json, JsonObject } from '../../../json/json';
import { parsePath, select } from '../../../language/jsonpath/path';

const STORE: JsonObject = {
  shelves: [
    { label: 'a', price: 5, tags: ['new', 'red'], 'on-sale': true },
    { label: 'b', price: 12, tags: [], owner: null },
    { label: 'c', price: 20.5, size: { width: 2 } },
  ],
  limit: 10,
  'odd name': 1,
  empty: {},
  none: null,
};
const CONTEXT = { Execution: { Id: 'execution-1', Input: { a: 1 } } };
const VARIABLES = { shelf: { label: 'v' }, zero: 0 };

/** What a path leads to: the value, or the reason after an exclamation mark. */
function at(text: string, input: Json = STORE): Json {
  const parsed = parsePath(text);
  if (parsed.kind === 'invalid') return `invalid: ${parsed.reason}`;
  const found = select(parsed.path, { input, context: CONTEXT, variables: VARIABLES });
  return found.kind === 'value' ? found.value : `! ${found.reason}`;
}

describe('a definite path', () => {
  test.each<[string, Json]>([
    ['$', STORE],
    ['$.limit', 10],
    ["$['limit']", 10],
    ['$["odd name"]', 1],
    ['$.shelves[0].label', 'a'],
    ['$.shelves[-1].label', 'c'],
    ['$.shelves[0].on-sale', true],
    ['$.shelves[1].owner', null],
    ["$.['limit']", 10],
    ["$.shelves[0]['label','price','missing']", { label: 'a', price: 5 }],
    ['$.shelves.length()', 3],
    ['$.empty.length()', 0],
    ['$$.Execution.Id', 'execution-1'],
    ['$$', CONTEXT],
    ['$shelf.label', 'v'],
    ['$zero', 0],
    ['$$.Execution.Id ', 'execution-1'],
    ['$.limit\t\n', 10],
    ['$shelf.label  ', 'v'],
  ])('%s: one value', (path, value) => expect(at(path)).toEqual(value));

  test.each([
    ['$.other', "No results for path: $['other']"],
    ['$.other.inner', "Missing property in path $['other']"],
    ['$.shelves[9]', "No results for path: $['shelves'][9]"],
    ['$.shelves[9].label', "No results for path: $['shelves'][9]['label']"],
    ['$.limit[0]', 'Filter: [0] can only be applied to arrays. Current context is: 10'],
    ['$.none[0]', "The path $['none'] is null"],
    [
      '$.limit.inner',
      "Expected to find an object with property ['inner'] in path $['limit'] but found 'java.lang.Integer'. " +
        "This is not a json object according to the JsonProvider: 'com.jayway.jsonpath.spi.json.JacksonJsonProvider'.",
    ],
    ['$unset.a', 'The variable $unset has no value'],
    ['$.limit.length()', "No results for path: $['limit'].length()"],
  ])('%s: nothing, with the reason', (path, reason) => expect(at(path)).toBe(`! ${reason}`));

  test('a member that every object inherits: nothing', () =>
    expect(at('$.constructor')).toBe("! No results for path: $['constructor']"));
});

describe('a path that may lead to many values', () => {
  test.each<[string, Json]>([
    ['$.shelves[*].label', ['a', 'b', 'c']],
    ['$.shelves.*.label', ['a', 'b', 'c']],
    ['$.shelves[0,2].label', ['a', 'c']],
    ['$.shelves[0,9].label', ['a']],
    ['$.shelves[1:].label', ['b', 'c']],
    ['$.shelves[:1].label', ['a']],
    ['$.shelves[:-1].label', ['a', 'b']],
    ['$.shelves[-2:].label', ['b', 'c']],
    ['$.shelves[1:2].label', ['b']],
    ['$.shelves[2:1].label', []],
    ['$..width', [2]],
    ['$..label', ['a', 'b', 'c']],
    ['$..tags[0]', ['new']],
    ["$.shelves[*]['label','price'].x", []],
    [
      "$.shelves[*]['label','price']",
      [
        { label: 'a', price: 5 },
        { label: 'b', price: 12 },
        { label: 'c', price: 20.5 },
      ],
    ],
    ['$.shelves[*].price.sum()', 37.5],
    ['$..price.max()', 20.5],
    ['$..price.min()', 5],
    ['$.shelves[*].price.avg()', 12.5],
    ['$.shelves[*].tags.length()', 2],
    ['$.limit[*]', []],
    ['$.limit[0:1]', []],
  ])('%s: the list of them', (path, value) => expect(at(path)).toEqual(value));

  test.each(['$.a.b[1:3]', '$.a[*]', '$.a[:2].b', '$..a', "$.a[?(@.b == 'c')]"])(
    '%s of an empty object: an empty list',
    path => expect(at(path, {})).toEqual([]),
  );

  test('a search that visits too much: given up', () => {
    const wide = Array.from({ length: 1200 }, () => Array.from({ length: 1200 }, () => 0));
    expect(at('$[*][*]', wide)).toBe('! The path $[*][*] leads to too many values');
    expect(at('$..*..*..*', nested(400))).toBe('! The path $..[*]..[*]..[*] leads to too many values');
  });
});

function nested(depth: number): Json {
  let value: Json = 0;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

describe('a filter', () => {
  test.each<[string, Json]>([
    ['$.shelves[?(@.price > 10)].label', ['b', 'c']],
    ['$.shelves[?(@.price >= 12 && @.price < 20)].label', ['b']],
    ['$.shelves[?(@.price == 5 || @.label == "c")].label', ['a', 'c']],
    ['$.shelves[?(!(@.price == 5) && @.size)].label', ['c']],
    ['$.shelves[?(@.owner)].label', ['b']],
    ['$.shelves[?(!@.owner)].label', ['a', 'c']],
    ['$.shelves[?(@.owner == null)].label', ['b']],
    ['$.shelves[?(@.size.width != 2)].label', ['a', 'b']],
    ['$.shelves[?(@.price > $.limit)].label', ['b', 'c']],
    ["$.shelves[?(@.label in ['a','c'])].label", ['a', 'c']],
    ["$.shelves[?(@.label nin ['a','c'])].label", ['b']],
    ["$.shelves[?(@.tags contains 'red')].label", ['a']],
    ["$.shelves[?(@.label contains 'b')].label", ['b']],
    ['$.shelves[?(@.tags size 2)].label', ['a']],
    ['$.shelves[?(@.tags empty true)].label', ['b']],
    ["$.shelves[?(@.price == '5')].label", ['a']],
    ["$.shelves[?(@.tags[?(@ == 'new')])].label", ['a']],
    ["$.shelves[?(@['on-sale'] == true)].label", ['a']],
    ['$.empty[?(@.a)]', []],
    ['$.shelves[2].size[?(@.width == 2)]', [{ width: 2 }]],
    ['$..[?(@.width)]', [{ width: 2 }]],
    ['$..[?(@.label == "b")].price', [12]],
    ['$.shelves[?(@.label == b)].price', [12]],
    ['$.shelves[?(@.label==b || @.label==trueish)].price', [12]],
    ['$.shelves[?(@.label in [a,c])].label', ['a', 'c']],
    ['$.shelves[?(@.label == null)].label', []],
  ])('%s: what satisfies it', (path, value) => expect(at(path)).toEqual(value));
});

describe('a text that is not a path', () => {
  test.each([
    ['', "expected '$', the text ends at position 1"],
    ['a.b', "expected '$', found 'a' at position 1"],
    ['$.', 'expected a name, the text ends at position 3'],
    ['$.a.', 'expected a name, the text ends at position 5'],
    ['$..', 'expected a name, the text ends at position 4'],
    ['$.a b', "expected a step, found ' ' at position 4"],
    ['$[', "expected a name in quotes, a number, '*' or '?' in brackets, the text ends at position 3"],
    ['$[0', "expected ']', the text ends at position 4"],
    ['$[:]', "expected a number beside the colon, found ']' at position 4"],
    ["$['a]", "expected a text in quotes, found ''' at position 3"],
    ['$.a.size()', 'there is no function size()'],
    ['$[?(@.a =~ /x/)]', 'regular expressions in filters are not supported'],
    ['$[?(@.a like 1)]', "there is no operator 'like'"],
    ['$[?(1)]', "expected an operator, found ')' at position 6"],
    ['$[?(@.a == )]', "expected a path or a literal, found ')' at position 12"],
    [`$[?(${'('.repeat(60)}@.a`, 'a filter nests at most 50 levels deep'],
    [`$${'[0]'.repeat(1002)}`, 'a path has at most 1000 steps'],
  ])('%s: rejected with the place', (text, reason) => expect(at(text)).toBe(`invalid: ${reason}`));
});

test('any names and indices: a search finds what following them finds, or nothing', () => {
  const step = fc.oneof(
    fc.constantFrom('a', 'b').map(name => `.${name}`),
    fc.integer({ min: -2, max: 2 }).map(index => `[${index}]`),
  );
  const tree = fc.letrec<{ value: Json }>(tie => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.integer(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.record({ a: tie('value'), b: tie('value') }, { requiredKeys: [] }),
    ),
  })).value;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 4 }), tree, (steps, input) => {
      const one = at(`$.x${steps.join('')}`, { x: input });
      // `.*` beside the only member makes the path one that may lead to many values.
      const many = at(`$.*${steps.join('')}`, { x: input });
      const isMissing = typeof one === 'string' && one.startsWith('!');
      expect(many).toEqual(isMissing ? [] : [one]);
    }),
    { numRuns: 200 },
  );
});

test('any text: a path, or the reason why it is none, and never an exception', () => {
  const piece = fc.constantFrom(
    '$',
    '$.',
    '..',
    '.a',
    '[',
    ']',
    '*',
    "'a'",
    '?(',
    '@',
    ')',
    '==',
    '1',
    ':',
    ',',
    '&&',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), pieces => {
      expect(() => at(pieces.join(''), { a: [{ a: 1 }, 'b'] })).not.toThrow();
    }),
    { numRuns: 1000 },
  );
});

describe('a filter that compares a hundred million values or characters', () => {
  const many = Array.from({ length: 20_000 }, () => 0);

  test.each([
    ['lists of others', '$.a[?(1 in $.a)]', { a: many }],
    ['a long text', "$.a[?($.b contains 'no')]", { a: many, b: 'n'.repeat(20_000) }],
  ])('%s: the search is given up', (_case, path, input) => {
    expect(at(path, input)).toMatch(/^! The path .* leads to too many values$/);
  });

  test('as many names that are not there: so is the search', () => {
    const names = Array.from({ length: 2000 }, () => "'b'").join(',');

    expect(
      at(
        `$.*[${names}]`,
        many.map(() => ({ a: 1 })),
      ),
    ).toMatch(/leads to too many values$/);
  });
});
