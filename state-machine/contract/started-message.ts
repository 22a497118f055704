/**
 * A message whose delivery has been started, and which stays in its queue until the key is finished. The function that
 * starts from a queue passes it as JSON to the function that checks. A queue between the two has such messages.
 */
export interface StartedMessage {
  /** For the logs. */
  readonly messageId: string;
  /** Of the receive that led to the start: good until the message is received again, for 12 hours at most. */
  readonly receiptHandle: string;
  /** The execution that was started for the message, or found running under the name of its key. */
  readonly executionArn: string;
  /** The partition key of its record. */
  readonly recordKey: string;
}

/**
 * For how long, in seconds, a message stays invisible beyond the moment at which its key is checked: time for the
 * check, and for another one if the first was lost. A message that the check finds unfinished for good comes again on
 * its own.
 */
export const CHECK_MARGIN_SECONDS = 60;

/** The longest that SQS delays a message, in seconds. */
export const SQS_DELAY_SECONDS_MAX = 900;
