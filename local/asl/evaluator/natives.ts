import jsonata from 'jsonata';
import { type EvaluationState, registerFunctions, STATE } from '../jsonata-functions';
import { Depth } from '../jsonata-limits';
import { type Frame, GIVE_UP, sequenceOf } from './run';

/** A built-in function as the interpreter has it: the same code, called without a promise in between. */
export interface Native {
  readonly _jsonata_function: true;
  readonly implementation: (...args: unknown[]) => unknown;
  readonly signature?: {
    readonly definition: string;
    validate(args: readonly unknown[], context: unknown): unknown[];
  };
}

/** Functions that answer at once. The others, which may call back, are in callbacks.ts. */
const NAMES = [
  ...['sum', 'count', 'max', 'min', 'average', 'string', 'substring', 'substringBefore', 'substringAfter'],
  ...[
    'lowercase',
    'uppercase',
    'length',
    'trim',
    'pad',
    'join',
    'formatNumber',
    'formatBase',
    'formatInteger',
  ],
  ...['parseInteger', 'number', 'floor', 'ceil', 'round', 'abs', 'sqrt', 'power', 'boolean', 'not', 'zip'],
  ...[
    'keys',
    'lookup',
    'append',
    'exists',
    'spread',
    'merge',
    'reverse',
    'error',
    'assert',
    'type',
    'distinct',
  ],
  ...['base64encode', 'base64decode', 'encodeUrlComponent', 'encodeUrl', 'decodeUrlComponent', 'decodeUrl'],
  ...['toMillis', 'fromMillis', 'now', 'millis', 'random', 'uuid', 'hash', 'parse', 'range', 'partition'],
  // Only for their signatures.
  ...['map', 'filter', 'reduce', 'each', 'sift', 'sort', 'contains', 'replace', 'split'],
] as const;

/** The built-in functions by name. */
export const NATIVES: ReadonlyMap<string, Native> = load();

// The interpreter shows its variables to a callback before the first node, and before its first promise.
function load(): Map<string, Native> {
  const natives = new Map<string, Native>();
  const expression = jsonata('null');
  registerFunctions(expression);
  // The package looks this symbol up like a variable; its types know names only.
  const entry = Symbol.for('jsonata.__evaluate_entry') as unknown as string;
  expression.assign(entry, (_node: object, _input: unknown, frame: { lookup(name: string): Native }) => {
    for (const name of NAMES) natives.set(name, frame.lookup(name));
  });
  void expression.evaluate(undefined);
  if (natives.size === 0) throw new Error('the interpreter did not show its functions');
  return natives;
}

/** Arguments in the form a function wants them: a scalar as a list, the context for what is missing. */
export function validated(native: Native, args: readonly unknown[], context: unknown): readonly unknown[] {
  return native.signature ? native.signature.validate(args, context) : args;
}

/** Calls a function as the interpreter does. */
export function callNative(native: Native, args: readonly unknown[], input: unknown, frame: Frame): unknown {
  const result = native.implementation.apply(focusOf(input, frame), [...validated(native, args, input)]);
  if (result instanceof Promise) {
    result.catch(() => undefined);
    throw GIVE_UP;
  }
  return result;
}

function focusOf(input: unknown, { run }: Frame) {
  const state: EvaluationState = { surroundings: run.scope.surroundings, depth: NO_DEPTH };
  return {
    input,
    environment: { lookup: (name: string) => (name === STATE ? state : undefined) },
    options: undefined,
    createSequence: (...items: unknown[]) => sequenceOf(...items),
  };
}

/** Functions do not look at the depth. */
const NO_DEPTH = new Depth();
