import { parseKeyExpressions, parseRequestKey } from '../../../state-machine/expression/key-expressions';
import { parsePayloadExpression } from '../../../state-machine/expression/payload-expression';
import { requireOfTheEvent } from '../../../state-machine/expression/same-in-each-delivery';
import { Key } from '../../../state-machine/options/key';

const rejectedAs = (key: unknown) => {
  try {
    parseKeyExpressions(key as never);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('what reads more of an execution than its input: rejected', () => {
  test.each([
    '$states',
    '($s := $states; $s.context.Execution.StartTime)',
    "$lookup($lookup($states, 'context'), 'Execution').StartTime",
    '($states).context.Execution.Id',
    "$states ~> $lookup('context')",
    '$states.*.Execution.Id',
    '$states.**.StartTime',
    '$states.(context.Execution.Id)',
    '$states.input.%.context.Execution.Id',
  ])('%s', expression => {
    const sentence = /must read members of \$states by their names, as one path|must have the same value/;

    expect(rejectedAs(`{% ${expression} %}`)).toMatch(sentence);
    expect(rejectedAs(Key.ofPayload(`{% ${expression} %}`))).toMatch(sentence);
    expect(() => parsePayloadExpression(`{% ${expression} %}`)).toThrow(sentence);
  });
});

describe('what is always nothing: rejected, with the path that was meant', () => {
  test.each([
    ['detail.orderId', 'detail', '$states.input.detail'],
    ["{'amount': detail.amount, 'id': $states.input.id}", 'detail', '$states.input.detail'],
    ['$.amount', '$', '$states.input'],
    ['$$.amount', '$$', '$states.input'],
    ['$exists($states.input.id) ? amount : 1', 'amount', '$states.input.amount'],
    ['$map($states.input.items, function($i) { price })', 'price', '$states.input.price'],
    ['*', '*', '$states.input'],
  ])('%s', (expression, read, path) => {
    expect(() => parsePayloadExpression(`{% ${expression} %}`)).toThrow(
      `\`payload\` reads ${read}, which is always nothing, because an expression of Step Functions has no context. For the ` +
        `event, write ${path}; got {% ${expression} %}`,
    );
  });

  test('one part of a composite key', () => {
    expect(rejectedAs(['{% $states.input.a %}', '{% detail.b %}'])).toMatch(
      /^`idempotencyKey\[1\]` reads detail,/,
    );
  });

  test('a list with a hole', () => {
    // biome-ignore lint/suspicious/noSparseArray: this is what is rejected.
    expect(rejectedAs([, '{% $states.input.a %}'])).toMatch(/^`idempotencyKey\[0\]` is required/);
  });
});

test.each([
  ['$exists($states.input.a)', 'a boolean'],
  ['$states.input.a = 1 or $states.input.b', 'a boolean'],
  ["{'a': $states.input.a}", 'an object'],
])('never a key: rejected, %s', (expression, gives) => {
  expect(rejectedAs(`{% ${expression} %}`)).toMatch(
    `gives ${gives}, which is not a valid key, for every event`,
  );
  expect(rejectedAs(['{% $states.input.id %}', `{% ${expression} %}`])).toMatch(`gives ${gives}`);
});

test('the whole input, which may be a text: accepted', () => {
  expect(rejectedAs('{% $states.input %}')).toBe('accepted');
});

test.each(["{'a': 1}", "'x'", '4'])(
  'a payload that is the same for every event: rejected, %s',
  expression => {
    expect(() => parsePayloadExpression(`{% ${expression} %}`)).toThrow(
      /^`payload` must read the event in \$states\.input/,
    );
  },
);

test.each([
  "$states.input.detail.{'amount': amount, 'currency': currency}",
  '$states.input.items[sku = "a"].price',
  '$states.input.items^(>price).sku',
  '$states.input.items{(sku): $sum(price)}',
  '$map($states.input.items, function($i) { $i.price })',
  '($r := $states.input.lines; $r.price)',
  '$states.input.items@$i.{"id": $i.id}',
  '$states.input.items#$n.{"n": $n}',
  "$states.input.items.($p := price; {'p': $p, 'all': $})",
  '$filter($states.input.items, function($i) { $i.price > 3 }).sku',
  '$states.input.items ~> $map(function($i) { $i.sku })',
  '$states."input".id',
  "$states.{'a': input.id}.a",
])('reads the input alone: accepted, %s', expression => {
  expect(parsePayloadExpression(`{% ${expression} %}`)?.jsonata).toBe(expression);
});

test('blanks around an expression: left out', () => {
  expect(parsePayloadExpression(' {%  $states.input.id %}\n')?.jsonata).toBe('$states.input.id');
});

test.each(['$states.input.items@$states.id', '$states.input.items#$states[0].id'])(
  'a step that binds $states: rejected, %s',
  expression => {
    expect(() => parsePayloadExpression(`{% ${expression} %}`)).toThrow(/binds \$states/);
  },
);

test.each([
  Array(5000).fill('$states.input.a').join(' and '),
  `${'('.repeat(20_000)}$states.input.a${')'.repeat(20_000)}`,
])('too deep for the parser or for us: a sentence', expression => {
  expect(() => parsePayloadExpression(`{% ${expression} %}`)).toThrow(/^`payload` is nested too deeply/);
});

test('no position: none is shown', () => {
  expect(rejectedAs('{% %.a %}')).not.toMatch(/undefined/);
});

describe('with a source that leaves members out', () => {
  const requires = (expression: string) => () =>
    requireOfTheEvent(
      { key: parseKeyExpressions(`{% ${expression} %}`), payload: undefined },
      ['id', 'time'],
      false,
    );

  test.each([
    "$lookup($states.input, 'id')",
    '($states.input).id',
    '($i := $states.input; $i.time)',
    '$states.input ~> |$|{}, ["detail"]|',
    '$states.input.{"at": detail.at, "time": time}',
    '$states.input.(time)',
  ])('by another way than a path: rejected, %s', expression => {
    const key = parseKeyExpressions(Key.ofPayload(`{% ${expression} %}`));
    const required = () => requireOfTheEvent({ key, payload: undefined }, ['id', 'time'], false);

    expect(required).toThrow(
      /^`Key\.ofPayload` must name members of \$states\.input|^\$states\.input\.(id|time) differs/,
    );
  });

  test.each([
    "$states.input.{'o': detail.orderId}",
    '($i := $states.input; $i.detail.id)',
    '$states.input.(a ? a : b)',
  ])('members that are selected otherwise: accepted, %s', expression => {
    const key = parseKeyExpressions(Key.ofPayload(`{% ${expression} %}`));

    expect(() => requireOfTheEvent({ key, payload: undefined }, ['id', 'time'], false)).not.toThrow();
  });

  test.each(['$states.input.detail.id', '$lowercase($states.input.detail.id)'])(
    'by its path: accepted, %s',
    expression => {
      expect(requires(expression)).not.toThrow();
    },
  );
});

describe('the key that a front door takes of its request', () => {
  test('one value of the request', () => {
    for (const jsonata of ['$states.input.body.paymentId', '$states.input.headers."x-id"']) {
      expect(parseRequestKey(`{% ${jsonata} %}`)).toMatchObject({ kind: 'single', parts: [{ jsonata }] });
    }
  });

  test('several values of the request, and the hash of one', () => {
    const parts = ['{% $states.input.body.a %}', '{% $states.input.body.b %}'];
    expect(parseRequestKey(parts)).toMatchObject({
      kind: 'composite',
      parts: [{ text: parts[0] }, { text: parts[1] }],
    });
    expect(parseRequestKey(Key.ofPayload('{% $states.input.body %}'))).toMatchObject({ kind: 'payload' });
    expect(() => parseRequestKey(['{% $states.context.Execution.Name %}', parts[0] ?? ''])).toThrow(
      '`idempotencyKey` reads $states.context',
    );
  });

  test.each([
    [
      "$states.input.body.tenant & '-' & $states.input.body.id",
      'must not turn values into text',
      'body.tenant',
    ],
    ['$string($states.input.body.id)', 'must not turn values into text', 'body.id'],
    [
      '$join([$states.input.body.tenant, $states.input.body.id])',
      'must not turn values into text',
      'body.tenant',
    ],
    ['$uuid()', 'must have the same value', 'body.paymentId'],
    [
      '$states.context.Execution.Name',
      '`idempotencyKey` reads $states.context, which has other',
      'body.paymentId',
    ],
    ["'const'", '`idempotencyKey` must read the request in $states.input, such as', 'body.paymentId'],
  ])('%s: rejected, because two requests could share it', (jsonata, message, path) => {
    expect(() => parseRequestKey(`{% ${jsonata} %}`)).toThrow(message);
    expect(() => parseRequestKey(`{% ${jsonata} %}`)).toThrow(`{% $states.input.${path} %}`);
  });
});

test.each([
  ['detail.orderId', '{% $states.input.detail.orderId %}'],
  ['order.id', '{% $states.input.order.id %}'],
  ['$.order.items[0].id', '{% $states.input.order.items[0].id %}'],
  ["$.order['x y']", '{% $states.input.order."x y" %}'],
  ["$['order-id']", '{% $states.input."order-id" %}'],
  ['{{ $states.input.id }}', '{% $states.input.id %}'],
  [
    '{% $states.input.object.version-id %}',
    'Put the name into quotes, write $states.input.object."version-id"',
  ],
  ['{% $states.input.headers.x-request-id.value %}', 'write $states.input.headers."x-request-id".value;'],
  ["{% $states.input['order-id'] %}", `idempotencyKey: '{% $states.input."order-id" %}'`],
  ["{% $states.input.a['b'].c %}", "idempotencyKey: '{% $states.input.a.b.c %}'"],
  [
    '{% $states.input.a ?? $states.input.b %}',
    'write $exists($states.input.a) ? $states.input.a : $states.input.b',
  ],
  [
    '{% $states.input.a || $states.input.b %}',
    'write $exists($states.input.a) ? $states.input.a : $states.input.b',
  ],
  ['{% $states.input.a?.b %}', 'Write $states.input.a.b'],
  ["{% States.Format('{}', $states.input.a) %}", 'intrinsic functions are of JSONPath'],
  ['{% $now() %}', 'the day of a time that the event has'],
])('what people type first is answered with what they meant: %s', (key, meant) => {
  expect(rejectedAs(key)).toContain(meant);
});
