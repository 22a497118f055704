import { isDeepStrictEqual } from 'node:util';
import { randomFrom } from '../support/random';
import { runs } from '../support/scale';
import { scopeFor } from './corpus';
import { renderedExpressions } from './definitions';
import { type Answer, answersOf, answersOf206, EVALUATORS, type Request } from './evaluators';
import { NOW } from './values';

/**
 * The expressions in which implementations may differ, by the end of the expression's place, and why nothing depends on
 * the difference.
 */
const HARMLESS: readonly (readonly [place: RegExp, because: string])[] = [
  [
    /Record the result\/Arguments\/ExpressionAttributeValues\/:outcome$/,
    'one writes more digits than another: a text that is not exactly the result is left to the execution',
  ],
  [
    /Send [^/]*\/Arguments\/(?:MessageBody|Entries\/0\/Detail)$/,
    'escapes make a text longer in one than in another: what is too long is left out, by name',
  ],
  [
    /\/(?:Parse the body|Find the record)\/(?:Assign|Output)/,
    'what its branch ends with is an object, and never null',
  ],
  [
    /\/Find the record: 2\/Output\//,
    'its input is a list of texts, and what is not encoded again as it was is no key',
  ],
  [/\/(?:Read the key|Name the execution)\/Assign/, 'what its branch ends with is a text'],
  [
    /Claim record\/Arguments\/Item\/payload\/S$/,
    'the same lengths and digits: what is too long or not exact is left out, by name',
  ],
  [
    /^dispatcher-of-(?:a-custom-event-bus|an-express-workflow)\.asl\.json\/States\/Keep the event\/Arguments\/MessageBody$/,
    'a delivery that cannot be read is kept for an operator, and starts nothing by this text',
  ],
  [/Store result\//, 'the same of what can be read back: an answer says where the result is'],
];

const FUNCTIONS = { millis: NOW, now: new Date(NOW).toISOString(), random: 0.5, uuid: 'uuid' };

describe('every rendered expression', () => {
  const places = renderedExpressions();
  const random = randomFrom(20_000);
  const requests: readonly Request[] = [...places.keys()].map(expression => ({
    expression,
    functions: FUNCTIONS,
    scopes: Array.from({ length: runs(8, 12) }, () => scopeFor(expression, random)),
  }));
  let expected: Promise<Answer[][]> | undefined;

  test('cuts texts from their beginning, and takes no match for a list or a text', () => {
    const cut = /\$substring\((?!\$hash\()(?![^()]*(?:\([^()]*\)[^()]*)*, 0, \d+\))|\$match\(/;

    expect([...places].filter(([expression]) => cut.test(expression))).toEqual([]);
  });

  for (const evaluator of EVALUATORS) {
    const { name, command, remedy } = evaluator;
    const title = `${name}: gives what JSONata 2.0.6 gives`;
    if (command === undefined) {
      test.skip(`${title} (skipped: it is not here; ${remedy})`, () => {});
      continue;
    }
    test(title, async () => {
      const answered = answersOf(evaluator, requests);
      expected ??= answersOf206(requests);
      const [theirs, ours] = await Promise.all([answered, expected]);

      expect(
        requests.flatMap((request, at) => differences(request, ours[at] ?? [], theirs[at] ?? [])),
      ).toEqual([]);
    }, 240_000);
  }

  function differences({ expression, scopes }: Request, ours: readonly Answer[], theirs: readonly Answer[]) {
    const place = places.get(expression) ?? '';
    if (HARMLESS.some(([harmless]) => harmless.test(place))) return [];
    return scopes
      .map((scope, at) => ({ place, expression, scope, ours: ours[at], theirs: theirs[at] }))
      .filter(({ ours, theirs }) => !isDeepStrictEqual(said(ours), said(theirs)));
  }
});

/** What an answer says: JSON within a text by its meaning, because escapes and digits differ. */
function said(answer: Answer = {}): unknown {
  return 'value' in answer ? { value: meaningOf(answer.value) } : 'fails';
}

function meaningOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaningOf);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, meaningOf(member)]));
  }
  if (typeof value !== 'string' || !/^[[{"]/.test(value)) return value;
  try {
    return meaningOf(JSON.parse(value));
  } catch {
    return value;
  }
}
