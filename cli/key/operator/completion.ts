import { RESULT_TEXT_MAX, STATUS } from '../../../state-machine/contract/index';
import { requireMembersOnce } from '../../input-file';
import { usage } from '../../program/rejection';
import { failureOf } from '../failure';
import type { KeyRecord } from '../record';

/** The error of a record that an operator has completed. Its cause tells who, when and why. */
const COMPLETED_BY_OPERATOR = 'Idempotency.CompletedByOperator';

/** The result that an operator gives a held key, and the facts that the record keeps of it. */
export interface Completion {
  /** JSON text. */
  readonly result: string;
  /** The operator's name. */
  readonly by: string;
  readonly reason: string;
}

/** The error that a completion writes into a record. The token tells this completion from every other. */
export function completedError(
  { owner, attempt, error }: KeyRecord,
  { by, reason }: Completion,
  at: string,
  token: string,
): string {
  const cause = { message: 'an operator has completed the key', by, at, reason, owner, attempt, token };
  const before = failureOf({ error })?.error;
  return JSON.stringify({ Error: COMPLETED_BY_OPERATOR, Cause: JSON.stringify({ ...cause, before }) });
}

/** The operator who has completed a key by hand, and why; undefined for any other record. */
export function completedBy({ status, error }: Pick<KeyRecord, 'status' | 'error'>): string | undefined {
  const { error: name, cause } = failureOf({ error }) ?? {};
  if (status !== STATUS.completed || name !== COMPLETED_BY_OPERATOR || cause === undefined) return undefined;
  try {
    const { by, reason } = JSON.parse(cause) as Partial<Completion>;
    return `${by}, because ${reason}`;
  } catch {
    return 'an operator';
  }
}

/**
 * A result as the record keeps it, without blanks.
 *
 * @throws Rejection for a text that is not JSON, that is too long for a record, or that would lose digits
 */
export function resultText(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usage(
      'the result is not JSON. Pass what the step would have returned, such as \'{"charge":"c-1"}\'',
    );
  }
  requireMembersOnce(text, 'the result');
  const numbers = text.replace(/"(?:\\.|[^"\\])*"/g, '').match(/\d[\d.]*/g) ?? [];
  const isExact = numbers.every(digits => digits.replace(/\.|^0+|^0\.0*/g, '').length <= DIGITS_MAX);
  if (!isExact)
    throw usage(`the result has a number of more than ${DIGITS_MAX} digits. Write this number as a text`);
  const result = JSON.stringify(value);
  // As in a list: escaped, in quotes and brackets.
  if (JSON.stringify([result]).length <= RESULT_TEXT_MAX + 4) return result;
  throw usage(
    `the result has more than ${RESULT_TEXT_MAX} characters, which a record does not hold. Put it into a bucket of ` +
      'yours, and pass JSON that says where it is',
  );
}

/** JSONata writes no more digits of a number. */
const DIGITS_MAX = 15;
