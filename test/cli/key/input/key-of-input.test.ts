import threads from 'node:worker_threads';
import fc from 'fast-check';
import { keyOf } from '../../../../cli/key/input/key';
import { keyOfInput, problemOfInput, recordKeyOfInput } from '../../../../cli/key/input/key-of-input';
import { problemOnCommandLine } from '../../../../cli/key/input/key-problem';
import { TOO_MUCH } from '../../../../cli/key/input/key-thread';
import { payloadHash } from '../../../../state-machine/contract/index';
import {
  type KeyExpressions,
  parseKeyExpressions,
} from '../../../../state-machine/expression/key-expressions';
import { keyExpression } from '../../../../state-machine/jsonata/key';
import { Key } from '../../../../state-machine/options/key';
import { evaluate206 } from '../../../support/evaluate';
import { runs } from '../../../support/scale';
import { singleKey } from '../../../support/single-key';

type IdempotencyKey = Parameters<typeof parseKeyExpressions>[0];

const AT = '$states.input.detail.orderId';
const SCOPE = "Bill's";
const keyOfText = (text: string) =>
  keyOf({ parts: [text], isNumber: false, isRecorded: false, json: undefined });
const keyOfJson = (json: string) => keyOf({ parts: [], isNumber: false, isRecorded: false, json });
const ORDER_4 = keyOfText('order-4');

/** A workflow as its definition describes it. */
function workflowOf(source: KeyExpressions) {
  const jsonata = keyExpression(SCOPE, source).slice(2, -2);
  return { name: 'Bill', keyExpression: { jsonata, scope: SCOPE } };
}
const single = (jsonata: string) => workflowOf(singleKey(jsonata));
const workflowWith = (key: IdempotencyKey) => workflowOf(parseKeyExpressions(key));
const ONE = { ...workflowWith(`{% ${AT} %}`), keyPaths: [['detail', 'orderId']] };
const TWO = {
  ...workflowWith(['{% $states.input.shop %}', '{% $states.input.id %}']),
  keyPaths: [['shop'], ['id']],
};
const COMPUTED = { ...workflowWith(`{% $lowercase(${AT}) %}`), keyPaths: undefined };
const NAMED = { ...workflowWith('{% $states.context.Execution.Name %}'), keyPaths: undefined };
const WITHIN = { name: 'Bill', keyExpression: undefined, keyPaths: undefined };
/** A text that the pattern ^(a+)+$ is tried on in 2^60 ways. */
const A_AND_B = `${'a'.repeat(60)}b`;
const order = (orderId: unknown) => ({ detail: { orderId } });

describe('the key that a workflow takes of an input', () => {
  test.each([
    ['a text', order('order-5'), 'order-5'],
    ['a number', order(5), '#5'],
    ['a list of texts', order(['a', 'b']), 'a,b'],
    ['a list of one text: that text', order(['a']), 'a'],
    ['a list of one event: as that event', [order('order-5')], 'order-5'],
    ['a list of two events', [order('order-5'), order('order-6')], 'order-5,order-6'],
    ['a list of two events, one without a key', [order('order-5'), {}], 'order-5'],
    ['lists in lists', [[order('a')], [order('b')]], 'a,b'],
    ['a list on the way', { detail: [{ orderId: 'a' }, { orderId: 2 }] }, 'a,#2'],
  ])('%s', async (_case, input, text) => {
    expect(await keyOfInput(input, ONE)).toEqual({ kind: 'key', text });
  });

  test.each([
    ['no event', [1]],
    ['an empty list', []],
    ['an empty text', order('')],
    ['a fraction', order(4.5)],
    ['a list with a fraction', order(['a', 4.5])],
    ['null', null],
  ])('%s: none', async (_case, input) => {
    expect(await keyOfInput(input, ONE)).toEqual({ kind: 'missing' });
  });

  test('a composite key of a list: its parts are lists, and none is taken', async () => {
    const items = [
      { shop: 's', id: 1 },
      { shop: 't', id: 2 },
    ];
    expect(await keyOfInput(items, TWO)).toEqual({ kind: 'missing' });
    expect(await keyOfInput(items.slice(1), TWO)).toEqual({ kind: 'key', text: 't,#2' });
  });

  test('a hash of the service: computed', async () => {
    const hashed = single("$hash($states.input.url, 'SHA-1')");
    expect(await keyOfInput({ url: 'abc' }, hashed)).toEqual({
      kind: 'key',
      text: 'a9993e364706816aba3e25717850c26c9cd0d89d',
    });
  });

  test('a transform copies numbers with 15 digits, as JSONata 2.0.6 does', async () => {
    const copied = workflowWith(Key.ofPayload("{% $states.input ~> |$|{}, ['at']| %}"));
    const taken = await keyOfInput({ n: 1764331200123456, at: 1 }, copied);

    expect(taken).toEqual({ kind: 'key', text: payloadHash({ n: 1764331200123460 }) });
  });

  test.each([
    ['the name of the execution', '$states.context.Execution.Name', 'depends on more than the input'],
    [
      'a function of the service that is not known',
      '$range(1, $states.input.n, 1)',
      'onceflow cannot read the expression of its key',
    ],
  ])('%s: not said', async (_case, key, why) => {
    const taken = { kind: 'unclear', why: expect.stringContaining(why) };
    expect(await keyOfInput({ n: 2 }, single(key))).toEqual(taken);
  });

  const ENDLESS = '( $f := function($n){ $f($n) }; $f($states.input.id) )';

  test('no end, and what takes very long: given up, and unclear', async () => {
    const endless = [
      [single(ENDLESS), { id: 1 }],
      [single("$replace($states.input.id, /^(a+)+$/, 'x')"), { id: A_AND_B }],
      [single("{'then': /a/}"), {}],
      [workflowWith(Key.ofPayload('{% $states.input.body %}')), { body: nested(3000) }],
    ] as const;

    const taken = await Promise.all(endless.map(([workflow, input]) => keyOfInput(input, workflow)));

    expect(taken).toEqual(endless.map(() => TOO_MUCH));
  });

  test.each([
    ['a text that is too long', '( $f := function($s){ $f($s & $s) }; $f($states.input.id) )', { id: 'a' }],
    ['an input that is too deep to be sent', '$states.input.id', nested(200_000)],
  ])('%s: given up, and unclear', async (_case, jsonata, input) => {
    expect(await keyOfInput(input, single(jsonata))).toEqual(TOO_MUCH);
  });

  // V8 ends the whole process for one object that does not fit into the memory of a thread.
  test.each([
    [
      'a text that doubles, in letters',
      "$count($split($reduce([1..26], function($a, $b){ $a & $a }, 'x'), ''))",
    ],
    ['a text that doubles, and its length', "$length($reduce([1..26], function($a, $b){ $a & $a }, 'x'))"],
    ['a text that is padded', "$pad('x', 500000000, '\u4e2d')"],
    ['one long text, many times', "( $t := $pad('', 1000000, '\u4e2d'); $length($join([1..900].$t)) )"],
    [
      'lists of ten million numbers',
      '( $f := function($l, $n){ $n = 0 ? $count($l) : $f($append($l, [[1..9999999]]), $n - 1) }; $f([], 100) )',
    ],
    [
      'many lists that are not too long',
      '( $f := function($l, $n){ $n = 0 ? $count($l) : $f($append($l, [[1..800000]]), $n - 1) }; $f([], 100) )',
    ],
  ])('%s: given up, and the process goes on', async (_case, jsonata) => {
    expect(await keyOfInput({}, single(jsonata))).toEqual(TOO_MUCH);
    expect(await keyOfInput(order('order-5'), ONE)).toEqual({ kind: 'key', text: 'order-5' });
  });

  test('unclear without taking too much: its thread evaluates the next one', async () => {
    const { Worker } = threads;
    let started = 0;
    threads.Worker = class extends Worker {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given);
        started += 1;
      }
    };
    try {
      for (let input = 0; input < 3; input += 1) {
        const ofAnother = { name: 'Bill', keyExpression: { jsonata: "'t#a'", scope: SCOPE } };
        expect(await keyOfInput({}, ofAnother)).toMatchObject({ kind: 'unclear' });
      }
    } finally {
      threads.Worker = Worker;
    }

    expect(started).toBeLessThan(2);
  });

  test('texts that are padded and joined: as JSONata has them', async () => {
    const made =
      "$pad('x', 5, 'ab') & $pad('y', -3) & $join(['a', 'b'], '-') & $join('c') & $pad($states.input.none, 9)";

    expect(await keyOfInput({}, single(made))).toEqual({ kind: 'key', text: 'xabab  ya-bc' });
  });

  test('ended by a signal: at once, and the next one is evaluated', async () => {
    const endless = single(ENDLESS);
    const ended = new AbortController();
    const abortion = { name: 'AbortError' };
    setTimeout(() => ended.abort(), 500);
    const startedAt = performance.now();

    await expect(keyOfInput({ id: 1 }, endless, ended.signal)).rejects.toMatchObject(abortion);
    expect(performance.now() - startedAt).toBeLessThan(3000);
    await expect(keyOfInput({}, ONE, ended.signal)).rejects.toMatchObject(abortion);
    expect(await keyOfInput(order('order-5'), ONE)).toEqual({ kind: 'key', text: 'order-5' });
  });

  test('any input: what JSONata 2.0.6 makes of it', async () => {
    const { inputs, sources } = generated();
    await fc.assert(
      fc.asyncProperty(inputs, sources, async (input, key) => {
        const workflow = workflowWith(key);
        const known = await evaluate206(`{%${workflow.keyExpression.jsonata}%}`, {
          states: { input, context: { Execution: { Input: input } } },
        });
        const taken = await keyOfInput(input, workflow);
        expect(taken.kind === 'key' ? { value: `${SCOPE}#${taken.text}` } : taken.kind).toEqual(
          'value' in known && known.value !== undefined ? known : 'missing',
        );
      }),
      { numRuns: runs(200, 5_000) },
    );
  });
});

function nested(levels: number): unknown {
  let value: unknown = { id: 1 };
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

function generated() {
  const leaf = fc.constantFrom<unknown>('order-1', '#4', 'a,b', '', 4, 4.5, null, true, '\u00e9', "it's");
  const { input } = fc.letrec<{ input: unknown }>(tie => ({
    input: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      fc.array(tie('input'), { maxLength: 3 }),
      fc.record({ a: tie('input'), b: tie('input') }, { requiredKeys: [] }),
    ),
  }));
  const sources = fc.constantFrom<IdempotencyKey>(
    '{% $states.input.a %}',
    '{% $states.input.a.b %}',
    Key.unchecked('{% $states.input.a.b[] %}', { reason: 'a list' }),
    '{% $states.context.Execution.Input.a ? $states.input.a : $states.input.b %}',
    ['{% $states.input.a %}', '{% $states.input.b.a %}'],
  );
  return { inputs: input, sources };
}

describe('the key that was named, and the input', () => {
  const problem = async (
    workflow: typeof ONE | typeof COMPUTED | typeof WITHIN,
    key: typeof ORDER_4,
    input: unknown,
  ) => {
    const found = await problemOfInput(input, workflow, key);
    return found && problemOnCommandLine(found);
  };

  test.each([
    ['the same', ONE, ORDER_4, order('order-4')],
    ['the same parts', TWO, keyOfJson('["s",4]'), { shop: 's', id: 4 }],
    ['the same list', ONE, keyOfJson('["a","b"]'), order(['a', 'b'])],
    ['the only item of a list', ONE, ORDER_4, [order('order-4')]],
    ['the same when computed', COMPUTED, ORDER_4, order('ORDER-4')],
  ])('%s: taken', async (_case, workflow, key, input) => {
    expect(await problem(workflow, key, input)).toBeUndefined();
  });

  test.each([
    [
      'another',
      ONE,
      ORDER_4,
      order('order-1'),
      `nothing was started, because the input belongs to order-1, not to order-4: Bill reads its key there, at ${AT}. ` +
        'Pass order-1, or the input of order-4',
    ],
    [
      'another in a list',
      ONE,
      ORDER_4,
      [order('order-5')],
      /because the input belongs to order-5, not to order-4/,
    ],
    ['a number for a text', ONE, keyOfText('4'), order(4), /to #4, not to 4: .* Pass 4 --number, or/],
    ['a list', ONE, ORDER_4, order(["a'", 'b']), /Pass --json-key '\["a'\\''","b"\]', or/],
    ['a text with blanks', ONE, ORDER_4, order('order 4'), /Pass --json-key '"order 4"', or/],
    ['a text like a number of ours', ONE, ORDER_4, order('#4'), /Pass --json-key '"#4"', or/],
    ['a long one', ONE, ORDER_4, order('a'.repeat(500)), /Pass the whole key of this input, or/],
    [
      'another part',
      TWO,
      keyOfJson('["s",4]'),
      { shop: 's', id: 5 },
      /\.shop and \$states\.input\.id\. Pass/,
    ],
    ['another when computed', COMPUTED, ORDER_4, order('order-5'), /reads its key there\. Pass/],
    [
      'none',
      ONE,
      ORDER_4,
      { detail: {} },
      /^nothing was started, because --input has no usable key where Bill reads it, at \$states/,
    ],
    ...(
      [
        [null, 'null'],
        ['', 'an empty text'],
        [4.5, 'a fraction'],
        [2 ** 60, 'a number beyond 2\\^53 - 1'],
        [[], 'a list'],
        [{ id: 4 }, 'an object'],
        [true, 'a boolean'],
        ['\ud83d', 'a text'],
        [undefined, 'nothing'],
      ] as const
    ).map(
      ([value, there]) =>
        [
          `${there}`,
          ONE,
          ORDER_4,
          order(value),
          new RegExp(`orderId: there is ${there}\\. A key is a text .*: correct the input$`),
        ] as [string, typeof ONE, typeof ORDER_4, unknown, RegExp],
    ),
    [
      'a list without events',
      ONE,
      ORDER_4,
      [1],
      /^nothing was started, because --input has no usable key where Bill reads it, at \S+\. A key/,
    ],
    [
      'one part of two',
      TWO,
      keyOfJson('["s",4]'),
      { shop: 5, id: null },
      /\.id: there is a whole number and null\. A key/,
    ],
    [
      'none when computed',
      COMPUTED,
      ORDER_4,
      {},
      /key: the idempotencyKey of Bill is not a valid key for it\. A key is/,
    ],
    [
      'one that depends on the execution',
      NAMED,
      ORDER_4,
      {},
      /cannot compute the key of --input .*pass --force$/,
    ],
    ['a workflow within a machine', WITHIN, ORDER_4, order('order-4'), /other states run before the claim/],
  ])('%s: rejected', async (_case, workflow, key, input, message) => {
    expect(await problem(workflow, key, input)).toMatch(message);
  });
});

describe('the record of an input', () => {
  const recordOf = (workflow: object) =>
    recordKeyOfInput({ aws: {}, workflow } as never, JSON.stringify(order('order-5')));

  test('of the workflow: by its scope', async () => {
    expect(await recordOf({ ...ONE, scope: SCOPE })).toBe(`${SCOPE}#order-5`);
  });

  test('another scope was named, such as a former one: not known, as this input was not for that', async () => {
    expect(await recordOf({ ...ONE, scope: 'Former', scopeInDefinition: SCOPE })).toBeUndefined();
  });
});
