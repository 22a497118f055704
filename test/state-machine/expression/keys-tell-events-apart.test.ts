import { isDeepStrictEqual } from 'node:util';
import {
  KNOWN_FUNCTIONS,
  type KnownFunction,
} from '../../../packages/local/language/jsonata/known-functions';
import { keyText } from '../../../state-machine/contract/idempotency-key';
import { type KeyExpressions, parseKeyExpressions } from '../../../state-machine/expression/key-expressions';
import { KEY_FORMS, type KeyForms } from '../../../state-machine/expression/key-forms';
import { parsePayloadExpression } from '../../../state-machine/expression/payload-expression';
import { keyExpression } from '../../../state-machine/jsonata/key';
import { payloadHashExpression } from '../../../state-machine/jsonata/payload';
import { type IdempotencyKey, Key } from '../../../state-machine/options/key';
import { evaluate206 } from '../../support/evaluate';
import { runs } from '../../support/scale';
import { eventsIn } from '../../support/warned-events';
import { Draws, type RandomPart, type Read, turned } from './random-keys';
import { randomPayload } from './random-payloads';

/** Just before midnight, behind it, and in another year. */
const TIMES = ['2026-11-28T23:59:59.999Z', '2026-11-29T00:00:00.001Z', '2027-03-04T05:06:07.008Z'];
const PAIRS_OF_A_KEY = 10;

beforeEach(() => {
  // Only the clock: evaluation goes on in promises.
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'performance'],
  });
});
afterEach(() => {
  jest.useRealTimers();
});

/** The key of an event in an execution of its own; undefined if it has none. */
async function evaluated(expression: string, input: unknown, execution = 0): Promise<unknown> {
  jest.setSystemTime(new Date(TIMES[execution] ?? 0));
  const Execution = {
    Id: `id-${execution}`,
    Name: `name-${execution}`,
    StartTime: TIMES[execution],
    Input: input,
  };
  const evaluation = await evaluate206(expression, { states: { input, context: { Execution } } });
  return 'value' in evaluation ? evaluation.value : undefined;
}

/** The key that the table accepts without a warning; undefined for any other. */
function silentKey(parts: readonly RandomPart[], forms: KeyForms): KeyExpressions | undefined {
  const [only, ...others] = parts.map(({ jsonata }) => `{% ${jsonata} %}`);
  try {
    const source = parseKeyExpressions(
      others.length === 0 ? (only ?? '') : [only ?? '', ...others],
      undefined,
      forms,
    );
    return source.meetings?.length === 0 ? source : undefined;
  } catch {
    return undefined;
  }
}

/** The key that the table accepts, also with a warning; undefined for any other. */
function accepted(key: IdempotencyKey): KeyExpressions | undefined {
  try {
    return parseKeyExpressions(key);
  } catch {
    return undefined;
  }
}

/** The fault of a key for two events; undefined if there is none. */
async function faultFor(
  source: KeyExpressions,
  parts: readonly RandomPart[],
  [event, other]: readonly [unknown, unknown],
): Promise<string | undefined> {
  const expression = keyExpression('S', source);
  const key = await evaluated(expression, event);
  const read = parts.map(part => part.reads(event));
  if (key === undefined) return undefined;
  if (read.some(({ value }) => !isKey(value, parts.length > 1)))
    return 'a part is no key, and the event has one';
  if (read.every(({ member }) => member === undefined)) return 'nothing of the event is in its key';
  for (const [execution, again] of [event, event, turned(event)].entries()) {
    if ((await evaluated(expression, again, execution)) !== key) return 'one event has two keys';
  }
  if ((await evaluated(expression, other)) !== key) return undefined;
  const same = parts.every((part, at) => isSame(read[at] as Read, part.reads(other)));
  return same ? undefined : 'two events have one key';
}

const isKey = (value: unknown, isPart: boolean) =>
  keyText(value).kind === 'key' && !(isPart && Array.isArray(value));

/** A constant stands for its value: for a default that an event can have, too. */
function isSame(one: Read, other: Read): boolean {
  const isDefault = one.member === undefined || other.member === undefined;
  return isDeepStrictEqual(one.value, other.value) && (isDefault || one.member === other.member);
}

/** The first fault among keys of random expressions, each with pairs of events, and how many pairs were tried. */
async function searched(forms: KeyForms, pairs: number, wanted = /./, often?: string) {
  let tried = 0;
  for (let seed = 1; tried < pairs; seed += 1) {
    const draws = new Draws(seed, often);
    const parts = draws.parts();
    const source = silentKey(parts, forms);
    if (source === undefined) continue;
    for (let pair = 0; pair < PAIRS_OF_A_KEY; pair += 1) {
      const event = draws.event();
      const events = [event, draws.neighbour(event)] as const;
      tried += 1;
      const fault = await faultFor(source, parts, events);
      if (fault && wanted.test(fault))
        return { tried, fault, seed, key: parts.map(({ jsonata }) => jsonata), events };
    }
  }
  return { tried };
}

const PAIRS = Number(process.env['ONCEFLOW_EVENT_PAIRS'] ?? runs(1500, 20_000));

describe('keys that the table accepts without a warning', () => {
  test(
    'two events that differ in what is read have two keys, and one event has one',
    async () => {
      const found = await searched(KEY_FORMS, PAIRS);

      expect(found).toEqual({ tried: expect.any(Number) });
      expect(found.tried).toBeGreaterThanOrEqual(PAIRS);
    },
    60_000 + PAIRS * 20,
  );

  const silent = (name: string): KeyForms => ({
    ...KEY_FORMS,
    [name]: { example: '', because: '', takes: () => true, from: value => value },
  });
  const { fallback: _, ...others } = KEY_FORMS;
  const { constant } = KEY_FORMS;

  test.each<
    [string, KeyForms, [name: string, facts: KnownFunction] | undefined, RegExp, often: string | undefined]
  >([
    [
      '$toMillis with a picture',
      silent('$toMillis'),
      ['toMillis', {}],
      /one event has two keys/,
      "$toMillis(_, '[H01]:[m01]')",
    ],
    ['$formatBase', silent('$formatBase'), ['formatBase', {}], /two events have one key/, '$formatBase(_)'],
    ['$keys', silent('$keys'), ['keys', {}], /one event has two keys/, undefined],
    ['a fallback', others, undefined, /two events/, "$exists(_) ? _ : '7'"],
    [
      'a constant branch',
      { ...KEY_FORMS, constant: { ...constant, isShared: undefined } as never },
      undefined,
      /nothing/,
      undefined,
    ],
    ['letter case', silent('$lowercase'), undefined, /two events have one key/, '$lowercase(_)'],
  ])(
    'a table that takes %s silently is found out',
    async (_, forms, fact, fault, often) => {
      expect(await withFact(fact, () => searched(forms, 60_000, fault, often))).toHaveProperty('fault');
    },
    300_000,
  );
});

describe('keys that the table accepts with a warning', () => {
  /** The first warning whose events do not share a key, among so many warnings of random keys. */
  async function wrongWarning(warnings: number) {
    let tried = 0;
    for (let seed = 1; tried < warnings; seed += 1) {
      const draws = new Draws(seed);
      const [only = '', ...others] = draws.parts().map(({ jsonata }) => `{% ${jsonata} %}`);
      const source = accepted(others.length === 0 ? only : [only, ...others]);
      for (const warning of source?.meetings ?? []) {
        tried += 1;
        const [one, other, isOfAll] = eventsIn(warning);
        const expression = keyExpression('S', source as KeyExpressions);
        const keys = [await evaluated(expression, one), await evaluated(expression, other)];
        const isRight =
          keys[0] !== undefined && keys[0] === keys[1] && isDeepStrictEqual(one, other) === isOfAll;
        if (!isRight) return { tried, seed, warning, keys };
      }
    }
    return { tried };
  }

  test(
    'every warning shows two events that share the whole key, or all events of one',
    async () => {
      const warnings = Number(process.env['ONCEFLOW_EVENT_WARNINGS'] ?? runs(400, 20_000));

      expect(await wrongWarning(warnings)).toEqual({ tried: expect.any(Number) });
    },
    60_000 + PAIRS * 20,
  );
});

test('every rejection of a random key has code that is accepted when it is typed', () => {
  const wrong: unknown[] = [];
  let rejected = 0;
  for (let seed = 1; rejected < runs(300, 5000); seed += 1) {
    const [only = '', ...others] = new Draws(seed).parts().map(({ jsonata }) => `{% ${jsonata} %}`);
    const message = rejectionOf(others.length === 0 ? only : [only, ...others]);
    // Of these, the message has words.
    if (message === undefined || /must read members of \$states|not valid JSONata/.test(message)) continue;
    rejected += 1;
    const [, code] = /(?:[Ww]rite|has:|value:) `idempotencyKey: (.*?)`(?:\.|$)/.exec(message) ?? [];
    const [, example = ''] = /such as (\{%.*?%\})/.exec(message) ?? [];
    const again = rejectionOf(code === undefined ? example : new Function('Key', `return ${code}`)(Key));
    if (again !== undefined) wrong.push({ message, again });
  }

  expect(wrong).toEqual([]);
});

function rejectionOf(key: IdempotencyKey): string | undefined {
  try {
    parseKeyExpressions(key);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** What `run` gives while a function is known by other facts. */
async function withFact<Result>(
  fact: [name: string, facts: KnownFunction] | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  if (fact === undefined) return run();
  const functions = KNOWN_FUNCTIONS as Map<string, KnownFunction>;
  const known = functions.get(fact[0]) ?? {};
  functions.set(...fact);
  try {
    return await run();
  } finally {
    functions.set(fact[0], known);
  }
}

describe('payloads that are accepted', () => {
  /** The first payload with two hashes, among so many that are accepted and can be hashed. */
  async function hashedTwice(payloads: number, first: number, often?: string) {
    let hashed = 0;
    for (let seed = first; hashed < payloads; seed += 1) {
      const draws = new Draws(seed);
      const jsonata = randomPayload(draws, often);
      let source: string | undefined;
      try {
        source = parsePayloadExpression(`{% ${jsonata} %}`)?.jsonata;
      } catch {
        continue;
      }
      const expression = payloadHashExpression(source ?? '');
      const event = draws.event();
      const [hash, ...others] = [
        await evaluated(expression, event, 0),
        await evaluated(expression, event, 1),
        await evaluated(expression, turned(event), 2),
      ];
      if (hash === undefined && others.every(other => other === undefined)) continue;
      hashed += 1;
      if (others.some(other => other !== hash)) return { hashed, jsonata, event };
    }
    return { hashed };
  }

  const PAYLOADS = Number(process.env['ONCEFLOW_EVENT_PAIRS'] ?? runs(300, 5000));

  test(
    'have one hash at any time, with members in any order, in each execution',
    async () => {
      expect(await hashedTwice(PAYLOADS, 1)).toEqual({ hashed: PAYLOADS });
    },
    60_000 + PAYLOADS * 50,
  );

  test.each<[string, KnownFunction, often: string | undefined]>([
    ['spread', {}, undefined],
    ['keys', {}, undefined],
    ['toMillis', {}, "$toMillis(_.at, '[H01]:[m01]')"],
    ['now', {}, undefined],
  ])(
    'if $%s is taken for any other function, one is found with two',
    async (name, facts, often) => {
      expect(await withFact([name, facts], () => hashedTwice(20_000, 1, often))).toHaveProperty('jsonata');
    },
    120_000,
  );
});
