import { describeValue } from '../words/describe-value';
import { validateNames } from '../words/validate-names';

/**
 * A key that is made of more than an expression says.
 *
 * @example
 * idempotencyKey: Key.ofPayload('{% $states.input.detail %}')
 */
export class Key {
  /**
   * The SHA-256 of a payload: two events are the same where their payloads are, whatever the order of their members.
   * `payload` is a JSONata expression in `{% %}` over the input. It must give an object, a list or a text that is not
   * empty, or a number; anything else ends with `Idempotency.InvalidEvent`. A missing member, which JSONata leaves out
   * of an object, is not part of the key.
   *
   * `Key.ofPayload(payload)` of `onceflow/client` gives the same key of the payload itself.
   *
   * @throws Error for a value that is not a text
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/keys-and-payloads.md
   */
  static ofPayload(payload: string): Key {
    if (typeof payload === 'string') return new Key(payload);
    throw new Error(
      `\`Key.ofPayload\` takes a JSONata expression such as '{% $states.input.detail %}', got ${describeValue(payload)}`,
    );
  }

  /**
   * A key that is meant although two events can share it: JSONata in `{% %}`, or the parts of a composite key, which
   * the table of forms does not have. `reason` says why that is right; `onceflow show` prints it. The clock, chance,
   * and a key that reads no event are rejected here, too.
   *
   * @throws Error for a `reason` that is not a text, or is empty, and for an unknown option
   *
   * @example
   * idempotencyKey: Key.unchecked("{% 'order-' & $states.input.detail.orderId %}", { reason: 'the ids of our ERP' })
   */
  static unchecked(expression: string | readonly string[], options: { readonly reason: string }): Key {
    const { reason } = options ?? {};
    if (typeof reason !== 'string' || reason.trim() === '') {
      throw new Error(
        '`Key.unchecked` needs a `reason` why two events can share a key, such as ' +
          `{ reason: 'the ids have no slash' }, got ${describeValue(reason)}`,
      );
    }
    validateNames('Key.unchecked', options, { reason: true });
    return new Key(undefined, expression, reason);
  }

  private constructor(
    /** The expression of the payload, in `{% %}`. */
    readonly payload: string | undefined,
    /** Of an unchecked key: its expression, or one for each part. */
    readonly expression?: string | readonly string[],
    /** Why it is unchecked. */
    readonly reason?: string,
  ) {}
}

/**
 * What names the work of a step: an expression in `{% %}`, the parts of a composite key, or a {@link Key}.
 *
 * @example
 * idempotencyKey: ['{% $states.input.detail.shop %}', '{% $states.input.detail.orderId %}']
 */
export type IdempotencyKey = string | readonly string[] | Key;
