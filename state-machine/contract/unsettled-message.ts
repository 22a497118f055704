/**
 * What the function that starts from a queue tells the one that settles: a message whose delivery has been started, and
 * which stays in its queue until the key is finished. The body of a message of the queue between the two, as JSON.
 */
export interface UnsettledMessage {
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
 * For how long, in seconds, a message stays invisible beyond the moment at which its key is looked at: time for the
 * look, and for another one where the first was lost. A message that the check finds unfinished for good comes again on
 * its own.
 */
export const SETTLEMENT_MARGIN_SECONDS = 60;

/** The longest that SQS delays a message, in seconds. */
export const SQS_DELAY_SECONDS_MAX = 900;
