import { compile } from '../../../language/jsonata/compile';
import { outcome, scopeOf } from '../asl/scope';

const MEMORY =
  '! threw an error during evaluation: Expression evaluation memory limit ' +
  'exceeded: Check for excessive memory usage';
const TIMEOUT = '! threw an error during evaluation: Expression evaluation timeout: Check for infinite loop';

const items = (count: number) => Array.from({ length: count }, (_, index) => ({ k: `k${index}`, v: 1 }));

describe('memory of an expression', () => {
  test.each([
    ['a text of 4,194,304 characters', '$length($pad("", 4194304, "x"))', '4194304'],
    ['one more', '$length($pad("", 4194305, "x"))', MEMORY],
    ['one more by adding a text', '$length($pad("", 4194304, "x") & "y")', MEMORY],
    ['a width beyond all bounds', '$pad("", 1e15, "x")', MEMORY],
    ['873,782 items', '$count([1..873782])', '873782'],
    ['items: one more', '$count([1..873783])', MEMORY],
    ['lists put together', '$count($append([1..500000], [1..500000]))', MEMORY],
    ['lists put together in a constructor', '($a := $range(1, 300000, 1); $count([$a, $a, $a]))', MEMORY],
    ['a text that doubles', '$length($reduce([1..30], function($a, $b){ $a & $a }, "x"))', MEMORY],
    [
      'a text that doubles, with a number in it',
      '$reduce([1..30], function($a, $b){ $a & $a & $b }, "x")',
      MEMORY,
    ],
    ['a separator that is very long', '$join(["a", "b", "c"], $pad("", 4000000, "x"))', MEMORY],
    ['a text for each letter', '$replace($pad("", 4000, "a"), "a", $pad("", 4000, "b"))', MEMORY],
    ['a text for each match', '$replace($pad("", 4000, "a"), /a/, $pad("", 4000, "b"))', MEMORY],
    ['a text cut into letters', '$count($split($pad("", 1000000, "a"), ""))', MEMORY],
    ['many long texts', '$count($map([1..1000], function($i){ $pad("", 4000000, "x") }))', MEMORY],
    ['a text of pieces', '$length($reduce([1..1000], function($a, $b){ $a & $pad("", 300) }, ""))', '300000'],
    [
      'a tree that is one object in many places',
      '$reduce([1..40], function($a, $b){ {"l": $a, "r": $a} }, "x")',
      MEMORY,
    ],
    ['its text', '$string($reduce([1..40], function($a, $b){ {"l": $a, "r": $a} }, "x"))', MEMORY],
    ['1,200 levels', '$reduce([1..1200], function($a, $b){ {"l": $a} }, "x")', MEMORY],
  ])('%s', async (_case, source, is) => {
    expect(await outcome(source, scopeOf({}))).toBe(is);
  });

  test('a result that is too large only when written out: rejected before it is', async () => {
    const startedAt = Date.now();
    const tree = '$reduce([1..40], function($a, $b){ {"l": $a, "r": $a} }, "x")';

    expect(await outcome(tree, scopeOf({}))).toBe(MEMORY);
    expect(await outcome(`[${tree}]`, scopeOf({}))).toBe(MEMORY);
    expect(Date.now() - startedAt).toBeLessThan(1000);
  });

  test('a result of 1.8 million characters, with one object in many places: all of it', async () => {
    const tree = '$reduce([1..17], function($a, $b){ {"l": $a, "r": $a} }, "x")';
    const text = await outcome(tree, scopeOf({}));

    expect(text.length).toBe(14 * 2 ** 17 - 11);
  });
});

describe('time of an expression that our own evaluator runs', () => {
  test('functions that take long: ends after a second, and is not tried again', async () => {
    const scope = scopeOf({ big: items(20_000) });
    const source = '$count($map($range(1, 2000, 1), function($i){ $length($string($states.input.big)) }))';
    const startedAt = Date.now();

    expect(await outcome(source, scope)).toBe(TIMEOUT);
    expect(Date.now() - startedAt).toBeLessThan(1900);
  });

  test('comparisons that take long: the same', async () => {
    const scope = scopeOf({ a: items(5000), b: items(5000) });
    const source = '$count($filter($range(1, 5000, 1), function($i){ $states.input.a = $states.input.b }))';

    expect(await outcome(source, scope)).toBe(TIMEOUT);
  });
});

describe('$distinct', () => {
  test('11,000 objects: within its second', async () => {
    expect(await outcome('$count($distinct($states.input))', scopeOf(items(11_000)))).toBe('11000');
  });

  test.each([
    ['[1, "1", true, "true", null, 1, "1", true, null]', '[1,"1",true,"true",null]'],
    ['[{"a": 1, "b": [2]}, {"b": [2], "a": 1}, {"a": 1}]', '[{"a":1,"b":[2]},{"a":1}]'],
    ['[[1, 2], [2, 1], [1, 2]]', '[[1,2],[2,1]]'],
    ['["{\\"a\\":1}", {"a": 1}]', '["{\\"a\\":1}",{"a":1}]'],
    ['[1, 1]', '[1]'],
    ['5', '5'],
  ])('%s', async (list, is) => {
    expect(await outcome(`$distinct(${list})`, scopeOf({}))).toBe(is);
    const compiled = compile(`$distinct(${list})`);
    const raw = compiled.kind === 'expression' ? await compiled.interpret(scopeOf({})) : undefined;
    expect(JSON.stringify(raw)).toBe(is);
  });
});

describe('functions that are handed to others', () => {
  test.each([
    ['$map([1, 2.5], $string)', '["1","2.5"]'],
    ['$map(["a", "b"], $base64encode)', '["YQ==","Yg=="]'],
    ['["a", "bc"].$pad(-3, "xy")', '["xya","xbc"]'],
    ['$pad("ä", 4, "ö😀")', '"äö😀ö"'],
    ['$clone({"a": [1]})', '{"a":[1]}'],
    ['$clone($states.input.nothing)', '! returned nothing (undefined).'],
    ['$replace("abab", /b/, "$0$0", 1)', '"abbab"'],
    ['$split("a b  c", /\\s+/)', '["a","b","c"]'],
  ])('%s: %s', async (source, is) => {
    expect(await outcome(source, scopeOf({}))).toBe(is);
  });
});
