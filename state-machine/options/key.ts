import { describeValue } from '../contract/describe-value';

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
   * empty, or a number; anything else ends with `Idempotency.InvalidEvent`. What JSONata leaves out of an object when
   * it is missing is no part of the key.
   *
   * `Key.ofPayload(payload)` of `onceflow/client` gives the same key of the payload itself.
   *
   * @throws Error for what is no text
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/keys-and-payloads.md
   */
  static ofPayload(payload: string): Key {
    if (typeof payload === 'string') return new Key(payload);
    throw new Error(
      `\`Key.ofPayload\` takes a JSONata expression such as '{% $states.input.detail %}', got ${describeValue(payload)}`,
    );
  }

  private constructor(
    /** The expression of the payload, in `{% %}`. */
    readonly payload: string,
  ) {}
}

/**
 * What names the work of a step: an expression in `{% %}`, the parts of a composite key, or a {@link Key}.
 *
 * @example
 * idempotencyKey: ['{% $states.input.detail.shop %}', '{% $states.input.detail.orderId %}']
 */
export type IdempotencyKey = string | readonly string[] | Key;
