/**
 * What the business step is called with, as a function's event or a chain's input.
 *
 * @example
 * export async function handler({ idempotencyKey, input }: StepEvent<{ orderId: string }>) {
 *   return charge(input.orderId, { idempotencyKey });
 * }
 */
export interface StepEvent<Input = unknown> {
  /** The record's key, `<scope>#<key>`: the same for each attempt. Hand it on to what takes an idempotency key. */
  readonly idempotencyKey: string;
  /** 1 for the first claim of the key, one more for each takeover: a fencing token for what the step writes to. */
  readonly attempt: number;
  /**
   * With `retry` only: how often the call has been tried again within this attempt, 0 for the first. It begins anew
   * when the execution is redriven.
   */
  readonly retryCount?: number;
  /** The input of the execution, or of the fragment: the event. */
  readonly input: Input;
}
