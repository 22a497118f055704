import type { EventEnvelope, LocalStack, WorkTracker } from '@onceflow/local';

/** A way in which events reach the workflow. */
export interface Channel {
  /**
   * Hands an event over; resolves when it has been taken and what it has started has ended.
   *
   * Who redrives an ended owner is not waited for here: the demo waits until nothing of the order is running.
   */
  deliver(event: EventEnvelope): Promise<Handover>;
  /** Closes its connections. */
  close?(): void;
}

/** What became of an event that was handed over. */
export type Handover =
  | { readonly kind: 'taken' }
  /** No rule matches the event. */
  | { readonly kind: 'unmatched'; readonly message: string }
  /** It was rejected as the workflow itself would have rejected it, with the error of that name. */
  | { readonly kind: 'rejected'; readonly error: string }
  /** A rule matches it, and it could not be delivered. */
  | { readonly kind: 'failed'; readonly message: string };

/** What a channel works with. */
export interface ChannelContext {
  readonly stack: LocalStack;
  /** Counts what is in progress: work outside the runtime begins and ends here, or the clock would run ahead of it. */
  readonly work: WorkTracker;
}
