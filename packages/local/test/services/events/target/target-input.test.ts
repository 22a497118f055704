import type { JsonObject } from '../../../../json/json';
import type { EventTarget, InputTransformer, TargetInput } from '../../../../services/events/target/target';
import { compileTargetInput } from '../../../../services/events/target/target-input';
import { eventWith, sampleEvent } from '../sample-event';

const CONTEXT = {
  ruleArn: 'arn:aws:events:eu-central-1:123456789012:rule/shop/orders',
  ruleName: 'orders',
  ingestedAt: Date.parse('2026-03-04T05:06:08.250Z'),
};

const EC2: JsonObject = {
  'instance-id': 'i-0123456789',
  state: 'RUNNING',
  tries: 2,
  tags: ['a', 'b'],
  none: null,
  sizes: [1, 2],
};

const PATHS = {
  instance: '$.detail.instance-id',
  state: '$.detail.state',
  tries: '$.detail.tries',
  tags: '$.detail.tags',
  none: '$.detail.none',
  detail: '$.detail',
  gone: '$.detail.gone',
  sizes: '$.detail.sizes',
};

function build(given: Partial<EventTarget>, event = eventWith(EC2)): TargetInput {
  const compiled = compileTargetInput({ id: 't1', arn: 'arn:aws:sqs:::q', ...given });
  if (compiled.kind === 'invalid') throw new Error(compiled.problems.join('\n'));
  return compiled.build(event, CONTEXT);
}

function rendered(inputTemplate: string, event = eventWith(EC2)): TargetInput {
  return build({ inputTransformer: { inputPathsMap: PATHS, inputTemplate } }, event);
}

function problems(given: Partial<EventTarget>): readonly string[] {
  const compiled = compileTargetInput({ id: 't1', arn: 'arn:aws:sqs:::q', ...given });
  return compiled.kind === 'invalid' ? compiled.problems : [];
}

describe('what a target receives', () => {
  test('nothing said: the whole event, members in order', () => {
    const event = sampleEvent();

    expect(build({}, event)).toEqual({ kind: 'input', text: JSON.stringify(event) });
  });

  test('Input: the text as it stands', () => {
    expect(build({ input: '{ "a": 1.0 }' })).toEqual({ kind: 'input', text: '{ "a": 1.0 }' });
  });

  test('InputPath: that part, strings with their quotes', () => {
    expect(build({ inputPath: '$.detail.tags' })).toEqual({ kind: 'input', text: '["a","b"]' });
    expect(build({ inputPath: '$.detail.state' })).toEqual({ kind: 'input', text: '"RUNNING"' });
    expect(build({ inputPath: '$.detail.none' })).toEqual({ kind: 'input', text: 'null' });
  });

  test('InputPath that leads to nothing: fails and names the path', () => {
    expect(build({ inputPath: '$.detail.gone' })).toEqual({
      kind: 'failed',
      reason: 'InputPath $.detail.gone leads to nothing in the event',
    });
  });
});

describe('InputTransformer', () => {
  const rows: readonly [string, string, string][] = [
    ['string', '"instance <instance> is in <state>"', '"instance i-0123456789 is in RUNNING"'],
    ['escaped quotes', '"<instance> is \\"<state>\\""', '"i-0123456789 is \\"RUNNING\\""'],
    ['object, bare strings', '{"i": <instance>, "s": <state>}', '{"i": "i-0123456789", "s": "RUNNING"}'],
    ['object, quoted string', '{"s": "<state>"}', '{"s": "RUNNING"}'],
    ['string in a longer string', '{"s": "is <state>, try <tries>"}', '{"s": "is RUNNING, try 2"}'],
    [
      'number, array, null',
      '{"n": <tries>, "t": <tags>, "z": <none>}',
      '{"n": 2, "t": ["a","b"], "z": null}',
    ],
    ['list with literals', '[9, <state>, true]', '[9, "RUNNING", true]'],
    ['list in a text: no inner quotes', '"tags <tags>"', '"tags [a,b]"'],
    ['object in a text: no inner quotes', '"<detail>"', `"${JSON.stringify(EC2).replaceAll('"', '')}"`],
    ['numbers in a string of an object', '{"t": "<sizes>"}', '{"t": "[1,2]"}'],
    ['missing outside a string', '{"g": <gone>}', '{"g": ""}'],
    ['missing in a string', '"gone: <gone>"', '"gone: "'],
    ['one bare variable', '<detail>', JSON.stringify(EC2)],
    ['several lines', '"a <state>"\n"b <tries>"', '"a RUNNING"\n"b 2"'],
    ['string that begins like JSON', '"{[/<state>"', '"{[/RUNNING"'],
    ['brackets without a name', '{"a": "1 < 2 <> <state>"}', '{"a": "1 < 2 <> RUNNING"}'],
    ['rule', '"<aws.events.rule-name> <aws.events.rule-arn>"', `"orders ${CONTEXT.ruleArn}"`],
    ['ingestion time', '{"t": <aws.events.event.ingestion-time>}', '{"t": "2026-03-04T05:06:08.250Z"}'],
    ['whole event', '{"e": <aws.events.event.json>}', `{"e": ${JSON.stringify(eventWith(EC2))}}`],
  ];
  test.each(rows)('%s: %s', (_case, template, text) => {
    expect(rendered(template)).toEqual({ kind: 'input', text });
  });

  test('<aws.events.event>: no detail, detailType, time of ingestion', () => {
    const event = sampleEvent();
    const result = rendered('<aws.events.event>', event);

    expect(result.kind === 'input' && JSON.parse(result.text)).toEqual({
      id: event.id,
      account: event.account,
      detailType: 'Order placed',
      time: '2026-03-04T05:06:08.250Z',
      source: 'shop.orders',
      region: 'eu-central-1',
      resources: event.resources,
      version: '0',
    });
  });

  test('quote in a value outside a string: escaped', () => {
    expect(rendered('{"s": <state>}', eventWith({ state: 'a "b"' }))).toEqual({
      kind: 'input',
      text: '{"s": "a \\"b\\""}',
    });
  });

  test('quote in a value inside a string of an object: fails and shows the text', () => {
    expect(rendered('{"s": "<state>"}', eventWith({ state: 'a "b"' }))).toEqual({
      kind: 'failed',
      reason: expect.stringMatching(/^InputTransformer made text that is not JSON \(.*\): \{"s": "a "b""\}$/),
    });
  });

  test.each(['{"t": "<tags>"}', '{"t": "tags <tags>"}', '{"d": {"e": "<detail>"}}', '["<detail>"]'])(
    'an object or a list of texts in a string of %s: fails',
    template => {
      expect(rendered(template)).toEqual({
        kind: 'failed',
        reason: expect.stringMatching(/^InputTransformer made text that is not JSON/),
      });
    },
  );

  test('quote in a value of a text template: goes out as it is', () => {
    expect(rendered('"is <state>"', eventWith({ state: 'a "b"' }))).toEqual({
      kind: 'input',
      text: '"is a "b""',
    });
  });

  test('variable-like text inside a value: not replaced again', () => {
    expect(rendered('"<state>"', eventWith({ state: '<tries> $& $1' }))).toEqual({
      kind: 'input',
      text: '"<tries> $& $1"',
    });
  });
});

describe('problems of a target', () => {
  const template = (inputTemplate: string, inputPathsMap: InputTransformer['inputPathsMap'] = PATHS) => ({
    inputTransformer: { inputPathsMap, inputTemplate },
  });
  const rows: readonly [string, Partial<EventTarget>, readonly (string | RegExp)[]][] = [
    [
      'two inputs',
      { input: '1', inputPath: '$' },
      ['Only one of Input, InputPath, or InputTransformer must be provided for target t1.'],
    ],
    ['Input not JSON', { input: 'hello' }, [/^Input for target t1 must be JSON text: /]],
    ['InputPath', { inputPath: "$['a']" }, [/^InputPath \$\['a'\] for target t1 must be a path like /]],
    [
      'unknown variable',
      template('"<state> <nope>"'),
      ['InputTemplate for target t1 contains invalid placeholder nope.'],
    ],
    ['text without quotes', template('<instance> is <state>'), [/^Invalid InputTemplate for target t1 : /]],
    ['variable as a key', template('{<state>: 1}'), [/^Invalid InputTemplate for target t1 : /]],
    ['no template', template(''), [/must have 1 to 8192 characters$/, /^Invalid InputTemplate/]],
    ['template too long', template(`"${'x'.repeat(8_191)}"`), [/must have 1 to 8192 characters$/]],
    [
      'reserved name',
      template('1', { 'AWS.x': '$' }),
      [/must not define AWS\.x: names with AWS\. are reserved$/],
    ],
    ['bad name', template('1', { 'a b': '$' }), [/has the name a b; use letters, digits, _ and - only$/]],
    [
      'bad path',
      template('1', { a: 'detail' }),
      [/: detail must be a path like \$\.detail\.items\[0\]\.name$/],
    ],
    [
      '101 paths',
      template('1', Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`v${index}`, '$']))),
      ['InputPathsMap for target t1 must have at most 100 entries, got 101'],
    ],
  ];
  test.each(rows)('%s: reported', (_case, given, expected) => {
    const found = problems(given);
    expect(found).toHaveLength(expected.length);
    for (const [index, problem] of expected.entries()) expect(found[index]).toMatch(problem);
  });

  test('template of 8,192 characters: taken', () => {
    expect(problems(template(`"${'x'.repeat(8_190)}"`))).toEqual([]);
  });
});
