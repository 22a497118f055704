import { isDeepStrictEqual } from 'node:util';
import { SFNClient } from '@aws-sdk/client-sfn';
import { keyOfInput } from '../../cli/key/input/key-of-input';
import { Key, MissingKeyError, startOnce } from '../../client/index';
import { evaluate } from '../../packages/local/language/index';
import { executionName } from '../../state-machine/contract/execution-name';
import { type KeyExpressions, parseKeyExpressions } from '../../state-machine/expression/key-expressions';
import { keyExpression, keyTextExpression, nameExpression } from '../../state-machine/jsonata/key';
import { type IdempotencyKey, Key as KeyOption } from '../../state-machine/options/key';
import { Draws } from '../state-machine/expression/random-keys';
import { randomPayload } from '../state-machine/expression/random-payloads';
import { evaluate206 } from '../support/evaluate';
import { runs } from '../support/scale';
import { answersOf, answersOf206, EVALUATORS, type Request } from './evaluators';
import { NOW } from './values';

/** A key that is another, or none, in one of the implementations. */
interface Difference {
  /** As the workflow has it. */
  readonly key: string;
  readonly event: unknown;
  readonly wanted: unknown;
  readonly value: unknown;
}

/** The keys in which implementations in other languages may differ, and why that is known. */
const HARMLESS: readonly (readonly [is: (found: Difference) => boolean, because: string])[] = [
  [
    ({ key }) => key.includes('~> |'),
    'only 2.0.6 copies what a transform changes by a text, with 15 digits: synthesis warns of it',
  ],
  [
    ({ key, event }) => /\$(?:each|map)\(/.test(key) && JSON.stringify(event).includes('null'),
    'a null that a function of the expression is called with is missing in Java and Python',
  ],
  [
    ({ key }) => /\$(?:sort|zip)\b/.test(key),
    'Java does not sort whole numbers with fractions, Python sorts lists, and neither zips an object; only in a hash',
  ],
  [
    ({ key, event }) => key.includes('$lowercase') && /[ßſﬃ]/.test(JSON.stringify(event)),
    'Python folds letters: synthesis warns of letter case',
  ],
  [
    ({ wanted }) => JSON.stringify(wanted ?? '').includes('NaN'),
    'a time that no date has is not rejected in JavaScript: synthesis warns of times as keys',
  ],
];

const KEYS = runs(400, 4000);
const EVENTS_OF_A_KEY = 4;
const SCOPE = 'S';

/** Texts that programs take for another, or cut, or write in another way. */
const TEXTS = [
  ...[
    'ß',
    'İstanbul',
    'ſ',
    'ǅ',
    'é',
    'e\u0301',
    '\ufb03',
    '😀',
    '\ud83d',
    '\udc00x',
    'Ā',
    '\u0000',
    '\u2028',
  ],
  ...[' \t\n x \n', '\u00a0x\u00a0', '-', '--x--', '~,#', 'a~,b', '#1', '1e3', '007', '0x10', ' 7', 'NaN'],
  ...[
    'x'.repeat(80),
    'x'.repeat(81),
    '😀'.repeat(40),
    `${'y'.repeat(399)}😀`,
    '/'.repeat(500),
    '9'.repeat(400),
  ],
];

/** A key as a workflow has it, and events. */
interface Case {
  readonly source: KeyExpressions;
  readonly events: readonly unknown[];
}

/** A key of an event, and the name of its execution; undefined if it has none. */
type Named = { readonly key: string; readonly name: string } | undefined;

function cases(): readonly Case[] {
  const found: Case[] = [];
  for (let seed = 1; found.length < KEYS; seed += 1) {
    const draws = new Draws(seed);
    const [only = '', ...others] = draws.parts().map(({ jsonata }) => `{% ${jsonata} %}`);
    const composite = others.length === 0 ? only : [only, ...others];
    const source = accepted(
      seed % 5 === 0 ? KeyOption.ofPayload(`{% ${randomPayload(draws)} %}`) : composite,
    );
    if (source === undefined) continue;
    const events = Array.from({ length: EVENTS_OF_A_KEY }, () => withTexts(draws.event(), draws));
    found.push({ source, events });
  }
  return found;
}

function accepted(key: IdempotencyKey): KeyExpressions | undefined {
  try {
    return parseKeyExpressions(key);
  } catch {
    return undefined;
  }
}

/** The same with other texts in it. */
function withTexts(value: unknown, draws: Draws): unknown {
  if (typeof value === 'string') return draws.isOne(3) && !value.startsWith('{') ? draws.from(TEXTS) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(one => withTexts(one, draws));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTexts(one, draws)]));
}

const bare = (text: string) => text.slice(2, -2);

/** JSONata of the key and the name, as the states have it. */
function expressionOf(source: KeyExpressions): string {
  const name = bare(nameExpression('$text', 'readable'));
  return `( $text := ${bare(keyTextExpression(source))}; $exists($text) ? {'key': $text, 'name': ${name}} )`;
}

const statesOf = (input: unknown) => ({ input, context: { Execution: { Input: input } } });

describe(`the keys of ${KEYS} random expressions, and the names of executions`, () => {
  const all = cases();
  const requests: readonly Request[] = all.map(({ source, events }) => ({
    expression: expressionOf(source),
    functions: {},
    scopes: events.map(input => ({ states: statesOf(input) })),
  }));
  let known: Promise<readonly (readonly Named[])[]> | undefined;
  /** What JSONata 2.0.6 gives. */
  const expected = () => {
    known ??= answersOf206(requests).then(all => all.map(answers => answers.map(one => one.value as Named)));
    return known;
  };

  async function differences(given: (at: number) => Promise<readonly unknown[]>, only?: 'key' | 'name') {
    const right = await expected();
    const found: Difference[] = [];
    for (const [at, { source, events }] of all.entries()) {
      const values = await given(at);
      for (const [index, event] of events.entries()) {
        const [wanted, value] = [right[at]?.[index], values[index]].map(one =>
          only && one ? (one as Readonly<Record<string, unknown>>)[only] : one,
        );
        if (isDeepStrictEqual(wanted, value)) continue;
        found.push({ key: source.parts.map(({ text }) => text).join('; '), event, wanted, value });
      }
    }
    return found;
  }

  test('JSONata 2.0.6 gives most events a key', async () => {
    const keys = (await expected()).flat().filter(one => one !== undefined);

    expect(keys.length).toBeGreaterThan(KEYS);
    expect(keys.filter(one => one?.name !== executionName(one?.key ?? ''))).toEqual([]);
  });

  test('the local runtime gives the same', async () => {
    const evaluationContext = { now: NOW, random: () => 0.5, uuid: () => 'uuid' };
    const given = (at: number) =>
      Promise.all(
        (all[at]?.events ?? []).map(async input => {
          const scope = { states: statesOf(input), variables: {}, evaluationContext } as never;
          const result = await evaluate(requests[at]?.expression ?? '', scope);
          return result.kind === 'value' ? result.value : undefined;
        }),
      );

    expect(await differences(given)).toEqual([]);
  }, 240_000);

  test('the command line takes the same key of an input', async () => {
    const given = (at: number) =>
      Promise.all(
        (all[at]?.events ?? []).map(async input => {
          const jsonata = bare(keyExpression(SCOPE, all[at]?.source as KeyExpressions));
          const taken = await keyOfInput(input, { keyExpression: { jsonata, scope: SCOPE } });
          return taken.kind === 'missing' ? undefined : taken.kind === 'key' ? { key: taken.text } : taken;
        }),
      );

    expect(await differences(given, 'key')).toEqual([]);
  }, 240_000);

  test('`startOnce` starts an execution of the same name for the values, or rejects them', async () => {
    const client = new SFNClient({
      region: 'eu-west-1',
      credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
    });
    const started: string[] = [];
    client.middlewareStack.add(
      () => async args => {
        started.push(String((args.input as { readonly name?: string }).name));
        return {
          output: { executionArn: 'arn', startDate: new Date(), $metadata: {} },
          response: {},
        } as never;
      },
      { step: 'initialize', name: 'answered' },
    );
    const stateMachineArn = 'arn:aws:states:eu-west-1:123456789012:stateMachine:Pay';
    const options = { stateMachineArn, table: 'Records', scope: SCOPE };
    const nameOf = async (source: KeyExpressions, input: unknown) => {
      const values = await Promise.all(
        // A group adds to a list of the input that is empty.
        source.parts.map(({ text }) => evaluate206(text, { states: statesOf(structuredClone(input)) })),
      );
      const [value, ...more] = values.map(one => ('value' in one ? one.value : undefined));
      if (value === undefined && more.length === 0) return undefined;
      try {
        const key =
          source.kind === 'payload'
            ? Key.ofPayload(value)
            : source.kind === 'single'
              ? value
              : [value, ...more];
        await startOnce(client, { ...options, key: key as never, input });
      } catch (error) {
        if (error instanceof MissingKeyError) return undefined;
        throw error;
      }
      return { name: started.pop() };
    };
    const given = async (at: number) => {
      const names: unknown[] = [];
      for (const input of all[at]?.events ?? [])
        names.push(await nameOf(all[at]?.source as KeyExpressions, input));
      return names;
    };

    expect(await differences(given, 'name')).toEqual([]);
  }, 240_000);

  for (const evaluator of EVALUATORS) {
    const { name, command, remedy } = evaluator;
    if (command === undefined) {
      test.skip(`${name}: gives the same (skipped: it is not here; ${remedy})`, () => {});
      continue;
    }
    test(`${name}: gives the same`, async () => {
      const answers = await answersOf(evaluator, requests);

      const found = await differences(async at => (answers[at] ?? []).map(({ value }) => value));
      expect(found.filter(one => !HARMLESS.some(([isHarmless]) => isHarmless(one)))).toEqual([]);
    }, 240_000);
  }
});
