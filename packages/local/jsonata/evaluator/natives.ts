import { type EvaluationState, registerFunctions, STATE } from '../functions';
import { Depth, LIST_ITEMS_MAX } from '../limits';
import { functionsOf, type Original } from '../originals';
import { type Frame, GIVE_UP, type Run, sequenceOf } from './run';

/** A built-in function as the interpreter has it: the same code, called without a promise in between. */
export type Native = Original;

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
export const NATIVES: ReadonlyMap<string, Native> = functionsOf(NAMES, registerFunctions);

/** Functions that make a regular expression of their second argument, which may take for ever. */
const WITH_PICTURE: ReadonlySet<Native | undefined> = new Set([
  NATIVES.get('toMillis'),
  NATIVES.get('parseInteger'),
]);

/** Which argument of a function is a picture that is read character by character, some of them more than once. */
const PICTURE_AT: ReadonlyMap<Native | undefined, number> = new Map([
  [NATIVES.get('now'), 0],
  [NATIVES.get('fromMillis'), 1],
  [NATIVES.get('formatNumber'), 1],
  [NATIVES.get('formatInteger'), 1],
]);

/** A picture that is longer is nobody's: it is read where it holds up nobody else. */
const PICTURE_CHARACTERS_MAX = 1000;

/** Arguments in the form a function wants them: a scalar as a list, the context for what is missing. */
export function validated(native: Native, args: readonly unknown[], context: unknown): readonly unknown[] {
  return native.signature ? native.signature.validate(args, context) : args;
}

/** Calls a function as the interpreter does, and counts what it went through as work. */
export function callNative(native: Native, args: readonly unknown[], input: unknown, frame: Frame): unknown {
  const { run } = frame;
  if (args[1] !== undefined && run.time === 'shared' && WITH_PICTURE.has(native)) throw GIVE_UP;
  const picture = args[PICTURE_AT.get(native) ?? args.length];
  if (run.time === 'shared' && sizeOf(picture) > PICTURE_CHARACTERS_MAX) throw GIVE_UP;
  for (const arg of args) run.spend(sizeOf(arg));
  const result = native.implementation.apply(focusOf(input, run), [...validated(native, args, input)]);
  if (result instanceof Promise) {
    result.catch(() => undefined);
    throw GIVE_UP;
  }
  run.spend(sizeOf(result));
  return result;
}

/** What going through a value costs at least. */
export function sizeOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 1;
}

function focusOf(input: unknown, run: Run) {
  const { evaluationContext } = run.scope;
  const state: EvaluationState = { evaluationContext, depth: NO_DEPTH, usage: run.usage };
  return {
    input,
    environment: { lookup: (name: string) => (name === STATE ? state : undefined) },
    options: OPTIONS,
    createSequence: (...items: unknown[]) => sequenceOf(...items),
  };
}

/** Functions do not look at the depth. */
const NO_DEPTH = new Depth();

const OPTIONS = { sequence: LIST_ITEMS_MAX };
