import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  AFTER_THE_STEP,
  BEFORE_THE_STEP,
  DISPATCHER_STATE,
  FAILS_AFTER_THE_STEP,
  REJECTIONS_BEFORE_THE_STEP,
  RESULTS_AFTER_THE_STEP,
  SENDS_AFTER_THE_STEP,
  SENDS_BEFORE_THE_STEP,
  SENDS_OF_RESULTS,
  STATE,
  STORED_ANSWERS,
} from '../../../state-machine/contract/state-names';

const ROOT = path.join(__dirname, '../../..');
const NAMES: readonly string[] = Object.values(STATE);
const DISPATCHER_NAMES: readonly string[] = Object.values(DISPATCHER_STATE);

interface State {
  readonly Type: string;
  readonly Comment?: string;
}

function statesIn(golden: string): [name: string, state: State][] {
  const file = path.join(ROOT, 'test/golden', `${golden}.asl.json`);
  return Object.entries(JSON.parse(readFileSync(file, 'utf8')).States as Record<string, State>);
}

function sourcesIn(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('state-names.ts'))
    .map(file => path.join(folder, file));
}

describe('the names of states', () => {
  const goldens: [golden: string, names: readonly string[]][] = [
    ['minimal', NAMES],
    ['chain', NAMES],
    ['express', NAMES],
    ['payload-and-retention', NAMES],
    ['waits-at-most-once', NAMES],
    ['on-failure', NAMES],
    ['dispatcher', DISPATCHER_NAMES],
    ['dispatcher-with-input', DISPATCHER_NAMES],
  ];

  test.each(goldens)(
    '%s: every state is named, in this order, and says what it is about',
    (golden, names) => {
      const states = statesIn(golden);
      const own = states.map(([name]) => name);

      expect(own).toEqual(names.filter(name => own.includes(name)));
      expect(states.filter(([, { Comment }]) => !Comment).map(([name]) => name)).toEqual([]);
    },
  );

  test.each(goldens)('%s: a Choice asks, and nothing else does', golden => {
    const asks = statesIn(golden).filter(([name, { Type }]) => name.endsWith('?') !== (Type === 'Choice'));

    expect(asks.map(([name]) => name)).toEqual([]);
  });

  test('each once, and of every state it is known how it lies to the step', () => {
    const placed = [
      STATE.makeClaimId,
      STATE.step,
      ...BEFORE_THE_STEP,
      ...AFTER_THE_STEP,
      ...SENDS_BEFORE_THE_STEP,
      ...SENDS_AFTER_THE_STEP,
      ...RESULTS_AFTER_THE_STEP,
      ...SENDS_OF_RESULTS,
      ...REJECTIONS_BEFORE_THE_STEP,
      ...FAILS_AFTER_THE_STEP,
      ...STORED_ANSWERS,
    ];

    expect(new Set(NAMES).size).toBe(NAMES.length);
    expect([...placed].sort()).toEqual([...NAMES].sort());
  });

  test('written once: no other source of the workflow or the command line has one as a text', () => {
    const quoted = [...NAMES, ...DISPATCHER_NAMES].flatMap(name => [`'${name}'`, `"${name}"`]);
    // Rules of the judgement are named in words too.
    const rules = ["'In progress'", "'In doubt'", "'Held for review'"];
    const found = ['state-machine', 'cli'].flatMap(sourcesIn).flatMap(file => {
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      return quoted
        .filter(name => text.includes(name) && !rules.includes(name))
        .map(name => `${file}: ${name}`);
    });

    expect(found).toEqual([]);
  });
});
