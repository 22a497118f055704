import { type EvaluationState, registerFunctions, STATE } from '../functions';
import { Depth, LIST_ITEMS_MAX } from '../limits';
import { functionsOf, type Original } from '../originals';
import { type Frame, GIVE_UP, type Run, sequenceOf } from './run';

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

/** Functions that make a regular expression of their second argument, which may take for ever. */
const WITH_PICTURE: ReadonlySet<string> = new Set(['toMillis', 'parseInteger']);

/** Which argument of a function is a picture that is read character by character, some of them more than once. */
const PICTURE_AT: Readonly<Record<string, number>> = {
  now: 0,
  fromMillis: 1,
  formatNumber: 1,
  formatInteger: 1,
};

/** A longer picture is not practical: a thread reads it, which delays no other evaluation. */
const PICTURE_CHARACTERS_MAX = 1000;

/** A built-in function as the interpreter has it: the same code, called without a promise in between. */
export class Native implements Original {
  readonly _jsonata_function = true;
  readonly implementation: Original['implementation'];
  readonly signature: Original['signature'];
  readonly #isWithPicture: boolean;
  readonly #pictureAt: number | undefined;
  /** Whether the signature says what a list holds. */
  readonly #isOfItems: boolean;
  readonly #fitting = new Map<number, boolean>();

  constructor(name: string, { implementation, signature }: Original) {
    this.implementation = implementation;
    this.signature = signature;
    this.#isWithPicture = WITH_PICTURE.has(name);
    this.#pictureAt = PICTURE_AT[name];
    this.#isOfItems = signature?.definition.includes('a<') === true;
  }

  /** Arguments in the form the function wants them: a scalar as a list, the context for a missing one. */
  validated(args: readonly unknown[], context: unknown): readonly unknown[] {
    const { signature } = this;
    if (!signature) return args;
    const types = typesOf(args, this.#isOfItems);
    if (types === undefined) return signature.validate(args, context);
    let isFitting = this.#fitting.get(types);
    if (isFitting === undefined) {
      isFitting = fits(signature, args);
      this.#fitting.set(types, isFitting);
    }
    return isFitting ? args : signature.validate(args, context);
  }

  /** Calls it as the interpreter does, and counts what it went through as work. */
  call(args: readonly unknown[], input: unknown, { run }: Frame): unknown {
    if (run.time === 'shared') {
      if (this.#isWithPicture && args[1] !== undefined) throw GIVE_UP;
      if (this.#pictureAt !== undefined && sizeOf(args[this.#pictureAt]) > PICTURE_CHARACTERS_MAX)
        throw GIVE_UP;
    }
    for (const arg of args) run.spend(sizeOf(arg));
    run.focus ??= new Focus(run);
    const result = Reflect.apply(this.implementation, run.focus, this.validated(args, input));
    if (result instanceof Promise) {
      result.catch(() => undefined);
      throw GIVE_UP;
    }
    run.spend(sizeOf(result));
    return result;
  }
}

/** The built-in functions by name. */
export const NATIVES: ReadonlyMap<string, Native> = new Map(
  [...functionsOf(NAMES, registerFunctions)].map(([name, original]) => [name, new Native(name, original)]),
);

/** What going through a value costs at least. */
export function sizeOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 1;
}

/** A value of each type that signatures tell apart. */
const SAMPLES: readonly unknown[] = [undefined, null, true, 0, '', [], {}, { _jsonata_function: true }, ['']];
const LIST = 5;
const LIST_OF_TEXTS = 8;

/** The types of arguments, as the digits of a number; undefined for more arguments than most functions take. */
function typesOf(args: readonly unknown[], isOfItems: boolean): number | undefined {
  if (args.length > 5) return undefined;
  let types = 1;
  for (const arg of args) types = types * SAMPLES.length + typeOf(arg, isOfItems);
  return types;
}

/** Where in the samples there is one of the value's type. */
function typeOf(value: unknown, isOfItems: boolean): number {
  if (value === undefined) return 0;
  if (value === null) return 1;
  if (typeof value === 'boolean') return 2;
  if (typeof value === 'number') return 3;
  if (typeof value === 'string') return 4;
  if (Array.isArray(value)) return isOfItems && isOfTexts(value) ? LIST_OF_TEXTS : LIST;
  const { _jsonata_function: isFunction, _jsonata_lambda: isLambda } = value as Record<string, unknown>;
  return isFunction === true || isLambda === true ? 7 : 6;
}

/** Whether a list holds texts, as most do whose items functions ask for. */
function isOfTexts(list: readonly unknown[]): boolean {
  for (const item of list) if (typeof item !== 'string') return false;
  return list.length > 0;
}

/** Whether a signature hands on all arguments of these types as they are, with any context. */
function fits(signature: NonNullable<Original['signature']>, args: readonly unknown[]): boolean {
  const isOfItems = signature.definition.includes('a<');
  // What a list holds has a type as well.
  if (isOfItems && args.some(arg => typeOf(arg, true) === LIST)) return false;
  const samples = args.map(arg => SAMPLES[typeOf(arg, isOfItems)]);
  try {
    const valid = signature.validate(samples, {});
    return valid.every((value, index) => value === samples[index]);
  } catch {
    return false;
  }
}

/** What the interpreter calls built-in functions on. */
class Focus {
  readonly options = { sequence: LIST_ITEMS_MAX };
  readonly environment: { lookup(name: string): EvaluationState | undefined };

  constructor({ scope, usage }: Run) {
    const state: EvaluationState = { evaluationContext: scope.evaluationContext, depth: NO_DEPTH, usage };
    this.environment = { lookup: name => (name === STATE ? state : undefined) };
  }

  createSequence(...items: unknown[]): unknown[] {
    return sequenceOf(...items);
  }
}

/** Functions do not look at the depth. */
const NO_DEPTH = new Depth();
