import fc from 'fast-check';
import { PAYLOAD_TEXT_MAX } from '../../../state-machine/contract/record';
import { differingFields, keptPayloadExpression } from '../../../state-machine/jsonata/kept-payload';
import { evaluate206 } from '../../support/evaluate';
import { runs } from '../../support/scale';

const KEPT = keptPayloadExpression('$states.input.payload');
const DIFFERING = `{% ${differingFields('$states.input.payload')} %}`;

async function evaluated(expression: string, variables: object): Promise<unknown> {
  const evaluation = await evaluate206(expression, { ...variables });
  return 'value' in evaluation ? evaluation.value : evaluation;
}

const kept = (payload: unknown) => evaluated(KEPT, { states: { input: { payload } } });

async function differing(stored: unknown, own: unknown): Promise<unknown> {
  const record = { payload: { S: await kept(stored) } };
  return evaluated(DIFFERING, { record, states: { input: { payload: own } } });
}

/** JSON documents with whole numbers of at most 15 digits, which the text says exactly. */
const document = fc
  .jsonValue()
  .map(value =>
    JSON.parse(JSON.stringify(value, (_, n) => (typeof n === 'number' ? Math.trunc(n % 1e15) : n))),
  );

describe('the kept payload', () => {
  test('any document: its JSON text', async () => {
    await fc.assert(
      fc.asyncProperty(document, async payload => {
        expect(JSON.parse(String(await kept(payload)))).toEqual(payload);
      }),
      { numRuns: runs(30, 300) },
    );
  });

  test.each([
    [{ b: 'ä"\n\u2028', a: [1, null, true, {}] }, '{"b":"ä\\"\\n\u2028","a":[1,null,true,{}]}'],
    [123456789012345, '123456789012345'],
    [{ amount: 12.5 }, '{"amount":12.5}'],
    ['TOO_LONG', '"TOO_LONG"'],
  ])('%j: as it is, with all its digits', async (payload, text) => {
    expect(await kept(payload)).toBe(text);
  });

  test.each<[string, unknown, unknown]>([
    ['as long as it may be', 'x'.repeat(PAYLOAD_TEXT_MAX - 2), expect.stringMatching(/^"x+"$/)],
    ['a character longer', 'x'.repeat(PAYLOAD_TEXT_MAX - 1), 'TOO_LONG'],
    ['much longer', { list: Array.from({ length: 50_000 }, (_, i) => i) }, 'TOO_LONG'],
    ['a number of 16 digits', { id: 1234567890123457 }, 'NOT_EXACT'],
    ['a fraction of 17 digits', [0.1 + 0.2], 'NOT_EXACT'],
    ['nothing', undefined, 'NOT_REDACTED'],
  ])('%s', async (_, payload, text) => {
    expect(await kept(payload)).toEqual(text);
  });

  test('it cannot be evaluated: the first tries of a claim fail, and the last one does without', async () => {
    const failing = keptPayloadExpression("$error('no')");
    const atTry = (RetryCount: number) =>
      evaluated(failing, { states: { input: {}, context: { State: { RetryCount } } } });

    expect(await atTry(0)).toMatchObject({ thrown: 'D3137' });
    expect(await atTry(1)).toMatchObject({ thrown: 'D3137' });
    expect(await atTry(2)).toBe('NOT_REDACTED');
  });
});

describe('the fields that differ', () => {
  test.each<[string, unknown, unknown, unknown]>([
    ['a value', { a: 1, b: [1, { c: 2 }] }, { a: 1, b: [1, { c: 3 }] }, ['b']],
    ['only the order of members', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }, []],
    ['one is missing on either side', { a: 1, b: 2 }, { b: 2, 'c d': null }, ['a', 'c d']],
    ['a number and its text', { a: 1 }, { a: '1' }, ['a']],
    ['a list and its only item', { a: [1] }, { a: 1 }, ['a']],
    ['the 16th digit of a whole number', { a: 123456789012346 }, { a: 123456789012345.1 }, ['a']],
    ['no members', {}, { a: 1 }, ['a']],
    ['no fields at all', 'x', { a: 1 }, []],
  ])('%s: named', async (_, stored, own, names) => {
    expect(await differing(stored, own)).toEqual(names);
  });

  test('many, with long names: ten, cut off', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${'x'.repeat(100)}${i}`, i]));

    expect(await differing({}, many)).toEqual(Array.from({ length: 10 }, () => 'x'.repeat(64)));
  });

  // The state that names them has no catcher: beyond the second of an evaluation the error would be another one.
  test.each<[string, unknown]>([
    ['longer than is kept', { text: 'x'.repeat(PAYLOAD_TEXT_MAX) }],
    ['thousands of fields', Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`field${i}`, i]))],
    ['nothing', undefined],
  ])('the other payload is %s: unknown', async (_, own) => {
    expect(await differing({ a: 1 }, own)).toBeUndefined();
  });

  test.each([
    ['no record of it', {}],
    ['too long', { payload: { S: 'TOO_LONG' } }],
    ['not exact', { payload: { S: 'NOT_EXACT' } }],
    ['not kept', { payload: { S: 'NOT_REDACTED' } }],
  ])('%s: unknown', async (_, record) => {
    expect(await evaluated(DIFFERING, { record, states: { input: { payload: { a: 1 } } } })).toBeUndefined();
  });
});
