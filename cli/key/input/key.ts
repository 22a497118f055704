import { isShortened } from '../../../state-machine/contract/idempotency-key';
import { keyText } from '../../../state-machine/contract/index';
import { KEY_TEXT_MAX } from '../../../state-machine/contract/record';
import { usage } from '../../program/rejection';

/** What the command line says of the key. */
export interface KeyArguments {
  /** One text, or the parts of a composite key. */
  readonly parts: readonly string[];
  /** True where the text is a number, or those parts are numbers that look like one. */
  readonly isNumber: boolean;
  /** True where the text is what the record has. */
  readonly isRecorded: boolean;
  /** A JSON value instead of the parts. */
  readonly json: string | undefined;
}

/** A key, and its one text form. */
export interface Key {
  /** Undefined where only the text form is known. */
  readonly value: unknown;
  readonly text: string;
  /** How it was given: `parts` where several arguments are one composite key. */
  readonly form: 'text' | 'parts' | 'json' | 'recorded';
  /** An interpretation that changes what was typed: a number out of digits, or a caller put in front. */
  readonly isGuess?: boolean;
  /** The typed key, if no option gives its kind: other interpretations are tried, too. */
  readonly typed?: readonly string[];
  /** The texts of other interpretations that were tried, and of which nothing is known. */
  readonly tried?: readonly string[];
}

/** What the command line has of a key: its arguments, and the options about them. */
interface KeyLine {
  readonly positionals: readonly string[];
  readonly values: {
    readonly number: boolean;
    readonly recorded?: boolean;
    readonly 'json-key': string | undefined;
  };
}

/** The key that a command line names. @throws Rejection without a key, and for an invalid one */
export function keyFromArguments({ values, positionals }: KeyLine): Key {
  const { number: isNumber, recorded: isRecorded = false, 'json-key': json } = values;
  return keyOf({ parts: positionals, isNumber, isRecorded, json });
}

/** The key that the arguments name. @throws Rejection for an invalid key */
export function keyOf({ parts, isNumber, isRecorded, json }: KeyArguments): Key {
  const [text, ...more] = parts;
  if ((text === undefined) === (json === undefined)) {
    throw usage(
      text === undefined
        ? 'which key? Pass KEY, or --json-key for a composite key'
        : 'KEY and --json-key both name the key; pass only one of them',
    );
  }
  if (json !== undefined && (isNumber || isRecorded)) {
    throw usage('--number and --recorded change how KEY is read; leave them out with --json-key');
  }
  if (isNumber && isRecorded)
    throw usage('a key in the form of --recorded already shows that it is a number; leave --number out');
  if (isRecorded && text !== undefined) return recordedKey(text, more.length);
  if (json !== undefined) return keyOfValue(parseJsonKey(json), 'json');
  const typed = isNumber ? {} : { typed: parts };
  if (text === undefined || more.length > 0) {
    const values = parts.map(part => (isNumber && isWholeNumber(part) ? Number(part) : part));
    return { ...keyOfValue(values, 'parts'), ...typed };
  }
  if (!isNumber) return { ...keyOfValue(text, 'text'), ...typed };
  if (isWholeNumber(text)) return keyOfValue(Number(text), 'text');
  throw usage(`--number needs a whole number as KEY; got ${JSON.stringify(text)}`);
}

function keyOfValue(value: unknown, form: Key['form']): Key {
  const known = keyText(value);
  if (known.kind === 'key') return { value, text: known.text, form };
  throw usage(
    'a key must be a non-empty text, a whole number within ±(2^53 - 1), or a non-empty list of these',
  );
}

function recordedKey(text: string, moreTexts: number): Key {
  if (moreTexts > 0)
    throw usage('--recorded takes one text, as `list` shows it; quote the text if it contains blanks');
  const length = Array.from(text).length;
  const isPossible = (length > 0 && length <= KEY_TEXT_MAX) || isShortened(text);
  if (isPossible) return { value: undefined, text, form: 'recorded' };
  throw usage(
    `the key of a record has 1 to ${KEY_TEXT_MAX} characters, or ${KEY_TEXT_MAX} and a hash; ` +
      'pass a longer key without --recorded',
  );
}

function isWholeNumber(text: string): boolean {
  return /^-?\d+$/.test(text);
}

function parseJsonKey(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw usage(`--json-key must be JSON, such as '["shop-1",4711]'. Check the quotes of your shell`);
  }
}
