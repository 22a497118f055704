import { outcome, scopeOf } from '../asl/scope';

const STACK =
  '! threw an error during evaluation: Stack overflow error: Check for ' +
  'non-terminating recursive function.  ' +
  'Consider rewriting as tail-recursive. Depth=101 max=100';

const sum = (terms: number) => Array(terms).fill('1').join('+');
const joined = (terms: number) => Array(terms).fill('1').join('&');
const nested = (open: string, close: string, levels: number) =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;
const recursion = (depth: number) => `($f := function($n){ $n = 0 ? 0 : 1 + $f($n - 1) }; $f(${depth}))`;

describe('depth of an expression', () => {
  test.each([
    { what: '100 terms', source: sum(100), is: '100' },
    { what: '101 terms', source: sum(101), is: STACK },
    { what: '100 joined texts', source: joined(100), is: `"${'1'.repeat(100)}"` },
    { what: '101 joined texts', source: joined(101), is: STACK },
    { what: '99 parentheses', source: nested('(', ')', 99), is: '1' },
    { what: '100 parentheses', source: nested('(', ')', 100), is: STACK },
    { what: '99 brackets', source: nested('[', ']', 99), is: nested('[', ']', 99) },
    { what: '100 brackets', source: nested('[', ']', 100), is: STACK },
    { what: '31 calls', source: recursion(31), is: '31' },
    { what: '32 calls', source: recursion(32), is: STACK },
    { what: '20,000 terms', source: sum(20_000), is: STACK },
  ])('$what: $is', async ({ source, is }) => {
    expect(await outcome(source, scopeOf({}))).toBe(is);
  });

  test('an object with two members for each of 300 items: not deep', async () => {
    const source = '$count($map([1..300], function($i){ {"a": $i, "b": [$i, $i]} }))';

    expect(await outcome(source, scopeOf({}))).toBe('300');
  });

  test('two evaluations side by side: each has its own depth', async () => {
    const both = await Promise.all([
      outcome(recursion(31), scopeOf({})),
      outcome(recursion(31), scopeOf({})),
    ]);

    expect(both).toEqual(['31', '31']);
  });
});

describe('time of an expression', () => {
  test('an endless tail recursion: ends after a second', async () => {
    const source = '($f := function($n){ $f($n + 1) }; $f(1))';
    const then = '! threw an error during evaluation: Expression evaluation timeout: Check for infinite loop';

    expect(await outcome(source, scopeOf({}))).toBe(then);
  });
});

describe('memory of an expression', () => {
  test('a sequence beyond all bounds: fails', async () => {
    const then =
      '! threw an error during evaluation: Expression evaluation memory limit ' +
      'exceeded: Check for excessive memory usage';

    expect(await outcome('[1..10000001]', scopeOf({}))).toBe(then);
  });
});
