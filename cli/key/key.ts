import { keyText } from '../../state-machine/contract/index';
import { usage } from '../refusal';

/** A longer key is shortened in its record. In characters. */
const TEXT_MAX = 400;

/** What the command line says of the key. */
export interface KeyGiven {
  readonly text: string | undefined;
  /** True where the text is a number. */
  readonly isNumber: boolean;
  /** True where the text is what the record has. */
  readonly isRecorded: boolean;
  /** A JSON value instead of the text. */
  readonly json: string | undefined;
}

/** A key, and its one text form. */
export interface Key {
  /** Undefined where only the text form is known. */
  readonly value: unknown;
  readonly text: string;
}

/** The key that is meant. @throws Refusal for what is none */
export function keyGiven({ text, isNumber, isRecorded, json }: KeyGiven): Key {
  if ((text === undefined) === (json === undefined)) {
    throw usage(
      text === undefined
        ? 'which key? Pass KEY, or --json-key for a composite one'
        : 'KEY and --json-key are two ways to say the same; pass one of them',
    );
  }
  if (json !== undefined && (isNumber || isRecorded)) {
    throw usage('--number and --recorded are about KEY; a --json-key says itself what it is');
  }
  if (isNumber && isRecorded) throw usage('a key that is --recorded says itself that it is a number');
  if (isRecorded && text !== undefined) return recorded(text);
  const value = json === undefined ? plain(text ?? '', isNumber) : parsed(json);
  const known = keyText(value);
  if (known.kind === 'key') return { value, text: known.text };
  throw usage('a key is a non-empty text, a whole number within ±(2^53 - 1), or a non-empty list of these');
}

function recorded(text: string): Key {
  const length = Array.from(text).length;
  if (length > 0 && length <= TEXT_MAX) return { value: undefined, text };
  throw usage(`--recorded: a record's key has 1 to ${TEXT_MAX} characters; a longer key is passed as it is`);
}

function plain(text: string, isNumber: boolean): unknown {
  if (!isNumber) return text;
  if (/^-?\d+$/.test(text)) return Number(text);
  throw usage(`--number: ${JSON.stringify(text)} is no whole number`);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw usage(`--json-key takes JSON, such as '["shop-1",4711]'; mind the quotes of your shell`);
  }
}
