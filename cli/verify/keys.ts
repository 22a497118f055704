import { TestStateCommand } from '@aws-sdk/client-sfn';
import type { Json } from '@onceflow/local';
import { keyText, payloadHash, RECORD, recordKey } from '../../state-machine/contract/index';
import { STATE } from '../../state-machine/contract/state-names';
import { each } from '../concurrency';
import { claimsIn } from '../definition/claims';
import { ScenarioAborted } from './scenario-run';
import type { Scenario } from './scenarios';

/** How many inputs are evaluated, unless a test says less. */
const INPUTS = 300;

/** The scenario that needs no stack: what the definition makes of keys and payloads, beside `onceflow/client`. */
export function keysScenario(definition: string, count = INPUTS): Scenario {
  return {
    name: 'keys',
    about: `the expressions of key and payload over ${count} inputs, beside the functions of onceflow/client`,
    async play({ environment: { aws }, note }) {
      const inputs = generatedInputs(count);
      const state = stateOf(definition);
      let asked = 0;
      const different: Json[] = [];
      await each(inputs, async input => {
        const command = new TestStateCommand({ definition: state, input: JSON.stringify({ detail: input }) });
        const answer = await aws.sfn.send(command, { abortSignal: aws.signal });
        if (answer.status === undefined) throw new ScenarioAborted('TestState says neither yes nor no here');
        asked += 1;
        const remote = answer.status === 'SUCCEEDED' ? (JSON.parse(answer.output ?? 'null') as Json) : null;
        const ours = ownWordsFor(input);
        if (JSON.stringify(remote) !== JSON.stringify(ours))
          different.push({ input, remote, ours } as unknown as Json);
      });
      note('asked', asked);
      note('different', different);
    },
  };
}

/** A state that gives what the claim would write. */
function stateOf(definition: string): string {
  const [claim] = claimsIn(definition);
  const { Arguments } = (claim?.states[STATE.claim] ?? {}) as {
    readonly Arguments?: { readonly Item?: Readonly<Record<string, { readonly S?: string }>> };
  };
  return JSON.stringify({
    QueryLanguage: 'JSONata',
    Type: 'Pass',
    Output: [`{% ${claim?.keyExpression} %}`, Arguments?.Item?.[RECORD.payloadHash]?.S],
    End: true,
  });
}

interface Input {
  readonly orderId: Json;
  readonly amount: Json;
}

/** What `onceflow/client` says of the same input; null where it rejects it. */
function ownWordsFor({ orderId, amount }: Input): Json {
  const key = keyText(orderId);
  if (key.kind !== 'key') return null;
  try {
    return [recordKey('Workflow', key.text), payloadHash({ amount })];
  } catch {
    return null;
  }
}

/** What implementations see differently, if anything: planes of Unicode, escapes, the edges of numbers, our own marks. */
const TEXTS = [
  'order-7',
  'a b',
  '"',
  '\\',
  "'",
  'ä',
  'e\u0301',
  '😀',
  '👩‍👩‍👧',
  '漢字',
  '\u2028',
  '\u007f',
  '%',
  '+',
  '/',
  '#',
  '[',
  '[1]',
  'string:',
  'number:7',
  'long:x',
  'null',
  'true',
  '1e3',
  '007',
  '-',
  '_',
  '\t',
  '\n',
  '\r\n',
  '\u0001',
  '\uffff',
  '$',
  '{%',
  '$states',
  '.',
  '..',
  'İ',
  'ß',
];
const WHOLE = [0, 1, -1, 7, 10, 1e9, 2 ** 31, 2 ** 32, 1e15, 2 ** 53 - 1, -(2 ** 53) + 1];
const NUMBERS = [
  ...WHOLE,
  0.1,
  12.5,
  1 / 3,
  1e-7,
  5e-324,
  2.2250738585072014e-308,
  0.1 + 0.2,
  1e21,
  2 ** 53,
  2251799813685248.5,
];

/** The same inputs in every run: of a small generator, as no more is needed of it. */
function generatedInputs(count: number): readonly Input[] {
  let word = 34;
  const next = (below: number) => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return Math.floor((word / 2 ** 32) * below);
  };
  const one = <Item>(items: readonly Item[]) => items[next(items.length)] as Item;
  const text = (): string => {
    const joined = Array.from({ length: 1 + next(4) }, () => one(TEXTS)).join('');
    // Around the length at which a key becomes a hash, also in the middle of a pair of surrogates.
    return next(5) === 0 ? joined.repeat(200).slice(0, 395 + next(10)) : joined;
  };
  const part = (): Json => (next(3) === 0 ? one(WHOLE) : wellFormed(text()));
  const value = (depth: number): Json => {
    const kind = next(depth > 0 ? 7 : 5);
    if (kind === 5) return Array.from({ length: next(4) }, () => value(depth - 1));
    if (kind === 6)
      return Object.fromEntries(
        Array.from({ length: next(4) }, () => [wellFormed(text()), value(depth - 1)]),
      );
    return [one(NUMBERS), wellFormed(text()), next(2) === 0, null, one(NUMBERS)][kind] as Json;
  };
  return Array.from({ length: count }, () => ({
    orderId:
      next(3) === 0
        ? Array.from({ length: 1 + next(4) }, part)
        : next(40) === 0
          ? one([0.5, '', null, []])
          : part(),
    amount: value(3),
  }));
}

/** JSON that travels has no half of a pair. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '');
