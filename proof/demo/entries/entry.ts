import type { Activity, EventEnvelope, LocalStack } from '@onceflow/local';

/** A way in which events reach the workflow. */
export interface Entry {
  /**
   * Hands an event over; resolves when it has been taken and what it has started has ended.
   *
   * Who redrives a dead owner is not waited for here: the demo waits until nothing of the order is running.
   */
  deliver(event: EventEnvelope): Promise<Handover>;
  /** Lets go of connections. */
  close?(): void;
}

/** What became of an event that was handed over. */
export type Handover =
  | { readonly kind: 'taken' }
  /** Nothing wants such an event: it is none of ours. */
  | { readonly kind: 'unmatched'; readonly message: string }
  /** It is one of ours, and was not taken. */
  | { readonly kind: 'refused'; readonly message: string };

/** What an entry works with. */
export interface EntryContext {
  readonly stack: LocalStack;
  /** Counts what is in progress: work outside the runtime begins and ends here, or the clock would run ahead of it. */
  readonly activity: Activity;
}
