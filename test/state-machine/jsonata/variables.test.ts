import { EVALUATION_ERROR } from '../../../state-machine/jsonata/variables';
import { evaluate206 } from '../../support/evaluate';

const PREFIX =
  "An error occurred while executing the state 'Claim record' (entered at the event id #2). The JSONata expression " +
  "'( $error('no payload'); $n > 1 ? 'a: b' )' specified for the field 'Arguments/Item/payloadHash/S' ";

async function keptOf(cause: unknown): Promise<unknown> {
  const errorOutput = { Error: 'States.QueryEvaluationError', Cause: cause };
  const evaluation = await evaluate206(EVALUATION_ERROR, { states: { errorOutput } });
  return 'value' in evaluation ? evaluation.value : evaluation;
}

/** What JSONata 2.0.6 throws, as the service quotes it. */
async function thrownBy(jsonata: string): Promise<string> {
  const evaluation = await evaluate206(`{% ${jsonata} %}`, { secret: 'secret-4711', n: 4711 });
  if ('value' in evaluation) throw new Error(`${jsonata} is fine`);
  return `${PREFIX}threw an error during evaluation. ${evaluation.thrown}: ${evaluation.message}`;
}

describe('the reason of a failed evaluation', () => {
  test.each([
    ['{$n: 1}', 'T1003: Key in object structure must evaluate to a string'],
    ['$secret + 1', 'T2001: The left side of the "+" operator must evaluate to a number'],
    ['$number($secret)', 'D3030: Unable to cast value to a number'],
    ['$abs($secret)', 'T0410: Argument 1 of function "abs" does not match function signature'],
    ['$n < $secret', 'T2009'],
    ['$toMillis($secret)', 'D3110'],
    ['{"a": 1, $secret: 1, $secret: 2}', 'D1009'],
    ['-$secret', 'D1002'],
    ["$error('amount: more than 0 is needed')", 'amount: more than 0 is needed'],
    ["$assert(false, 'one item at least')", 'one item at least'],
  ])("%s: JSONata's words, without a value of the event", async (jsonata, words) => {
    const kept = await keptOf(await thrownBy(jsonata));

    expect(kept).toBe(words);
    expect(kept).not.toMatch(/4711|secret/);
  });

  test.each([
    [
      'threw an error during evaluation: Stack overflow error: Check for x. Depth=101 max=100',
      'Stack overflow error',
    ],
    [
      'threw an error during evaluation: Expression evaluation timeout: Check',
      'Expression evaluation timeout',
    ],
    ['threw an error during evaluation: Cannot cast secret', ''],
    ['returned nothing (undefined).', ''],
  ])('%s', async (words, kept) => {
    expect(await keptOf(PREFIX + words)).toBe(kept);
  });

  test.each([undefined, null, '', 'T1003: Key; got: secret'])('the cause %j: nothing', async cause => {
    expect(await keptOf(cause)).toBe('');
  });
});
