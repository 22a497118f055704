import fc from 'fast-check';
import { rejectionOf } from '../../../packages/local/services/lambda/arguments';
import { readPayload } from '../../../packages/local/services/lambda/payload';
import { invokePayload } from '../../../state-machine/jsonata/invoke-payload';
import { evaluate206 } from '../../support/evaluate';
import { runs } from '../../support/scale';

const PAYLOAD = invokePayload('$states.input');

const evaluated = (expression: string, input: unknown) => evaluate206(expression, { states: { input } });

/** What a handler gets of a payload, as Step Functions sends it and Lambda reads it. */
async function handed(input: unknown): Promise<unknown> {
  const evaluation = await evaluated(PAYLOAD, input);
  if (!('value' in evaluation)) throw new Error(`not evaluated: ${JSON.stringify(evaluation)}`);
  const Payload = JSON.parse(JSON.stringify(evaluation.value));
  expect(rejectionOf({ FunctionName: 'f', Payload })).toBeUndefined();
  const text = typeof Payload === 'string' ? Payload : JSON.stringify(Payload);
  return readPayload(Buffer.from(text));
}

/** Whole numbers, and numbers that 15 digits hold. */
const number = fc
  .oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map(n => (Number.isSafeInteger(n) ? n : Number(n.toPrecision(15))) + 0)
  .filter(Number.isFinite);
const value = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  number,
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string()),
  fc.dictionary(fc.string(), fc.string()),
);

test('any value: the handler gets it as it is', async () => {
  await fc.assert(
    fc.asyncProperty(value, async given => {
      expect(await handed(given)).toEqual({ kind: 'payload', value: JSON.parse(JSON.stringify(given)) });
    }),
    { numRuns: runs(300, 5000) },
  );
});

test.each<[unknown, unknown]>([
  ['order-7', '"order-7"'],
  ['7', '"7"'],
  ['', '""'],
  ['ä"\\\u2028', '"ä\\"\\\\\u2028"'],
  [7, '7'],
  [12.5, '12.5'],
  [1234567890123457, '1234567890123457'],
  [false, 'false'],
  [null, 'null'],
  [[1], [1]],
  [[], []],
  [{ a: 1 }, { a: 1 }],
])('%j: sent as %j', async (input, payload) => {
  expect(await evaluated(PAYLOAD, input)).toEqual({ value: payload });
});

test.each([
  [
    'a number that 15 digits do not hold',
    0.12345678901234566,
    { thrown: 'D3137', message: expect.stringMatching(/15 digits/) },
  ],
  ['nothing', undefined, { value: undefined }],
])('%s: gives no payload', async (_, input, evaluation) => {
  expect(await evaluated(PAYLOAD, input)).toEqual(evaluation);
});

test.each([
  ['[$states.input, 1][0]', 'order-7', '"order-7"'],
  ['[$states.input, "x"][0]', 7, '7'],
  ['{"a": $states.input}[a = 7].a', 7, '7'],
  ['/o(.)/("ox").match', {}, '"ox"'],
  ['$value := $states.input', true, 'true'],
  ['$type := $states.input', 'x', '"x"'],
  ['$string := $states.input', 7, '7'],
  ['$states.input /* as it comes */', 'x', '"x"'],
])('%s of %j: sent as %s', async (source, input, payload) => {
  expect(await evaluated(invokePayload(source), input)).toEqual({ value: payload });
});

test.each(['{"order": $states.input}', ' [$states.input] ', '{}'])('%s: stays as it is written', source => {
  expect(invokePayload(source)).toBe(`{% ${source} %}`);
});
