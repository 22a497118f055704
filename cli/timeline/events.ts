/** One thing that an execution did, or that happened to it. */
export interface TimelineEvent {
  readonly at: Date;
  readonly kind: TimelineEventKind;
  /** What a person reads, after "this execution". */
  readonly text: string;
}

/** What an event can be, for scripts. One of a state that the execution has not left has the kind of that state. */
export const TIMELINE_KINDS = {
  claimed: 'claimed the key',
  rejected: 'rejected the delivery',
  conditionFailed: 'wrote nothing, because the condition of its write failed: the record was another',
  requestFailed: 'made a request that failed, or could not make it',
  read: 'read the record',
  ran: 'ran the step',
  finalized: 'wrote the result or the failure',
  held: 'held the record for review',
  released: 'released the key',
  sent: 'notified the destination of results or failures',
  tookOver: 'took over from the owner of the record',
  asked: 'asked Step Functions about the owner',
  redrove: 'redrove the owner',
  calledRecovery: 'started recovery for the owner',
  waited: 'waited for the owner, or for the end of a step',
  returned: 'returned the stored result or failure',
  stopped: 'started nothing, because of the key: a duplicate',
  redriven: 'was redriven',
  succeeded: 'succeeded',
  failed: 'failed',
  aborted: 'was stopped',
  timedOut: 'ran out of its time',
  passed: 'went through a state that decides nothing about the key',
} as const;

/** What kind of thing an event is. */
export type TimelineEventKind = keyof typeof TIMELINE_KINDS;

/** The known facts of an execution at some point of its history, from the events before. */
export interface TimelineContext {
  readonly executionArn: string;
  /** The attempt that it owns the record with; undefined before that, and where the history does not say it. */
  attempt: number | undefined;
  /** The record that it has read last; undefined before that, and where the history does not say it. */
  record: RecordRead | undefined;
  /** What it knows of the record's owner: a status of Step Functions, or that it has redriven it. */
  owner: string | undefined;
  /** Whether it came to the step, so that it owned the record. */
  hasOwned: boolean;
  /** For so long a step can run, in milliseconds. */
  readonly stepMs: number;
}

/** A record as an execution's variable holds it: DynamoDB's typed attributes. */
export type RecordRead = Readonly<Record<string, { readonly S?: string; readonly N?: string } | undefined>>;
