import { KNOWN_FUNCTIONS } from '../../../packages/local/language/jsonata/known-functions';
import { parseKeyExpressions } from '../../../state-machine/expression/key-expressions';
import { parsePayloadExpression } from '../../../state-machine/expression/payload-expression';
import { payloadHashExpression } from '../../../state-machine/jsonata/payload';
import { type IdempotencyKey, Key } from '../../../state-machine/options/key';
import { evaluate206 } from '../../support/evaluate';

// Payloads as teams write them, and what becomes of each.

/** An expression over the event: `_` stands for `$states.input.detail`. */
const over = (jsonata: string) =>
  `{% ${jsonata.replace(/(?<![\w$])_(?=[.[ ,)~;]|$)/g, '$states.input.detail')} %}`;
/** Functions that make one list of their arguments. */
const JOINING = [...KNOWN_FUNCTIONS].flatMap(([name, { joinsArguments }]) => (joinsArguments ? [name] : []));

/** The key of an input; undefined if it has none. */
async function keyIn(expression: string, input: unknown): Promise<unknown> {
  const evaluation = await evaluate206(expression, { states: { input } });
  return 'value' in evaluation ? evaluation.value : undefined;
}

/** The result for a user who types the code of a message. */
function typed(code: string): IdempotencyKey {
  return new Function('Key', `return ${code}`)(Key) as IdempotencyKey;
}

describe('payloads, and hashes of them as keys', () => {
  const saidOf = (jsonata: string) => {
    const texts = [
      () => parsePayloadExpression(over(jsonata)),
      () => parseKeyExpressions(Key.ofPayload(over(jsonata))),
    ].map(read => {
      try {
        read();
        return 'accepted';
      } catch (error) {
        return (error as Error).message;
      }
    });
    return texts;
  };

  test.each([
    '_',
    '_.amount',
    "_.{'amount': amount, 'currency': currency}",
    "{'path': $states.input.path, 'body': $states.input.body}",
    "$sift(_, function($v, $k) { $not($k in ['timestamp', 'requestId']) })",
    '$sift(_, function($v, $k) { $not($contains($k, /^_/)) })',
    "_ ~> |$|{}, ['ts', 'traceId']|",
    "_ ~> |**|{}, ['position']|",
    "_ ~> |metadata|{'retryCount': 0}|",
    "_.items.{'sku': sku, 'count': count}",
    "$map(_.items, function($i) { {'sku': $i.sku} })",
    '$sort(_.tables)',
    '_.lines^(sku)',
    '$distinct(_.tags)',
    "$merge([_, {'metadata': {}}])",
    "$merge($each(_, function($v, $k) { $k = 'ts' ? {} : {$k: $v} }))",
    "_.lines[status != 'cancelled']",
    "$filter(_.lines, function($l) { $l.status != 'cancelled' })",
    '$lowercase($trim(_.email))',
    "_.{'id': id, 'mode': mode ? mode : 'sync'}",
    '$round(_.amount * 100)',
    "_.kind = 'refund' ? _.{'refund': refundId} : _.{'charge': id}",
    "( $f := function($o) { $type($o) = 'object' ? $merge($each($o, function($v, $k) { $k = 'ts' ? {} : {$k: $f($v)} })) : $o }; $f(_) )",
    '$parse($states.input.body)',
    '$sort($keys(_))',
    '_.items{(sku): $sum(count)}',
    '[_.items.sku]',
    '[[_.from], [_.to]]',
    '$max(_.*)',
    '$toMillis(_.at)',
  ])('accepted: %s', jsonata => {
    expect(saidOf(jsonata)).toEqual(['accepted', 'accepted']);
  });

  test.each<[string, RegExp, string]>([
    ['$string(_)', /into text/, '$states.input.detail'],
    [
      "_.amount & ' ' & _.currency",
      /into text/,
      "{'amount': $states.input.detail.amount, 'currency': $states.input.detail.currency}",
    ],
    ['$formatNumber(_.amount, "0.00")', /into text/, '$states.input.detail.amount'],
    [
      '[_.from, _.to]',
      /build a list.*are equal/,
      "{'from': $states.input.detail.from, 'to': $states.input.detail.to}",
    ],
    ['_.[from, to]', /build a list/, "{'from': $states.input.detail.from, 'to': $states.input.detail.to}"],
    ...JOINING.map((name): [string, RegExp, string] => [
      `$${name}(_.from, _.to)`,
      /build a list/,
      "{'from': $states.input.detail.from, 'to': $states.input.detail.to}",
    ]),
    ['_.*', /order of the members/, '$states.input.detail'],
    ['_.**.id', /order of the members/, '$states.input.detail'],
    ['$keys(_)', /order of the members/, '$states.input.detail'],
    ["[$keys(_)]{'names': $}", /order of the members/, '$states.input.detail'],
    ['$sort([[$keys(_)]])', /order of the members/, '$states.input.detail'],
    ['$sort($zip($keys(_), _.*))', /order of the members/, '$states.input.detail'],
    ['$spread(_)', /order of the members/, '$states.input.detail'],
    ['$each(_, function($v) { $v })', /order of the members/, '$states.input.detail'],
    ['$sum(_.*)', /order of the members/, '$states.input.detail'],
    ['_.*[0]', /order of the members/, '$states.input.detail'],
    ['$merge(_.*)', /order of the members/, '$states.input.detail'],
  ])('rejected, with what is accepted: %s', (jsonata, why, instead) => {
    for (const [said, prop] of saidOf(jsonata).map((one, at) => [one, ['payload', 'Key.ofPayload'][at]])) {
      expect(said).toMatch(why);
      expect(said).toContain(`\`${prop}\` must not`);
      expect(said).toContain(`{% ${instead} %}`);
    }
    expect(saidOf(instead)).toEqual(['accepted', 'accepted']);
  });

  test.each<[string, object, object]>([
    ['[_.a, _.b]', { a: 'x' }, { b: 'x' }],
    ['$append(_.a, _.b)', { a: 'x' }, { b: 'x' }],
    ['_.[a, b]', { a: 'x' }, { b: 'x' }],
    ['$merge([_.a, _.b])', { a: { v: 1 } }, { b: { v: 1 } }],
    ["$merge([_.a, {'v': _.b}])", { a: { v: 1 } }, { b: 1 }],
    ['$merge($append(_.a, _.b))', { a: { v: 1 } }, { b: { v: 1 } }],
    ['[_.a, _.b] ~> $merge', { a: { v: 1 } }, { b: { v: 1 } }],
    ['$sort(_.*)', { a: 'x' }, { b: 'x' }],
    ['_.*^($)', { a: 'x' }, { b: 'x' }],
    ['$sort(_.**.id)', { a: { id: 'x' } }, { b: { id: 'x' } }],
    ['$sort($each(_, function($v) { $v }))', { a: 'x' }, { b: 'x' }],
    ['$map($sort($keys(_)), function($k) { $lookup(_, $k) })', { a: 'x' }, { b: 'x' }],
    ['$single(_.*, function($v) { $v = "x" })', { a: 'x', c: 'y' }, { b: 'x', c: 'y' }],
    ['$map([_.a, _.b], function($v) { $v })', { a: 'x' }, { b: 'x' }],
    ['$reduce([_.a, _.b], function($x, $y) { $x })', { a: 'x' }, { b: 'x' }],
    ['{(_.a): 1, (_.b): 1}', { a: 'x', b: 'y' }, { a: 'y', b: 'x' }],
  ])('rejected, because values are without the names of their members: %s', async (jsonata, one, other) => {
    const hashes = [one, other].map(detail =>
      keyIn(payloadHashExpression(over(jsonata).slice(2, -2)), { detail }),
    );

    expect(await hashes[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashes[0]).toBe(await hashes[1]);
    for (const said of saidOf(jsonata)) {
      expect(said).toMatch(/must not (?:build a list|take values without|follow the order)/);
      const [, instead = ''] = / (?:members|object|matter): (["'].*?["'])(?:$|, or)/.exec(said) ?? [];
      const remedy = String(typed(instead)).slice(2, -2);
      expect(saidOf(remedy)).toEqual(['accepted', 'accepted']);
      const apart = [one, other].map(detail => keyIn(payloadHashExpression(remedy), { detail }));
      expect(await apart[0]).not.toBe(await apart[1]);
    }
  });

  test.each([
    ["$merge([_, {'metadata': {}}])", 'a member is replaced by a constant'],
    ["$merge([_, {'at': $floor(_.at / 3600)}])", 'a member of the same object is replaced'],
    ['$merge($each(_, function($v, $k) { {$k: $v} }))', 'each value has its name'],
    ['$merge($map($sort($keys(_)), function($k) { {$k: $lookup(_, $k)} }))', 'each value has its name'],
    ['$merge(_.items)', 'the items of one list'],
    ['$lookup(_.prices, _.currency)', 'one value, by a name that the event has'],
    ['$max([_.a, _.b])', 'a number that is computed of both'],
    ['_.mode ? _.mode : _.kind', 'the author says what stands for what'],
  ])('accepted: %s, %s', jsonata => {
    expect(saidOf(jsonata)).toEqual(['accepted', 'accepted']);
  });

  test.each([
    '$now()',
    '$toMillis(_.at, "[H01]")',
    "{'at': $millis(), 'a': _}",
    '( $sort := function($l) { $l }; $sort($keys(_)) )',
  ])('rejected: %s', jsonata => {
    expect(saidOf(jsonata)).not.toContain('accepted');
  });

  test.each([
    ['$round(_.amount)', '$round makes the same of 1.4 and 1.'],
    ['_.ids ~> $count', '$count makes the same of ["a"] and ["b"].'],
    ['($type(_.id))', '$type makes the same of "a" and "b".'],
    ['_.a ? _.a : _.b', 'one value can come from either member'],
    ['_.items[0].id', 'the other items do not count'],
    ['$lowercase(_.email)', 'upper and lower case are one'],
  ])(
    'the hash of a value that two events share is not better than the value, and is warned of: %s',
    (jsonata, because) => {
      const { meetings } = parseKeyExpressions(Key.ofPayload(over(jsonata)));

      expect(meetings).toEqual([expect.stringContaining(because)]);
      expect(parseKeyExpressions(Key.ofPayload(over(`{'a': ${jsonata}}`))).meetings).toEqual([]);
    },
  );

  test('a hash that all events of a branch share: rejected as a key', () => {
    const [payload, key] = saidOf("_.kind = 'a' ? {'x': 1} : {'y': 2}");

    expect(payload).toBe('accepted');
    expect(key).toMatch(/gives the same for all events of a branch/);
  });
});
