import {
  CHECK_MARGIN_SECONDS,
  SQS_DELAY_SECONDS_MAX,
  type StartedMessage,
} from '../../state-machine/contract/started-message';
import type { Hold, Postpone } from './start-batch';

/** Sends the check of a message that has been started, to arrive after so many seconds. */
export type SendCheck = (message: StartedMessage, delaySeconds: number) => Promise<void>;

/** Keeps a started message invisible until its key is checked after so many seconds, and sends that check. */
export function holdFor(seconds: number, postpone: Postpone, sendCheck: SendCheck): Hold {
  return async (receiptHandle, message) => {
    // Each does its part without the other. Without the first, the message comes again early and finds its execution
    // running. Without the second, the next receive checks it.
    const results = await Promise.allSettled([
      postpone(receiptHandle, seconds + CHECK_MARGIN_SECONDS),
      sendCheck(message, Math.min(seconds, SQS_DELAY_SECONDS_MAX)),
    ]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  };
}
