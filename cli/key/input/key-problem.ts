import { partsIn } from '../../../state-machine/contract/idempotency-key';
import { type InputPath, inputPathText } from '../../definition/input-paths';
import { printable } from '../../text';

/** Why a workflow is not started for a key with an input. Each front end has words of its own for it. */
export type KeyProblem = PartsProblem | InputKeyProblem;

/** The workflow has keys of another form: so many parts, or one value. */
export interface PartsProblem {
  readonly kind: 'parts';
  /** The workflow's. */
  readonly name: string;
  readonly expected: number | 'one';
  readonly given: number;
}

/** The workflow takes no key of the input, or another; or onceflow cannot say which. */
export type InputKeyProblem =
  | {
      readonly kind: 'missing';
      readonly name: string;
      readonly keyPaths: readonly InputPath[] | undefined;
      readonly input: unknown;
    }
  /** `why` continues a sentence after a colon. */
  | { readonly kind: 'unclear'; readonly name: string; readonly why: string }
  | {
      readonly kind: 'another';
      readonly name: string;
      readonly keyPaths: readonly InputPath[] | undefined;
      /** The text of the key that the workflow takes of the input. */
      readonly taken: string;
      /** The text of the key that was named. */
      readonly text: string;
    };

/** How an operator finds a key that was not typed as it is. */
export const KEYS_LISTED =
  '`onceflow list` shows unfinished and failed keys, `onceflow list --status COMPLETED` the others';

/** A problem of a key in a sentence for the command line, with its options. */
export function problemOnCommandLine(problem: KeyProblem): string {
  const { name } = problem;
  switch (problem.kind) {
    case 'parts':
      return problem.expected === 'one'
        ? `the key of ${name} has one part, got ${problem.given}. If the key contains blanks, quote it; if it is a ` +
            `list, pass --json-key '["shop-1",4711]'`
        : `the key of ${name} has ${problem.expected} parts, got ${problem.given}. Pass all of them in order, or, if ` +
            `some are numbers, --json-key '["shop-1",4711]'`;
    case 'missing':
      return `nothing was started, because --input ${noKey(problem)}. ${VALID_KEY}`;
    case 'unclear':
      return (
        `nothing was started, because onceflow cannot compute the key of --input for ${name}: ${problem.why}. If you ` +
        'know that it is KEY, pass --force'
      );
    case 'another': {
      const passed = `Pass ${keyArguments(problem.taken)}, or the input of ${printable(problem.text)}`;
      return `nothing was started, because ${belongsElsewhere(problem)}. ${passed}`;
    }
  }
}

/** What can be a key, and what to do about an input without one. */
export const VALID_KEY =
  'A key is a text that is not empty, a whole number up to 2^53 - 1, or a list of these: correct the input';

/** `has no usable key`, where the workflow reads it, and what is there. */
export function noKey({ name, keyPaths, input }: KeyProblem & { kind: 'missing' }): string {
  if (keyPaths === undefined)
    return `has no usable key: the idempotencyKey of ${name} is not a valid key for it`;
  const found = keyPaths.map(path => typeAt(input, path));
  const there = found.includes(undefined) ? '' : `: there is ${found.join(' and ')}`;
  return `has no usable key where ${name} reads it${placeOf(keyPaths)}${there}`;
}

/** The type of what stands at a path, never its value; undefined behind a list, whose items JSONata looks through. */
function typeAt(input: unknown, path: InputPath): string | undefined {
  let value = input;
  for (const name of path) {
    if (Array.isArray(value)) return undefined;
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    value = isObject ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (value === '') return 'an empty text';
  if (Number.isSafeInteger(value)) return 'a whole number';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number beyond 2^53 - 1' : 'a fraction';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

/** `the input belongs to order-1, not to order-4`, and where that is read. */
export function belongsElsewhere({ name, keyPaths, taken, text }: KeyProblem & { kind: 'another' }): string {
  const [its, named] = [printable(taken), printable(text)];
  return `the input belongs to ${its}, not to ${named}: ${name} reads its key there${placeOf(keyPaths)}`;
}

function placeOf(keyPaths: readonly InputPath[] | undefined): string {
  return keyPaths === undefined ? '' : `, at ${keyPaths.map(inputPathText).join(' and ')}`;
}

/** What a key's text says that a record has. */
export interface ReadKeyText {
  /** `long` for a text that does not hold the whole key. */
  readonly form: 'text' | 'number' | 'json' | 'long';
  /** As the form takes it. */
  readonly value: string;
}

/** Reads a key's text back into what an operator would enter. */
export function readKeyText(text: string): ReadKeyText {
  const parts = partsIn(text);
  if (parts === undefined) return { form: 'long', value: text };
  const [only] = parts;
  if (parts.length > 1) return { form: 'json', value: JSON.stringify(parts) };
  return { form: typeof only === 'number' ? 'number' : 'text', value: String(only) };
}

/** A key's text as arguments of the command line. */
function keyArguments(text: string): string {
  const { form, value } = readKeyText(text);
  if (form === 'long') return 'the whole key of this input';
  if (form === 'number') return `${value} --number`;
  if (value === text && form === 'text' && /^\w[\w.:/@+-]*$/.test(text)) return text;
  const json = form === 'json' ? value : JSON.stringify(value);
  return `--json-key '${printable(json).replaceAll("'", "'\\''")}'`;
}
