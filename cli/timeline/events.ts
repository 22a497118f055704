/** One thing that an execution did, or that happened to it. */
export interface TimelineEvent {
  readonly at: Date;
  readonly kind: TimelineEventKind;
  /** What a person reads, after "this execution". */
  readonly text: string;
}

/** What kind of thing it was, for scripts. */
export type TimelineEventKind =
  | 'claimed'
  /** A delivery that the workflow rejected. */
  | 'rejected'
  /** A write of this execution was not made, because the record had changed. */
  | 'conditionFailed'
  /** A request that failed or could not be made, so that the state ended with an error. */
  | 'requestFailed'
  | 'read'
  | 'ran'
  | 'finalized'
  | 'held'
  | 'sent'
  | 'tookOver'
  | 'asked'
  | 'redrove'
  | 'calledRecovery'
  | 'waited'
  | 'returned'
  | 'redriven'
  | 'succeeded'
  | 'failed'
  | 'aborted'
  | 'timedOut'
  | 'passed';

/** What is known of an execution at some point of its history, from the events before. */
export interface TimelineContext {
  readonly executionArn: string;
  /** The attempt that it owns the record with; undefined before that, and where the history does not say it. */
  attempt: number | undefined;
  /** The record that it has read last; undefined before that, and where the history does not say it. */
  record: RecordRead | undefined;
  /** What it knows of the record's owner: a status of Step Functions, or that it has redriven it. */
  owner: string | undefined;
}

/** A record as an execution's variable holds it: DynamoDB's typed attributes. */
export type RecordRead = Readonly<Record<string, { readonly S?: string; readonly N?: string } | undefined>>;
