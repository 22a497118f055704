import type { Failure } from '../key/record';

/** One thing that an execution did, or that befell it. */
export interface Entry {
  readonly at: Date;
  readonly kind: EntryKind;
  readonly text: string;
}

/** What an entry tells, for scripts. */
export type EntryKind =
  | 'claimed'
  | 'refused'
  | 'read'
  | 'ran'
  | 'finalized'
  | 'parked'
  | 'tookOver'
  | 'asked'
  | 'redrove'
  | 'waited'
  | 'returned'
  | 'redriven'
  | 'succeeded'
  | 'failed'
  | 'aborted'
  | 'timedOut'
  | 'passed';

/** What has been told so far of one execution. */
export interface Chapter {
  /** The execution's own ARN. */
  readonly me: string;
  /** The attempt that it owns the record with. */
  attempt: number | undefined;
  /** The record that it has read last. */
  record: RecordRead | undefined;
  /** How its step failed. */
  failure: Failure | undefined;
  /** What it has heard of the record's owner: a status of Step Functions, or that it has redriven it. */
  owner: string | undefined;
}

/** A record as an execution's variable holds it: DynamoDB's typed attributes. */
export type RecordRead = Readonly<Record<string, { readonly S?: string; readonly N?: string } | undefined>>;
