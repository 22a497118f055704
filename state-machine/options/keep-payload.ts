import type { KeyExpressions } from '../expression/key-expressions';
import { checked, OF_THE_INPUT, STABLE } from '../expression/user-expression';
import { describeValue } from '../words/describe-value';

/**
 * What of the compared payload the record keeps.
 *
 * @example
 * keepPayload: KeepPayload.redacted('{% $states.input.detail.{"amount": amount} %}')
 */
export class KeepPayload {
  /** All of it, as it was compared. */
  static all(): KeepPayload {
    return new KeepPayload(undefined);
  }

  /**
   * What a redaction makes of it: a JSONata expression in `{% %}` over the input, which gives what may be kept, such as
   * the payload without the card, or with its last digits. What it does not name is never stored, and a field that
   * differs elsewhere is not named. If it cannot be evaluated, or gives nothing, nothing is kept; the event is handled
   * like any other.
   *
   * @throws Error for a value that is not a text
   */
  static redacted(expression: string): KeepPayload {
    if (typeof expression === 'string') return new KeepPayload(expression);
    throw new Error(
      `\`KeepPayload.redacted\` takes a JSONata expression in {% %}, got ${describeValue(expression)}`,
    );
  }

  private constructor(
    /** The expression of the stored payload, in `{% %}`; undefined: the payload's. */
    readonly redaction: string | undefined,
  ) {}
}

/**
 * JSONata of what the record keeps, without `{% %}`; undefined where it keeps nothing.
 *
 * @throws Error for a value that is not a {@link KeepPayload}, without a payload to keep, and for an unusable redaction
 */
export function keptPayloadOf(
  given: unknown,
  payload: string | undefined,
  key: KeyExpressions,
): string | undefined {
  if (given === undefined || given === false) return undefined;
  if (given !== true && !(given instanceof KeepPayload)) {
    throw new Error(
      `\`keepPayload\` must be true, KeepPayload.all() or KeepPayload.redacted('{% … %}'), got ${describeValue(given)}`,
    );
  }
  const compared = payload ?? (key.kind === 'payload' ? key.parts[0].jsonata : undefined);
  if (compared === undefined) {
    throw new Error('`keepPayload` keeps what is compared, and nothing is: set `payload`, or leave it out');
  }
  if (given === true || given.redaction === undefined) return compared;
  return checked(given.redaction, { prop: 'KeepPayload.redacted', rules: [STABLE, OF_THE_INPUT] });
}
