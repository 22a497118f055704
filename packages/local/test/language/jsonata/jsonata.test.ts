import type { JsonObject } from '../../../json/json';
import { evaluateAtOnce } from '../../../language/jsonata/jsonata';
import { KNOWN_FUNCTIONS } from '../../../language/jsonata/known-functions';
import { outcome, scopeOf } from '../asl/scope';

const SYNTAX_LIKE = {
  list: ['a'],
  nested: [[1]],
  empty: [],
  rows: [[], [1], [{ q: 1 }]],
  object: { constructor: 1, sequence: true, length: 0 },
};

describe('results', () => {
  test.each([
    ['$states.input.list', '["a"]'],
    ['$states.input.nested', '[[1]]'],
    ['$states.input.empty', '[]'],
    ['$states.input.list[0]', '"a"'],
    ['$states.input.list[]', '["a"]'],
    ['$map($states.input.list, function($x){ $x })', '"a"'],
    ['[$states.input.list[0]]', '["a"]'],
    ['null', 'null'],
    ['10/2', '5'],
    ['1e20', '100000000000000000000'],
    ['0.1 + 0.2', '0.30000000000000004'],
    ['1/0', '"Infinity"'],
    ['-1/0', '"-Infinity"'],
    ['$map(["abc", "de"], $substring(?, 0, 1))', '["a","d"]'],
    ['$map(["a", "bcd"], $length(?))', '[1,3]'],
    ['$map(["a", "b"], $pad(?, 3, "-"))', '["a--","b--"]'],
    ['( $f := $split(?, "/"); $f("a/b") )', '["a","b"]'],
    ['( $f := $join(["a", "b"], ?); $f("-") )', '"a-b"'],
    ['$map(["aa", "ba"], $replace(?, "a", "x"))', '["xx","bx"]'],
    ['( $f := $replace(?, ?, "x", 1); $f("aa", "a") )', '"xa"'],
    ['$map(["a", "b"], $base64encode(?))', '["YQ==","Yg=="]'],
    ['$map(["a b"], $encodeUrlComponent(?))', '"a%20b"'],
    ['[1/0, {"k": 0/0}]', '["Infinity",{"k":"NaN"}]'],
    ['{"a": $states.input.no}', '{}'],
    ['$states.input.no', '! returned nothing (undefined).'],
    ['$nobody', '! returned nothing (undefined).'],
    ['$sum', '! returned an unsupported result type.'],
    ['$f := function($x){ $x }', '! returned an unsupported result type.'],
    ['{"f": $sum}', '! returned an unsupported result type.'],
    ['($r := /a/; [$r])', '! returned an unsupported result type.'],
    [
      '"a" + 1',
      '! threw an error during evaluation. T2001: The left side of the "+" operator ' +
        'must evaluate to a number',
    ],
    ['$error("boom")', '! threw an error during evaluation. D3137: boom'],
    ['1 +', '! threw an error during evaluation. S0207: Unexpected end of expression'],
  ])('%s: %s', async (source, then) => {
    expect(await outcome(source, scopeOf(SYNTAX_LIKE))).toBe(then);
  });
});

// $eval is not there, and $string cannot be in 2.0.6 either.
test.each([...KNOWN_FUNCTIONS.keys()].filter(name => !/^(?:eval|string)$/.test(name)))(
  '$%s can be partially applied',
  async name => {
    expect(await outcome(`( $f := $${name}(?, 1); $type($f) )`, scopeOf({}))).toBe('"function"');
  },
);

describe('members with names the interpreter uses itself', () => {
  test.each([
    ['$states.input.object.constructor', '1'],
    ['$states.input.object.length', '0'],
    ['$states.input.object.hasOwnProperty', '! returned nothing (undefined).'],
    ['$merge([$states.input.object, {"a": 1}])', '{"constructor":1,"sequence":true,"length":0,"a":1}'],
    ['$states.input.object.{"s": sequence, "l": length}', '{"s":true,"l":0}'],
    ['{"__proto__": 1}', '{"__proto__":1}'],
    ['$keys($parse("{\\"__proto__\\": 1, \\"b\\": 2}"))', '["__proto__","b"]'],
  ])('%s: %s', async (source, then) => {
    expect(await outcome(source, scopeOf(SYNTAX_LIKE))).toBe(then);
  });

  test('data that looks like a function of the interpreter: stays data', async () => {
    const input = { f: { _jsonata_lambda: true, a: 1 } };

    expect(await outcome('$states.input.f', scopeOf(input))).toBe('{"_jsonata_lambda":true,"a":1}');
  });
});

// The scope is frozen: an evaluation that writes into it throws.
describe('expressions with which the interpreter would write into its input', () => {
  test.each([
    ['$states.input.empty{a: b}', '{}'],
    ['$states.input.rows.{"n": 1}', '[{"n":1},{"n":1},{"n":1}]'],
    ['$states.input.list[]', '["a"]'],
    ['$states.input.nested[0][]', '[1]'],
    ['$states.input ~> |$states.input.object|{"new": 1}| ~> $exists()', 'true'],
    [
      '$states.input.object()',
      '! threw an error during evaluation. T1006: Attempted to invoke a non-function',
    ],
    ['$variable()', '! threw an error during evaluation. T1006: Attempted to invoke a non-function'],
    [
      '($f := function($x){ $states.input.object($x) }; $f(1))',
      '! threw an error during evaluation. T1006: Attempted to invoke a non-function',
    ],
    [
      '($g := $states.input.object; $g(1))',
      '! threw an error during evaluation. T1006: Attempted to invoke a non-function',
    ],
    [
      '$map([$states.input.object], function($g){ $g(1) })',
      '! threw an error during evaluation. T1006: Attempted to invoke a non-function',
    ],
    ['$rows[{"a": 1}.a = 1]', '[1]'],
    ['$states.input.rows#$i.{"i": $i}', '[{"i":0},{"i":1},{"i":2}]'],
    ['$sort($states.input.rows, function($a, $b){ $count($a) > $count($b) })', '[[],[1],[{"q":1}]]'],
    ['$append($states.input.list, 1)', '["a",1]'],
  ])('%s: %s, and the input as it was', async (source, then) => {
    expect(await outcome(source, scopeOf(SYNTAX_LIKE, { variable: { a: 1 }, rows: [[], [1]] }))).toBe(then);
  });
});

describe('what an expression can look into', () => {
  const SUBJECTS = [
    ...['(function($x){ $x })', '$sum', '$map', '$now', '[$sum]', '[function($x){ $x }][0]'],
    ...[
      '$match("a", /a/).next',
      '"a"',
      '$states',
      '$states.input.list',
      '$states.input.object.nothing',
      '$',
      '$$',
    ],
  ];
  const NAMES = [
    ...['constructor', '`__proto__`', 'prototype', 'toString', 'hasOwnProperty', 'apply', 'call', 'length'],
    ...['implementation', 'signature', 'environment', 'input.body', 'body', 'arguments', 'thunk'],
    ...['frame', 'run', 'scope', 'arity', 'isPlain', 'target', '`_jsonata_lambda`', '`_jsonata_function`'],
  ];

  test.each(SUBJECTS)('members of %s that JavaScript or the evaluators have: none', async subject => {
    const scope = scopeOf(SYNTAX_LIKE);
    for (const name of NAMES) {
      const source = `${subject}.${name}`;
      expect([source, await outcome(source, scope)]).toEqual([source, '! returned nothing (undefined).']);
    }
  });

  test.each([
    '$constructor',
    '$__proto__',
    '$process',
    '$require',
    '$globalThis',
    '$lookup($states, "__proto__")',
  ])('%s: nothing', async source => {
    expect(await outcome(source, scopeOf({}))).toBe('! returned nothing (undefined).');
  });

  test.each([
    '$states ~> |$|{"__proto__": {"polluted": 1}}|',
    '$merge([$parse("{\\"__proto__\\": {\\"polluted\\": 1}}"), {"b": 1}])',
    '$states.input{"__proto__": {"polluted": 1}}',
  ])('%s: changes no other object', async source => {
    await outcome(source, scopeOf({}));

    expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('values that are available at once', () => {
  test.each([
    ['$contains("Lambda.Unknown", /^(Lambda|Sandbox)[.]/)', true],
    ['$contains("D3137:", /[A-Z][0-9]{4}:/)', true],
    ['$contains("a.b", /a\\.b$/)', true],
    ['$contains("abc", /a|x/i)', true],
    ['$contains("aa", /a+/)', true],
    ['$contains("aa", /(a|a)(a|a)/)', true],
    ['$contains("aa", /a(?=a)/)', true],
    ['$contains("aa", /a{20}/)', false],
    ['$replace("shop-recovery-12", /^.*-recovery-([0-9]+)$/, "$1")', '12'],
    ['$toMillis("1970-01-01T00:00:00.001Z")', 1],
    ['$count($range(1, 20000, 1))', 20_000],
  ])('%s: %j', (source, value) => {
    expect(evaluateAtOnce(source, scopeOf({}))).toEqual({ kind: 'value', value });
  });

  test.each([
    ['a group, repeated', '$contains("aa", /(a){2}/)'],
    ['a group, repeated any number of times', '$contains("aa", /(a|a)+b/)'],
    ['a reference back', '$contains("aa", /(a)\\1/)'],
    ['repetitions in a long text', '$contains($pad("", 3000, "a"), /a+a+!/)'],
    ['many times in a long text', '$contains($pad("", 90000, "a"), /a{9999}!/)'],
    [
      'many alternatives in a long text',
      '$contains($pad("", 30000, "a"), /(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)!/)',
    ],
    ['a long pattern in a text', `$contains($pad("", 2000, "a"), /a+${'a'.repeat(1000)}[bc]/)`],
    ['very many matches', '$replace($pad("", 150000, "a"), /a/, "b")'],
    ['a long replacement', '$replace("aa", /a/, $pad("", 101, "b"))'],
    ['a picture of a time', '$toMillis("13:45", "[H]:[m]")'],
    ['a picture of a number', '$parseInteger("twelve", "w")'],
    ...['$now', '$fromMillis(0, ', '$formatNumber(1, ', '$formatInteger(1, '].map(
      (call): [string, string] => [
        `a long picture of ${call}`,
        `${call}${call.endsWith(' ') ? '' : '('}"${'#'.repeat(1001)}")`,
      ],
    ),
    ['much work', '$map($range(1, 40, 1), function($i){ $count($range(1, 100000, 1)) })'],
    ['many steps', '$sum($map($range(1, 40000, 1), function($i){ $i * $i + 1 }))'],
  ])('%s: not', (_, source) => {
    expect(evaluateAtOnce(source, scopeOf({}))).toBeUndefined();
  });
});

describe('an expression that is evaluated again with the same input', () => {
  // More than a hundred nodes: the value of anything smaller is not remembered.
  const long = (value: string) => `[${Array.from({ length: 101 }, () => '0').join(', ')}, ${value}][101]`;
  const { states, evaluationContext } = scopeOf({ a: 1 });
  const evaluated = (value: string, variables: JsonObject, random = 0.5) =>
    evaluateAtOnce(long(value), {
      states: { ...states, result: random },
      variables,
      evaluationContext: { ...evaluationContext, random: () => random },
    });

  test.each([
    ['$v + $states.input.a', { v: 1 }, { v: 2 }, 2, 3],
    ['$exists($v) ? $v : 0', {}, { v: 2 }, 0, 2],
    ['$length("ab")', {}, {}, 2, 2],
  ])('%s: its variables count', (value, before, after, first, second) => {
    expect(evaluated(value, before)).toEqual({ kind: 'value', value: first });
    expect(evaluated(value, after)).toEqual({ kind: 'value', value: second });
  });

  test.each(['$random()', '$states.result', '$lookup($states, "result")', '$states[result < 0.5].input.a'])(
    '%s: it is not the input alone that counts',
    value => {
      expect(evaluated(value, {}, 0.25)).not.toEqual(evaluated(value, {}, 0.75));
    },
  );

  test('another input: another value', () => {
    const of = (a: number) => evaluateAtOnce(long('$states.input.a'), scopeOf({ a }));

    expect([of(1), of(2)]).toEqual([
      { kind: 'value', value: 1 },
      { kind: 'value', value: 2 },
    ]);
  });
});
