import { outcome, scopeOf } from '../asl/scope';

const T0410 = (index: number, name: string) =>
  `! threw an error during evaluation. T0410: Argument ${index} of function ` +
  `"${name}" does not match function signature`;
const UNDEFINED = '! returned nothing (undefined).';
const D3137 = (message: string) => `! threw an error during evaluation. D3137: ${message}`;
const MEMORY =
  '! threw an error during evaluation: Expression evaluation memory limit ' +
  'exceeded: Check for excessive memory usage';

describe('functions the service adds', () => {
  test.each([
    ['$partition([1,2,3,4,5], 2)', '[[1,2],[3,4],[5]]'],
    ['$partition([1,2,3], 2.6)', '[[1,2],[3]]'],
    ['$partition([1,2,3])', '[[1,2,3]]'],
    ['$partition([1,2,3], 0)', UNDEFINED],
    ['$partition([], 2)', UNDEFINED],
    ['$partition([1,2,3], -1)', D3137('Second argument must be zero or greater')],
    ['$partition([1,2,3], "2")', T0410(2, 'partition')],
    ['$partition([1,2,3], null)', T0410(2, 'partition')],
    ['$partition([1,2,3], 1, 1)', T0410(3, 'partition')],
    [
      '$partition("abc", 2)',
      '! threw an error during evaluation. T0412: Argument 1 of function "partition" ' +
        'must be an array of undefined',
    ],

    ['$range(0, 3, 1)', '[0,1,2,3]'],
    ['$range(1.4, 5.6, 2.2)', '[1,3,5]'],
    ['$range(-1.7, 2, 1)', '[-1,0,1,2]'],
    ['$range(5, 1, -2)', '[5,3,1]'],
    ['$range(1, 9, 9)', '1'],
    ['$range(1, 9, 0)', UNDEFINED],
    ['$range(1, 9)', UNDEFINED],
    ['$range(1, 9, -1)', UNDEFINED],
    ['$range("1", 9, 1)', T0410(1, 'range')],
    ['$range(1, null, 1)', T0410(2, 'range')],
    ['$range(1, 9, 1, 1)', T0410(4, 'range')],
    ['$count($range(1, 360145, 1))', '360145'],
    ['$count($range(1, 360146, 1))', MEMORY],

    ['$hash("input", "MD5")', '"a43c1b0aa53a0c908810c06ab1ff3967"'],
    ['$hash("input", "SHA-1")', '"140f86aae51ab9e1cda9b4254fe98a74eb54c1a1"'],
    [
      '$hash("input", "sha-1")',
      D3137("Hash algorithm 'sha-1' must be one of SHA-1, SHA-384, SHA-256, SHA-512, MD5"),
    ],
    ['$hash(1, "MD5")', T0410(1, 'hash')],
    ['$hash()', T0410(1, 'hash')],
    ['$hash("input")', UNDEFINED],

    ['$random(77)', '0.7240700207191966'],
    ['$random()', '0.5'],
    ['$random(null)', T0410(1, 'random')],
    ['$random(1, 2)', T0410(2, 'random')],

    ['$uuid()', '"c0ffee00-0000-4000-8000-000000000000"'],
    ['$uuid(1)', T0410(1, 'uuid')],

    ['$parse("[5]")', '[5]'],
    ['$parse(" {\\"a\\": 1.0} ")', '{"a":1}'],
    ['$parse("-0")', '0'],
    ['$parse("")', D3137('Invalid JSON')],
    ['$parse("{a}")', D3137('Invalid JSON')],
    ['$parse()', UNDEFINED],
    ['$parse(1)', T0410(1, 'parse')],
  ])('%s: %s', async (source, then) => {
    expect(await outcome(source, scopeOf({}))).toBe(then);
  });
});

describe('functions that look at time and randomness', () => {
  test.each([
    ['$now()', '"2023-11-14T22:13:20.123Z"'],
    ['$now("[Y]-[M01]")', '"2023-11"'],
    ['$millis()', '1700000000123'],
    ['$now() = $fromMillis($millis())', 'true'],
    ['$shuffle([1,2,3,4])', '[1,3,4,2]'],
    ['$shuffle([])', '[]'],
  ])('%s: %s', async (source, then) => {
    expect(await outcome(source, scopeOf({}))).toBe(then);
  });

  test('a user variable called fromMillis: $now still formats', async () => {
    expect(await outcome('$now("[Y]")', scopeOf({}, { fromMillis: 1 }))).toBe('"2023"');
  });
});

describe('$eval', () => {
  test.each(['$eval("1+1")', '($e := $eval; $e("1"))'])('%s: no such function', async source => {
    const then = '! threw an error during evaluation. T1006: Attempted to invoke a non-function';

    expect(await outcome(source, scopeOf({}))).toBe(then);
  });
});

describe('numbers in texts', () => {
  const input = {
    int: 1234567890123456,
    big: 2 ** 66,
    third: 1 / 3,
    nested: [{ n: 9007199254740991 }],
  };

  test.each([
    ['$string(0.1 + 0.2)', '"0.3"'],
    ['$string($states.input.int)', '"1234567890123460"'],
    ['$string($states.input.nested)', '"[{\\"n\\":9007199254740990}]"'],
    ['"" & $states.input.int', '"1234567890123460"'],
    ['$states.input.int & "-" & $states.input.third', '"1234567890123460-0.333333333333333"'],
    ['"x" & $states.input.nested', '"x[{\\"n\\":9007199254740990}]"'],
    ['"x" & (1 & 2)', '"x12"'],
    ['"x" & $nothing & null & true', '"xnulltrue"'],
    ['"x" & $sum', '"x"'],
    ['$map([1,2], function($n){ $n & "!" })', '["1!","2!"]'],
    ['"a" & "b"', '"ab"'],
    ['$string({"a": [1, 2]}, true)', '"{\\n  \\"a\\": [\\n    1,\\n    2\\n  ]\\n}"'],
    [
      '"x" & 1/0',
      '! threw an error during evaluation. D3001: Attempting to invoke string function on Infinity or NaN',
    ],
    [
      '$states.input ~> |$|{"third": 0}, "nested"|',
      '{"int":1234567890123460,"big":73786976294838200000,"third":0}',
    ],
    ['$states.input.int', '1234567890123456'],
  ])('%s: %s', async (source, then) => {
    expect(await outcome(source, scopeOf(input))).toBe(then);
  });
});

describe('$toMillis', () => {
  test.each([
    // 2023-11-14, the day of the scope's clock, wherever and whenever the test runs.
    ["$toMillis('13:45', '[H]:[m]')", String(Date.UTC(2023, 10, 14, 13, 45))],
    ["$fromMillis($toMillis('13:45', '[H]:[m]'))", '"2023-11-14T13:45:00.000Z"'],
    ["$toMillis('2020-02-29T00:00:00Z')", String(Date.UTC(2020, 1, 29))],
    ["$toMillis('12/2020', '[M]/[Y]')", String(Date.UTC(2020, 11, 1))],
  ])('%s: parts that are left out come from the time of the evaluation', async (source, is) => {
    expect(await outcome(source, scopeOf({}))).toBe(is);
  });
});
