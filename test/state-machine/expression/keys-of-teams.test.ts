import { isDeepStrictEqual } from 'node:util';
import { parseKeyExpressions } from '../../../state-machine/expression/key-expressions';
import { keyExpression } from '../../../state-machine/jsonata/key';
import { type IdempotencyKey, Key } from '../../../state-machine/options/key';
import { evaluate206 } from '../../support/evaluate';
import { eventsIn } from '../../support/warned-events';

// Keys as teams write them, and what becomes of each.

/** An expression over the event: `_` stands for `$states.input.detail`. */
const over = (jsonata: string) =>
  `{% ${jsonata.replace(/(?<![\w$])_(?=[.[ ,)~;]|$)/g, '$states.input.detail')} %}`;
const keyOf = (given: string | readonly string[]) =>
  typeof given === 'string' ? over(given) : given.map(over);
const messageOf = (key: IdempotencyKey) => {
  try {
    return parseKeyExpressions(key).meetings?.join('\n') ?? '';
  } catch (error) {
    return `rejected: ${(error as Error).message}`;
  }
};

describe('keys that are accepted without a word', () => {
  test.each<string | readonly string[]>([
    '_.invoice.number',
    '_."order-id"',
    "_.'order-id'",
    '_.`order-id`',
    '$states.input.headers.`x-request-id`',
    '(_.id)',
    '$states.input',
    '$parse($states.input.Message).id',
    '$parse($base64decode($states.input.kinesis.data)).id',
    ['_.tenant', '_.invoice'],
    ['_.queue', '_.operation', '_.version'],
    ["'price-updated'", '_.sku'],
    ['2', '_.sku'],
    ['_.id', "$exists(_.version) ? _.version : '1'"],
    ['_.id', "$not($exists(_.version)) ? '1' : _.version"],
    ['_.id', "_.type = 'refund' ? 'refund' : 'charge'"],
    ['_.id', "_.type = 'refund' and _.amount > 0 ? 'refund' : _.type in ['a', 'b'] ? 'other' : 'charge'"],
    ['_.id', "_.isFinal ? 'final' : 'draft'"],
    ["$exists(_.email) ? 'email' : 'phone'", '$exists(_.email) ? _.email : _.phone'],
    ["( $exists(_.email) ) ? 'e' : 'p'", '$exists(_.email) ? (_.email) : _.phone'],
    ['_.id', "_.type = 'refund' ? _.refundId"],
    "$type(_.id) = 'string' ? _.id",
    ['_.kind', "_.kind = 'refund' ? _.refundId : _.chargeId"],
    ['_.kind', '_.isFinal', "_.kind = 'a' ? (_.isFinal ? _.a : _.b) : _.c"],
    'true ? _.id : _.id',
    '$states.context.Execution.Name',
    '$states.context.Execution.Input.id',
    ['$uppercase(_.kind)', '_.kind', "$uppercase(_.kind) = 'A' ? _.a : _.b"],
    ["$contains(_.kind, 'x') ? 'x' : 'y'", "$contains(_.kind, 'x') ? _.a : _.b"],
    ['_.kind', '$contains(_.kind, /x/) and $length(_.kind) > 3 ? _.a : _.b'],
    ["_.kind = 'a' ? 1 : _.kind = 'b' ? 2 : 3", "_.kind = 'a' ? _.x : _.kind = 'b' ? _.y : _.z"],
    ['_.id', "$exists(_.v) ? _.v.id : '1'"],
    ['_.id', "_.v = 'x' ? 'other' : _.v"],
    ['_.id', "$exists(_.v) and _.isFinal ? _.w : '1'"],
    ['_.id', "'x' = _.v ? 'other' : _.v"],
  ])('%j', key => {
    expect(messageOf(keyOf(key))).toBe('');
  });
});

describe('keys that are accepted with a warning, which shows events that get one key', () => {
  test.each<string | readonly string[]>([
    '_.messageId ? _.messageId : _.assetId',
    '$exists(_.a) ? _.a : $exists(_.b) ? _.b : _.c',
    ['_.tenant', "_.kind = 'x' ? _.a : _.b"],
    ['$lowercase(_.kind)', "_.kind = 'x' ? _.a : _.b"],
    ["'t'", "_.kind = 'x' ? _.a : _.b", "_.kind = 'x' ? 'same' : 'same'"],
    ['_.id', "_.v ? _.v : '1'"],
    ['_.id', "_.v = 'x' ? _.v : 'other'"],
    '$lowercase(_.email)',
    '$uppercase(_.code)',
    '$lowercase($trim(_.email))',
    '_.email ~> $trim ~> $lowercase()',
    '$substring(_.at, 0, 4)',
    '$substring(_.at, 0, 10)',
    '$substring(_.at, 0, 19)',
    '$substring(_.code, 3)',
    "$substringBefore(_.key, '/')",
    "$substringAfter(_.key, '/')",
    "$split(_.arn, '/')[-1]",
    "$split(_.arn, ':')[0]",
    "$lowercase($split(_.arn, ':')[2])",
    '_.Records[0].s3.object.sequencer',
    '$lowercase(_.Records[-1].id)',
    '$parse(_.Records[1].body).id',
    '$lowercase($parse($states.input.body).email)',
    '(_.lines.id)[0]',
    ['_.id', "_.headers[name = 'X-Id'].value"],
    "$hash(_.url, 'SHA-256')",
    '$number(_.id)',
    '_.version + 1',
    '_.version - 1',
    '$floor(_.at)',
    '$floor(_.at / 3600)',
    '$toMillis(_.at)',
    '$fromMillis(_.at)',
    "$fromMillis($toMillis(_.at), '[Y0001]-[M01]-[D01]')",
    '$substring($fromMillis($toMillis(_.at)), 0, 10)',
    "_.a = 'x' and _.b > 5 ? _.a : _.b",
    '_.isNew or $exists(_.a) ? _.a : _.b',
    ['_.tenant', "_.kind in ['x', 'y'] and $not(_.old) ? _.a : _.b"],
    ['_.id', "$exists(_.a) and $exists(_.b) ? _.a : '1'"],
    '$exists($parse($states.input.body).a) ? $parse($states.input.body).a : $parse($states.input.body).b',
    '$exists(_.customer) ? _.customer.id : _.guest.email',
    ['_.id', "_.count > 3 ? _.count : 'few'"],
    '$exists(_.items[0].id) ? _.items[0].id : _.items[1].id',
    '$exists(_.a.b) ? _.a.b : _.a',
    "$type(_.a) = 'object' ? _.a.id : _.a",
    ['_.id', "$contains(_.a, 'x') ? _.a : _.b", "$contains(_.a, 'x') = _.c ? '1' : '2'"],
    ['_.id', "$contains(_.a, 'x') ? _.a : '2'"],
    ['_.id', "$type(_.a) = 'number' ? '1' : _.a"],
    ['_.id', "$type(_.a) = 'boolean' ? '1' : _.a"],
    ['_.id', "_.a in [1, 2, 'x'] ? '1' : _.a"],
    ['_.id', "$not(_.a) = true ? '1' : _.a"],
    ['_.id', "$exists(_.a) and _.a != null ? _.a : 'none'"],
    ["_.country in ['AT', 'BE'] ? _.a : _.b", "_.country in ['AT', 'BE', 'DE'] ? 'x' : 'y'"],
    ['_.id', "_.v = 'x' ? 'c' : _.v = 'y' ? 'c' : _.v"],
    ['_.id', "$exists(_.v) ? (_.v = '' ? 'none' : _.v) : 'none'"],
    ['$lowercase(_.email)', "$sum(_.lines.amount) > 100 ? 'big' : 'small'"],
    ['_.a[0]', '_.a[1]'],
    ['_.Records[0].s3.bucket.name', '_.Records[0].s3.object.key'],
    "$hash($lowercase(_.email), 'SHA-256')",
    "$substringAfter(_.a, '1')",
    "$split(_.a, '1')[1]",
    "_.type = 'order' ? _.orderId : _.type = 'refund' ? _.refundId : _.orderId",
  ])('%j', async key => {
    const warnings = messageOf(keyOf(key)).split('\n');
    const source = parseKeyExpressions(keyOf(key));

    for (const warning of warnings) {
      const [one, other, isOfAll] = eventsIn(warning);
      const found = await keyIn(keyExpression('S', source), one);
      expect(found).toMatch(/^S#/);
      expect(await keyIn(keyExpression('S', source), other)).toBe(found);
      expect(isDeepStrictEqual(one, other)).toBe(isOfAll);
    }
  });

  test('a fallback: the code of the warning tells both apart, and is accepted without a word', () => {
    const [, code = ''] =
      /write `idempotencyKey: (\[.*\])`/.exec(messageOf(over('_.messageId ? _.messageId : _.assetId'))) ?? [];

    expect(code).toContain("'detail.messageId'");
    expect(messageOf(typed(code))).toBe('');
  });
});

/** The key of an input; undefined if it has none. */
async function keyIn(expression: string, input: unknown): Promise<unknown> {
  const evaluation = await evaluate206(expression, { states: { input } });
  return 'value' in evaluation ? evaluation.value : undefined;
}

/** The result for a user who types the code of a message. */
function typed(code: string): IdempotencyKey {
  return new Function('Key', `return ${code}`)(Key) as IdempotencyKey;
}

describe('keys that end synthesis, with code that is accepted', () => {
  test.each<[string | readonly string[], RegExp, string]>([
    ["'order-' & _.id", /uses &/, "'{% $states.input.detail.id %}'"],
    ["_.shop & '/' & _.id", /uses &/, "['{% $states.input.detail.shop %}', '{% $states.input.detail.id %}']"],
    ['$string(_.id)', /uses \$string/, "'{% $states.input.detail.id %}'"],
    ['$formatBase(_.id)', /uses \$formatBase/, "'{% $states.input.detail.id %}'"],
    ["$formatInteger(_.id, '0')", /uses \$formatInteger/, "'{% $states.input.detail.id %}'"],
    ["$formatNumber(_.amount, '0.00')", /uses \$formatNumber/, "'{% $states.input.detail.amount %}'"],
    ['$base64encode(_.id)', /uses \$base64encode/, "'{% $states.input.detail.id %}'"],
    [
      "$hash(_.a & '|' & _.b, 'SHA-256')",
      /uses &/,
      "['{% $states.input.detail.a %}', '{% $states.input.detail.b %}']",
    ],
    ["$hash($string(_), 'SHA-256')", /uses \$string/, "Key.ofPayload('{% $states.input.detail %}')"],
    ["$hash(_.url, 'MD5')", /calls \$hash/, "'{% $states.input.detail.url %}'"],
    ['[_.a, _.b]', /build a list/, "['{% $states.input.detail.a %}', '{% $states.input.detail.b %}']"],
    [
      "$join([_.a, _.b], '-')",
      /uses \$join/,
      "['{% $states.input.detail.a %}', '{% $states.input.detail.b %}']",
    ],
    [
      '$append(_.a, _.b)',
      /uses \$append/,
      "['{% $states.input.detail.a %}', '{% $states.input.detail.b %}']",
    ],
    ['_.[a, b]', /build a list/, "['{% $states.input.detail.a %}', '{% $states.input.detail.b %}']"],
    ['$now()', /uses \$now/, "'{% $states.input.detail.orderId %}'"],
    [['_.id', '$millis()'], /\[1\]` must have the same value.*\$millis/, "'{% $states.input.detail.id %}'"],
    [['_.id', '$substring($now(), 0, 10)'], /\$now/, "'{% $states.input.detail.id %}'"],
    ['_.id ~> $shuffle', /\$shuffle/, "'{% $states.input.detail.id %}'"],
    [
      "$toMillis(_.slot, '[H01]:[m01]')",
      /\$toMillis, which takes from the clock/,
      "'{% $states.input.detail.slot %}'",
    ],
    ["_.slot ~> $toMillis('[H01]:[m01]')", /\$toMillis/, "'{% $states.input.detail.slot %}'"],
    ["( $f := $toMillis; $f(_.slot, '[H01]') )", /\$toMillis/, "'{% $states.input.detail.slot %}'"],
    ["_.kind = 'a' ? 'x' : 'y'", /constant in a branch/, "['{% $states.input.detail.orderId %}', "],
    ["$exists(_.v) ? _.v : '1'", /constant in a branch/, "['{% $states.input.detail.orderId %}', "],
    [
      ["_.a ? _.a : '-'", "_.b ? _.b : '-'"],
      /constant in a branch/,
      "['{% $states.input.detail.orderId %}', ",
    ],
    [["''", '_.id'], /gives an empty text/, "'{% $states.input.detail.id %}'"],
    [['1.5', '_.id'], /gives 1.5/, "'{% $states.input.detail.id %}'"],
    [['true', '_.id'], /gives true/, "'{% $states.input.detail.id %}'"],
    ['_.a = _.b', /gives a boolean/, "['{% $states.input.detail.orderId %}', "],
    ['$exists(_.a)', /gives a boolean/, "['{% $states.input.detail.orderId %}', "],
    ["{'a': _.a}", /gives an object/, 'Key.ofPayload("{% {\'a\': $states.input.detail.a} %}")'],
    ['$substring(_.message, 0, 60)', /\$substring makes the same/, "'{% $states.input.detail.message %}'"],
    ['$substring(_.message, -6)', /\$substring makes the same/, "'{% $states.input.detail.message %}'"],
    ['$type(_.id)', /\$type makes the same/, "'{% $states.input.detail.id %}'"],
    ['$length(_.id)', /\$length makes the same/, "'{% $states.input.detail.id %}'"],
    ['$pad(_.id, 5)', /\$pad makes the same/, "'{% $states.input.detail.id %}'"],
    ['$parseInteger(_.id)', /\$parseInteger makes the same/, "'{% $states.input.detail.id %}'"],
    ['$abs(_.n)', /\$abs makes the same/, "'{% $states.input.detail.n %}'"],
    ['$round(_.n)', /\$round makes the same/, "'{% $states.input.detail.n %}'"],
    ["$replace(_.id, /[^0-9]/, '')", /\$replace makes the same/, "'{% $states.input.detail.id %}'"],
    ['$sum(_.quantities)', /\$sum makes the same/, "Key.ofPayload('{% $states.input.detail.quantities %}')"],
    ['$count(_.items)', /\$count makes the same/, "Key.ofPayload('{% $states.input.detail.items %}')"],
    ['$keys(_)', /order of the members/, "Key.ofPayload('{% $states.input.detail %}')"],
    ['_.*', /order of the members/, "Key.ofPayload('{% $states.input.detail %}')"],
    ['**.id', /reads \*\*, which is always nothing/, ''],
    ['$sort(_.tables)', /calls \$sort/, "Key.ofPayload('{% $sort($states.input.detail.tables) %}')"],
    ['$map(_.ids, function($i) { $i.id })', /function of its own/, 'Key.ofPayload('],
    ['_ ~> |$|{}, ["at"]|', /changes an object/, 'Key.ofPayload('],
    ['_.a * 1000 + _.b', /uses \+/, "['{% $states.input.detail.a %}', '{% $states.input.detail.b %}']"],
    ['_.n * 2', /uses \*/, "'{% $states.input.detail.n %}'"],
    ['_.n / 3', /uses \//, "'{% $states.input.detail.n %}'"],
    ['( $d := _; $d.id )', /has a variable/, "'{% $states.input.detail.id %}'"],
    ['_.(a ? a : b)', /not a path/, "['{% $states.input.detail.a %}', '{% $states.input.detail.b %}']"],
    ["_.headers[name = 'X-Id'].value", /filter, which can find several/, '["{% $states.input.detail.headers'],
    ['_.items@$i.id', /not a path/, "'{% $states.input.detail.items.id %}'"],
    ['_.items[].id', /not a path/, "'{% $states.input.detail.items.id %}'"],
    ['_.items^(id).id', /sorts/, "'{% $states.input.detail.items.id %}'"],
    ['$parse(_.body)', /calls \$parse/, "'{% $states.input.detail.body %}'"],
    ["$lookup(_, 'id')", /\$lookup/, "'{% $states.input.detail.id %}'"],
    ['_.items[1001].id', /not a form/, "'{% $states.input.detail.items.id %}'"],
    [["$contains(_.k, /x/) ? 'x' : 'y'", '$contains(_.k, /y/) ? _.a : _.b'], /cannot be shown/, 'detail.k'],
    [
      ["$exists(_.(a)[t = 'x']) ? 'p' : 'q'", "$exists(_.(a)[t = 'y']) ? _.b : _.c"],
      /cannot be shown/,
      'detail.b',
    ],
    [['_.id', "$exists(_.v)[_.w] ? _.v : '1'"], /cannot be shown/, "'{% $states.input.detail.v %}'"],
    [['_.id', "$not(_.v = 'x')[_.w] ? _.v : 'c'"], /cannot be shown/, "'{% $states.input.detail.v %}'"],
    [['_.id', "$not($exists(_.v)){'a': 1} ? '1' : _.v"], /cannot be shown/, "'{% $states.input.detail.v %}'"],
    [['_.id', "_.items[0].sku = 'x' ? _.items.sku : 'none'"], /cannot be shown/, 'items.sku'],
    [
      ['_.id', "$states.context.Execution.Input.detail.v = 'x' ? _.v : 'c'"],
      /cannot be shown/,
      "'{% $states.input.detail.v %}'",
    ],
    [['(_.l.id)[0]', "_.l.id[0] = 'x' ? _.a : _.b"], /cannot be shown/, 'detail.a'],
    [['_.r[0].v', "$exists(_.r[1]) ? 'yes' : 'no'"], /cannot be shown/, 'detail.r.v'],
    [
      ['_.id', "'a' in _.*#$i[$i = 0] ? '1' : '2'"],
      /order of the members/,
      "'{% $states.input.detail.id %}'",
    ],
    [
      ['_.id', "$exists($keys(_)#$i[$i = 0]) ? '1' : '2'"],
      /order of the members/,
      "'{% $states.input.detail.id %}'",
    ],
    ["_.h[name[1] = 'X'].v", /not a form/, 'detail.h.v'],
    ["$split(_.x, '\\\\')[0] & 'x'", /uses &/, '$split('],
    ['_.a &\n _.b', /uses &/, "'{% $states.input.detail.b %}'"],
    ["_.a & '\"`' & _.b", /uses &/, "'{% $states.input.detail.b %}'"],
    ['$substring(_.id, 1001)', /\$substring makes the same/, "'{% $states.input.detail.id %}'"],
    ["$split(_.id, '/')[-1001]", /\$split makes the same/, "'{% $states.input.detail.id %}'"],
    [
      ['_.a', '_.b', '_.a.c'],
      /is a member of it, so that no event has both/,
      "'{% $states.input.detail.a.c %}'",
    ],
    [
      '$length(_.kind) > 3 ? _.a : _.b',
      /cannot be shown to give two events two keys/,
      "? 'detail.a' : 'detail.b'",
    ],
    [
      ["_.kind = 'a' ? 1 : _.kind = 'b' ? 2 : 3", "_.kind = 'b' ? _.x : _.y"],
      /cannot be shown/,
      "(_.kind = 'b') ? 'detail.x' : 'detail.y'".replaceAll('_', '$states.input.detail'),
    ],
    [
      ['$substring(_.at, 0, 10)', '$substring(_.at, 10)'],
      /cannot be shown/,
      "'{% $states.input.detail.at %}'",
    ],
  ])('%j', (key, why, code) => {
    const message = messageOf(keyOf(key));
    expect(message).toMatch(/^rejected: `idempotencyKey/);
    expect(message).toMatch(why);
    if (code === '') return;

    const [, written = ''] =
      /(?:[Ww]rite|part(?: that the event always has:|, which must be one value:)) `idempotencyKey: (.*?)`/.exec(
        message,
      ) ?? [];
    expect(written).toContain(code);
    expect(messageOf(typed(written))).not.toMatch(/^rejected/);
    const [, meant] = /share a key: (Key\.unchecked\(.*\))$/.exec(message) ?? [];
    if (meant === undefined) return;
    expect(messageOf(typed(meant))).toBe('');
  });

  test.each(['$now()', '$toMillis(_.at, "[H01]")', "'order'", '$states.*.id', 'id'])(
    'not even unchecked: %s',
    key => {
      expect(messageOf(Key.unchecked(over(key), { reason: 'because' }))).toMatch(/^rejected/);
    },
  );

  test.each(["''", '0.1', 'null', "_.a = 'x'", "{'a': _.a}"])(
    'not even unchecked, because no event has a key: %s',
    part => {
      const parts = [over('_.id'), over(part)];

      expect(messageOf(Key.unchecked(parts, { reason: 'because' }))).toMatch(/^rejected: .*not a valid key/);
      expect(messageOf(parts)).not.toContain('Key.unchecked');
    },
  );

  test.each(['_.*', '$keys(_)[0]', '$join($keys(_))', '$map($spread(_), $keys)'])(
    'not even unchecked, because one event has two keys with its members in another order: %s',
    key => {
      const message = messageOf(Key.unchecked(over(key), { reason: 'because' }));

      expect(message).toMatch(/^rejected: `idempotencyKey` must not follow the order of the members/);
      expect(messageOf(over(key))).not.toContain('Key.unchecked');
    },
  );

  test('unchecked with an unknown option: it is named', () => {
    const options = { reason: 'the ids of our ERP', scope: 'orders' };

    expect(() => Key.unchecked('{% $states.input.id %}', options)).toThrow(/`scope`.*`?reason/);
  });

  test.each([undefined, {}, { reason: '' }, { reason: ' ' }, { reason: 5 }])(
    'unchecked with %j: no reason',
    given => {
      expect(() => Key.unchecked('{% $states.input.id %}', given as never)).toThrow(/needs a `reason`/);
    },
  );
});
