import fc from 'fast-check';
import type { JsonObject } from '../../../../json/json';

/** Data that generated expressions look into. */
export const VARIABLES: JsonObject = {
  o: { a: 1, b: 'text', c: [1, 2, 3], d: { a: 2, e: null }, f: [], g: true, '': 0 },
  l: [{ a: 1, n: [1] }, { a: 2, n: [2, 3] }, { b: 'x' }, { a: [4, 5] }, 7, 'y', [{ a: 9 }]],
  n: 3,
  s: 'Größe "1,5" $x',
  t: true,
  u: null,
  e: [],
  one: [{ a: { b: [5] } }],
  nested: [[1, 2], [3, [4]], []],
};

/** `v` and `i` are there within the functions that have them. */
const NAMES = [...Object.keys(VARIABLES), 'v', 'i'];
const FIELDS = ['a', 'b', 'c', 'd', 'n', 'zz'];
const LITERALS = [
  '0',
  '1',
  '-2',
  '2.5',
  '0.1',
  '1e20',
  '"a"',
  '"10"',
  "''",
  'true',
  'false',
  'null',
  '[]',
  '{}',
];
const OPERATORS = ['+', '-', '*', '/', '%', '=', '!=', '<', '<=', '>', '>=', '&', 'and', 'or', 'in'];

const CALLS: Readonly<Record<string, number>> = {
  ...{
    sum: 1,
    count: 1,
    max: 1,
    min: 1,
    average: 1,
    string: 1,
    uppercase: 1,
    lowercase: 1,
    length: 1,
    trim: 1,
  },
  ...{
    number: 1,
    floor: 1,
    ceil: 1,
    abs: 1,
    round: 2,
    sqrt: 1,
    power: 2,
    boolean: 1,
    not: 1,
    keys: 1,
    exists: 1,
  },
  ...{
    type: 1,
    reverse: 1,
    distinct: 1,
    spread: 1,
    merge: 1,
    sort: 1,
    append: 2,
    lookup: 2,
    join: 2,
    split: 2,
  },
  ...{
    contains: 2,
    substring: 2,
    substringBefore: 2,
    replace: 3,
    encodeUrlComponent: 1,
    base64encode: 1,
    zip: 2,
  },
  ...{ formatBase: 2, pad: 2, parse: 1, hash: 2, partition: 2, range: 3, millis: 0, nosuch: 1, error: 1 },
};

const LAMBDAS = [
  'function($v){$v}',
  'function($v,$i){$i}',
  'function($v,$i){{"v":$v,"i":$i}}',
  'function($v){$v.a}',
  'function($v){$type($v)="number"}',
  'function($v,$i,$all){$count($all)}',
  'function($p,$q){$string($p) & $string($q)}',
  'function($v){$filter([7], function($w){$exists($v)})}',
  'function($v){$keys($v)}',
  'function($v){$spread($v)}',
  'function($v){$lookup($v, "a")}',
  'function($v){$type($v) = "number" ? $map([$v], function($w){$w}) : $each($v, function($w){$w})}',
  'function($v){($w := $v; $append($w, 1))}',
  'function($v){$length()}',
  'function($v){$not()}',
  'function($v){$string()}',
  '$string',
  '$exists',
  '$keys',
];

const PATTERNS = [
  ...[
    '/^\\[|\\]$/',
    '/[a-x]1/i',
    '/"|^|1/',
    '/[a-x]+/',
    '/^.*([0-9])/',
    '/([a-z])?([0-9]+)/',
    '/(?!a)[a-z]{2}/',
  ],
  ...['/(?:"a"|b):([0-9]{1,3}|n)/', '/^(?:\\[|\\{).*?(.)$/', '/([0-9])\\1/', '/(a|b)+/', '/[^[\\]]]?/'],
];

/** Text of an expression over `VARIABLES`; some fail, some are not covered by our evaluator. */
export const expressions: fc.Arbitrary<string> = fc.letrec<{ any: string }>(tie => {
  const any = tie('any');
  const list = (count: number) => fc.tuple(...Array.from({ length: count }, () => any));
  return {
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...LITERALS),
      fc.constantFrom(...NAMES).map(name => `$${name}`),
      fc.constantFrom(
        '$',
        '$o.a',
        '$l.a',
        '$l.n',
        '$one.a.b',
        '$nested',
        '$o.c[0]',
        '$l[a=1]',
        '$l[-1]',
        '$o."b"',
      ),
      fc.tuple(any, fc.constantFrom(...FIELDS)).map(([of, field]) => `(${of}).${field}`),
      fc.tuple(any, any).map(([of, step]) => `(${of}).(${step})`),
      fc.tuple(any, any).map(([of, filter]) => `(${of})[${filter}]`),
      fc.tuple(any, fc.constantFrom(...OPERATORS), any).map(([a, operator, b]) => `(${a} ${operator} ${b})`),
      list(3).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      list(2).map(([a, b]) => `[${a}, ${b}]`),
      any.map(item => `[[${item}]]`),
      list(2).map(([a, b]) => `{"p": ${a}, "q": ${b}}`),
      fc.tuple(any, any).map(([a, b]) => `($x := ${a}; $y := ${b}; [$x, $y, $x = $y])`),
      fc.tuple(any, any).map(([a, b]) => `($f := function($x){ ${a} }; [$f(${b}), $f(1)])`),
      fc.tuple(any, any).map(([a, b]) => `[$x, ($x := ${a}; ($y := $x; $x := ${b}; [$x, $y])), $x]`),
      fc.tuple(any, any).map(([a, b]) => `($b := $t ? ($x := ${a}) : 0; [$x, $n = 3 ? $x := ${b} : 1, $x])`),
      fc.tuple(any, any).map(([a, b]) => `($g := function(){ [$x, $n] }; $x := ${a}; $n := ${b}; $g())`),
      fc
        .tuple(any, any)
        .map(([a, b]) => `($f := function($x, $x){ $string($y := $x) & $y }; $f(${a}, ${b}))`),
      any.map(a => `($count := function($v){ [$v] }; $count(${a}))`),
      any.map(operand => `(- ${operand})`),
      fc
        .constantFrom(...Object.entries(CALLS))
        .chain(([name, count]) => list(count).map(args => `$${name}(${args.join(', ')})`)),
      fc
        .tuple(any, fc.constantFrom('map', 'filter', 'each', 'sift', 'reduce'), fc.constantFrom(...LAMBDAS))
        .map(([of, name, lambda]) => `$${name}(${of}, ${lambda})`),
      fc
        .tuple(any, fc.constantFrom('$string', '$count()', '$sum', '$append(1)', '$type'))
        .map(([of, fn]) => `(${of} ~> ${fn})`),
      fc
        .tuple(any, fc.constantFrom('map', 'filter', 'each', 'sift'), any)
        .map(([of, name, body]) => `$${name}(${of}, function($v, $i){ ${body} })`),
      fc.tuple(any, any).map(([a, b]) => `(${a}).(function($v){ ${b} })(1)`),
      fc
        .tuple(any, any)
        .map(([a, b]) => `(${a}).($f := function($v){ $exists($v) ? ${b} : $keys() }; $f(1))`),
      fc.constantFrom('a', 'frame', 'body', 'arguments').map(name => `(function($v){ $v }).${name}`),
      fc
        .tuple(fc.constantFrom('spread', 'keys', 'string', 'type'), any)
        .map(([name, body]) => `$${name}(function($v){ ${body} })`),
      any.map(of => `(${of}).$string()`),
      any.map(of => `$contains($string(${of}), /[a-x]+1?/i)`),
      fc
        .tuple(any, fc.constantFrom(...PATTERNS), fc.constantFrom('', '-', '$1', '<$1$2>', '$0', '$$', '$'))
        .map(([of, pattern, by]) => `$replace($string(${of}), ${pattern}, '${by}')`),
      fc
        .tuple(any, fc.constantFrom(...PATTERNS))
        .map(([of, pattern]) => `$contains($string(${of}), ${pattern})`),
      any.map(of => `($fac := function($n){ $n <= 1 ? 1 : $n * $fac($n - 1) }; $fac($count([${of}])))`),
    ),
  };
}).any;
