import { payloadKeyText } from '../state-machine/contract/payload-hash';
import { MissingKeyError } from './errors';
import { jsonText } from './input-text';

/**
 * Keys that are made of more than a value.
 *
 * @example
 * startOnce(client, { key: Key.ofPayload(order), input: order })
 */
export const Key = {
  /**
   * The key that a workflow makes with `Key.ofPayload('{% … %}')`, of the payload itself: what that expression gives.
   * Members that are undefined are left out.
   *
   * @throws MissingKeyError for null, a boolean, what is empty, and a payload with a whole number beyond 2^53 - 1
   * @throws StartOnceError for what JSON cannot hold
   *
   * @example
   * await startOnce(client, { key: Key.ofPayload(order), input: { detail: order }, stateMachineArn, table, scope });
   */
  ofPayload(payload: unknown): string {
    const key = payloadKeyText(JSON.parse(jsonText(payload, 'payload')));
    if (key.kind === 'key') return key.text;
    const because = key.because === undefined ? '' : `; got ${key.because}`;
    throw new MissingKeyError(
      '`payload` of a key must be a number, or a non-empty object, list or text. All of its text must be well formed, ' +
        `and every whole number within ±(2^53 - 1)${because}`,
    );
  },
};
