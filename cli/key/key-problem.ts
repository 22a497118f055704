import { partsIn } from '../../state-machine/contract/idempotency-key';
import { type InputPath, inputPathText } from '../input-paths';
import { printable } from '../text';

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

/** The workflow takes no key of the input, or another; or nobody can say here which. */
export type InputKeyProblem =
  | { readonly kind: 'missing'; readonly name: string; readonly keyPaths: readonly InputPath[] | undefined }
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
      return `nothing was started, because --input ${noKey(problem)}. Add the key to the input`;
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

/** `has no usable key`, and where it was looked for. */
export function noKey({ name, keyPaths }: KeyProblem & { kind: 'missing' }): string {
  if (keyPaths === undefined)
    return `has no usable key: the idempotencyKey of ${name} is not a valid key for it`;
  return `has no usable key where ${name} reads it${placeOf(keyPaths)}`;
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

/** Reads a key's text back into what somebody would enter. */
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
