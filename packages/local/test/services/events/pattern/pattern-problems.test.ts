import type { Json } from '../../../../json/json';
import { compilePattern } from '../../../../services/events/pattern/pattern';

function problems(pattern: Json): readonly string[] {
  const compiled = compilePattern(pattern);
  return compiled.kind === 'invalid'
    ? compiled.problems.map(({ path, message }) => `${path}: ${message}`)
    : [];
}

const MIXED = 'Inside anything but list, either all values are number or string, mixed type is not supported';
const IGNORE_CASE =
  'Inside anything-but/equals-ignore-case list, number|start|null|boolean is not supported.';
const SCALAR = 'Value of anything-but must be an array or single string/number value.';

describe('problems of a value', () => {
  const rows: readonly [value: Json, path: string, message: string][] = [
    [[], '$.x', 'Empty arrays are not allowed'],
    ['a', '$.x', '"x" must be an object or an array'],
    [42, '$.x', '"x" must be an object or an array'],
    [{}, '$.x', 'Empty objects are not allowed'],
    [[['a']], '$.x[0]', 'Match value must be String, number, true, false, or null'],
    [[{}], '$.x[0]', 'Match expression name not found'],
    [[{ EXISTS: true }], '$.x[0]', 'Unrecognized match type EXISTS'],
    [[{ prefix: 'a', suffix: 'b' }], '$.x[0]', 'Only one key allowed in match expression'],
    [[{ prefix: 5 }], '$.x[0].prefix', 'prefix match pattern must be a string'],
    [[{ suffix: ['a'] }], '$.x[0].suffix', 'suffix match pattern must be a string'],
    [[{ prefix: {} }], '$.x[0].prefix', 'prefix expression name not found'],
    [[{ suffix: { prefix: 'a' } }], '$.x[0].suffix', 'Unsupported suffix pattern: prefix'],
    [
      [{ prefix: { 'equals-ignore-case': 5 } }],
      '$.x[0].prefix.equals-ignore-case',
      'equals-ignore-case match pattern must be a string',
    ],
    [
      [{ 'equals-ignore-case': ['a'] }],
      '$.x[0].equals-ignore-case',
      'equals-ignore-case match pattern must be a string',
    ],
    [[{ wildcard: 5 }], '$.x[0].wildcard', 'wildcard match pattern must be a string'],
    [[{ wildcard: 'é**' }], '$.x[0].wildcard', 'Consecutive wildcard characters at pos 3'],
    [[{ wildcard: 'a\\b' }], '$.x[0].wildcard', 'Invalid escape character at pos 2'],
    [[{ wildcard: 'a\\' }], '$.x[0].wildcard', 'Invalid escape character at pos 2'],
    [[{ exists: 'yes' }], '$.x[0].exists', 'exists match pattern must be either true or false.'],
    [[{ exactly: 1 }], '$.x[0].exactly', 'exact match pattern must be a string'],
    [[{ numeric: 5 }], '$.x[0].numeric', 'Value of numeric must be an array.'],
    [[{ numeric: [] }], '$.x[0].numeric', 'Invalid member in numeric match: ]'],
    [[{ numeric: [5] }], '$.x[0].numeric', 'Invalid member in numeric match: 5'],
    [[{ numeric: ['==', 5] }], '$.x[0].numeric', 'Unrecognized numeric range operator: =='],
    [[{ numeric: ['='] }], '$.x[0].numeric', 'Value of equals must be numeric'],
    [[{ numeric: ['>', '5'] }], '$.x[0].numeric', 'Value of > must be numeric'],
    [[{ numeric: ['=', 5, '<', 6] }], '$.x[0].numeric', 'Too many elements in numeric expression'],
    [[{ numeric: ['<', 5, '>', 1] }], '$.x[0].numeric', 'Too many elements in numeric expression'],
    [[{ numeric: ['>', 0, '>', 0] }], '$.x[0].numeric', 'Bad numeric range operator: >'],
    [[{ numeric: ['>', 0, 5] }], '$.x[0].numeric', 'Bad value in numeric range: 5'],
    [[{ numeric: ['>', 0, '<'] }], '$.x[0].numeric', 'Value of < must be numeric'],
    [[{ numeric: ['>', 0, '<', 5, '<'] }], '$.x[0].numeric', 'Too many terms in numeric range expression'],
    [[{ numeric: ['>', 5, '<', 5] }], '$.x[0].numeric', 'Bottom must be less than top'],
    [[{ numeric: ['>=', 5e9] }], '$.x[0].numeric', 'Bottom must be less than top'],
    [
      [{ numeric: ['<', 6e9] }],
      '$.x[0].numeric',
      'Value must be between -5.0E9 and 5.0E9, inclusive, got 6000000000',
    ],
    [
      [{ numeric: ['=', 1.2345678] }],
      '$.x[0].numeric',
      'Only values up to 6 decimals are supported, got 1.2345678',
    ],
    [[{ 'anything-but': null }], '$.x[0].anything-but', SCALAR],
    [[{ 'anything-but': [] }], '$.x[0].anything-but', MIXED],
    [[{ 'anything-but': ['a', 1] }], '$.x[0].anything-but', MIXED],
    [
      [{ 'anything-but': [null] }],
      '$.x[0].anything-but',
      'Inside anything but list, start|null|boolean is not supported.',
    ],
    [
      [{ 'anything-but': 6e9 }],
      '$.x[0].anything-but',
      'Value must be between -5.0E9 and 5.0E9, inclusive, got 6000000000',
    ],
    [[{ 'anything-but': {} }], '$.x[0].anything-but', 'Anything-But expression name not found'],
    [
      [{ 'anything-but': { numeric: ['=', 1] } }],
      '$.x[0].anything-but',
      'Unsupported anything-but pattern: numeric',
    ],
    [[{ 'anything-but': { prefix: '' } }], '$.x[0].anything-but.prefix', 'Null prefix/suffix not allowed'],
    [
      [{ 'anything-but': { suffix: [1] } }],
      '$.x[0].anything-but.suffix',
      'prefix/suffix match pattern must be a string',
    ],
    [[{ 'anything-but': { prefix: [] } }], '$.x[0].anything-but.prefix', 'Empty arrays are not allowed'],
    [[{ 'anything-but': { prefix: { 'equals-ignore-case': 'a' } } }], '$.x[0].anything-but.prefix', SCALAR],
    [
      [{ 'anything-but': { 'equals-ignore-case': 1 } }],
      '$.x[0].anything-but.equals-ignore-case',
      IGNORE_CASE,
    ],
    [
      [{ 'anything-but': { wildcard: ['a', 1] } }],
      '$.x[0].anything-but.wildcard',
      'wildcard match pattern must be a string',
    ],
    [[{ cidr: ['a'] }], '$.x[0].cidr', 'prefix match pattern must be a string'],
    [[{ cidr: '10.0.0.0' }], '$.x[0].cidr', "Malformed CIDR, one '/' required"],
    [[{ cidr: '10.0.0.0/x' }], '$.x[0].cidr', 'Malformed CIDR, mask bits must be an integer'],
    [[{ cidr: '10.0.0.0/-1' }], '$.x[0].cidr', 'Malformed CIDR, mask bits must not be negative'],
    [[{ cidr: '10.0.0.0/32' }], '$.x[0].cidr', 'IPv4 mask bits must be < 32'],
    [[{ cidr: '::/128' }], '$.x[0].cidr', 'IPv6 mask bits must be < 128'],
    [[{ cidr: 'xx.11.xx/8' }], '$.x[0].cidr', 'Nonstandard IP address: xx.11.xx'],
  ];
  test.each(rows)('%j: %s: %s', (value, path, message) => {
    expect(problems({ x: value })).toEqual([`${path}: ${message}`]);
  });
});

describe('problems of the structure', () => {
  const rows: readonly [pattern: Json, problem: string][] = [
    [['a'], '$: Filter is not an object'],
    ['not json', '$: The pattern is not JSON'],
    [{}, '$: Empty objects are not allowed'],
    [{ $or: { a: [1] } }, '$.$or: It must be an Array followed with $or.'],
    [{ $or: [{ a: [1] }] }, '$.$or: There must have at least 2 Objects in $or relationship.'],
    [{ $or: [{ a: [1] }, 'b'] }, '$.$or[1]: Only JSON object is allowed in array of $or relationship.'],
    [{ $or: [{ a: [1] }, {}] }, '$.$or[1]: Empty objects are not allowed'],
    [
      { $or: [{ a: [1] }, { prefix: ['b'] }] },
      '$.$or[1].prefix: prefix is Ruler reserved fieldName which cannot be used inside $or.',
    ],
  ];
  test.each(rows)('%j: %s', (pattern, problem) => {
    expect(problems(pattern)).toEqual([problem]);
  });

  test('names of operators outside $or: ordinary fields', () => {
    expect(problems({ detail: { prefix: ['a'], exists: { numeric: [1] } } })).toEqual([]);
  });

  test('several mistakes: all reported', () => {
    expect(problems({ source: 'a', detail: { b: [], c: [{ numeric: ['<'] }, { like: 'x' }] } })).toEqual([
      '$.source: "source" must be an object or an array',
      '$.detail.b: Empty arrays are not allowed',
      '$.detail.c[0].numeric: Value of < must be numeric',
      '$.detail.c[1]: Unrecognized match type like',
    ]);
  });

  test('$or side by side: up to 1,000 combinations', () => {
    const alternatives = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ [name]: [index] }));
    const of = (last: number) => ({
      a: { $or: alternatives('x', 10) },
      b: { $or: alternatives('y', 10) },
      c: { $or: alternatives('z', last) },
    });

    expect(problems(of(10))).toEqual([]);
    expect(problems(of(11))).toEqual([
      '$.c.$or: $or multiplies to more than 1000 combinations; use fewer alternatives.',
    ]);
  });
});
