import fc from 'fast-check';
import { keyText, recordKey } from '../../../state-machine/contract/idempotency-key';
import { payloadKeyText } from '../../../state-machine/contract/payload-hash';
import { parseKeyExpressions } from '../../../state-machine/expression/key-expressions';
import { keyExpression, keyTextExpression, recordKeyExpression } from '../../../state-machine/jsonata/key';
import { Key } from '../../../state-machine/options/key';
import { evaluate206 } from '../../support/evaluate';
import { runs } from '../../support/scale';

const SINGLE = keyExpression('Pay', parseKeyExpressions('{% $states.input.id %}'));
const COMPOSITE = keyExpression(
  'Pay',
  parseKeyExpressions(['{% $states.input.shop %}', '{% $states.input.id %}']),
);

async function evaluated(expression: string, input: unknown): Promise<unknown> {
  const evaluation = await evaluate206(expression, { states: { input } });
  return 'value' in evaluation && evaluation.value !== undefined ? evaluation.value : 'missing';
}

function expected(key: unknown): string {
  const text = keyText(key);
  return text.kind === 'key' ? recordKey('Pay', text.text) : 'missing';
}

describe('keyExpression', () => {
  test('any key: what the contract says', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 500 });
    const part = fc.oneof(
      text,
      fc.maxSafeInteger(),
      fc.double(),
      fc.constantFrom(null, true, '', '~', ',#1', {}),
    );
    const key = fc.oneof(part, fc.array(part, { maxLength: 3 }), fc.array(fc.array(part, { maxLength: 2 })));
    await fc.assert(
      fc.asyncProperty(key, async key => {
        const id = JSON.parse(JSON.stringify(key)) as unknown;
        expect(await evaluated(SINGLE, { id })).toBe(expected(id));
      }),
      { numRuns: runs(20, 100_000) },
    );
  });

  test('any two parts of a composite key: what the contract says', async () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.maxSafeInteger(),
      fc.constantFrom(null, '', ',', [], ['a']),
    );
    await fc.assert(
      fc.asyncProperty(part, part, async (shop, id) => {
        expect(await evaluated(COMPOSITE, { shop, id })).toBe(expected([shop, id]));
      }),
      { numRuns: runs(20, 100_000) },
    );
  });

  test('a list of one text: the text', async () => {
    expect(await evaluated(SINGLE, { id: ['a'] })).toBe('Pay#a');
  });

  test('nothing at the path: fails', async () => {
    expect(await evaluated(SINGLE, {})).toBe('missing');
  });

  test('half a surrogate pair: fails', async () => {
    expect(await evaluated(SINGLE, { id: '\ud800' })).toBe('missing');
  });

  test.each([
    ['both parts', { shop: 'x', id: 1 }, 'Pay#x,#1'],
    ['the first missing', { id: 1 }, 'missing'],
    ['the second missing', { shop: 'x' }, 'missing'],
    ['a part that is a list', { shop: ['x'], id: 1 }, 'missing'],
    ['a part that is null', { shop: 'x', id: null }, 'missing'],
  ])('composite key, %s', async (_, input, key) => {
    expect(await evaluated(COMPOSITE, input)).toBe(key);
  });

  test('a scope with a quote: taken as it is', async () => {
    const expression = keyExpression('it\'s \\ "x"', parseKeyExpressions('{% $states.input.id %}'));
    expect(await evaluated(expression, { id: 'a' })).toBe('it\'s \\ "x"#a');
  });
});

describe('keyExpression of a payload', () => {
  const KEY = parseKeyExpressions(Key.ofPayload('{% $states.input.payload %}'));

  function ofPayload(payload: unknown): string {
    const key = payloadKeyText(payload);
    return key.kind === 'key' ? recordKey('Pay', key.text) : 'missing';
  }

  test('any document: what the contract says, whatever the order of its members', async () => {
    const document = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>({}, [], '', null, false, 0, [[]], { a: {} }),
    );
    await fc.assert(
      fc.asyncProperty(document, async document => {
        const payload = JSON.parse(JSON.stringify(document)) as unknown;
        const key = await evaluated(keyExpression('Pay', KEY), { payload });
        expect(key).toBe(ofPayload(payload));
        expect(await evaluated(keyExpression('Pay', KEY), { payload: turned(payload) })).toBe(key);
        const text = key === 'missing' ? key : String(key).slice('Pay#'.length);
        expect(await evaluated(keyTextExpression(KEY), { payload })).toBe(text);
        if (key === 'missing') return;
        expect(await evaluate206(recordKeyExpression('Pay'), { key: text })).toEqual({ value: key });
      }),
      { numRuns: runs(30, 5000) },
    );
  });

  test.each([null, true, '', [], {}, undefined, '\ud800', { a: ['\ud800'] }])(
    '%j: missing',
    async payload => {
      expect(await evaluated(keyExpression('Pay', KEY), { payload })).toBe('missing');
      expect(ofPayload(payload)).toBe('missing');
    },
  );

  test('numbers that 15 digits cannot tell apart: two keys', async () => {
    const keys = await Promise.all(
      [1234567890123456, 1234567890123457].map(id =>
        evaluated(keyExpression('Pay', KEY), { payload: { id } }),
      ),
    );

    expect(keys[0]).not.toBe(keys[1]);
  });
});

/** The same document with the members of its objects the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, turned(member)])
      .reverse(),
  );
}
