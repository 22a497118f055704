/**
 * What the page reads from its server, and the server writes: one shape for each view. Times are epoch milliseconds
 * of AWS's clock.
 */

/** Where the page looks, and what it may do. */
export interface PlaceView {
  /** For people: `http://127.0.0.1:8083`, or the region. */
  readonly where: string;
  /** Whether that is a stack of this machine. */
  readonly isLocal: boolean;
  readonly workflows: readonly WorkflowItem[];
}

/** A workflow as the page lists it. */
export interface WorkflowItem {
  readonly name: string;
  readonly stateMachineArn: string;
  readonly type: 'STANDARD' | 'EXPRESS';
  readonly scope: string;
  readonly table: string;
}

/** Records of a workflow's scope. */
export interface KeysView {
  readonly workflow: WorkflowItem;
  /** Those that need a person first, then those under way, oldest first; then the others, newest first. */
  readonly rows: readonly KeyRow[];
  /** Items that were read, others' items among them. */
  readonly read: number;
  /** Whether the whole table was read. */
  readonly isWhole: boolean;
  /** Items of this scope that lack what a record has. */
  readonly others: number;
  /** While the table is being read; null where that is over. */
  readonly reading: Reading | null;
  readonly now: number;
  readonly actions: readonly ActionItem[];
}

/** How far a reading has come that takes its time: what it has read so far is shown meanwhile. */
export interface Reading {
  readonly done: number;
  /** About how many there are; null where nobody knows. */
  readonly of: number | null;
}

/** How a key stands, for a person who looks for what is stuck. */
export type Standing = 'inDoubt' | 'overdue' | 'underWay' | 'failed' | 'completed' | 'expired' | 'unknown';

/** One record. */
export interface KeyRow {
  /** Without the scope, as the record has it. */
  readonly key: string;
  readonly status: string;
  readonly standing: Standing;
  readonly attempt: number;
  /** When it got its status; null where it does not say. */
  readonly since: number | null;
  readonly owner: string;
  /** The name of its error, or empty. */
  readonly error: string;
}

/** The story of a key, as `onceflow show` tells it. */
export interface KeyView {
  readonly workflow: WorkflowItem;
  readonly key: string;
  readonly now: number;
  /** Each fact's name, and what it says; empty where there is no record. */
  readonly facts: readonly (readonly [string, string])[];
  /** What the next delivery does. */
  readonly next: string;
  readonly record: Readonly<Record<string, unknown>> | null;
  readonly owner: string | null;
  /** Times that decide, such as the end of the grace. */
  readonly bounds: readonly { readonly name: string; readonly at: number }[];
  /** Versions of the record, as far as histories tell of their writes; oldest first. */
  readonly versions: readonly RecordVersion[];
  /** Oldest first. */
  readonly executions: readonly KeyExecution[];
  /** What was looked through: absence is no proof. */
  readonly searched: string;
  readonly actions: readonly ActionItem[];
}

/** A write of a record that took effect. */
export interface RecordVersion {
  readonly at: number;
  readonly status: string;
  /** The name of the execution that wrote it. */
  readonly by: string;
}

/** One execution of a key, and what it did. */
export interface KeyExecution {
  readonly executionArn: string;
  readonly name: string;
  readonly status: string;
  readonly start: number;
  readonly stop: number | null;
  readonly redriveCount: number;
  readonly isOwner: boolean;
  readonly timeline: readonly { readonly at: number; readonly kind: string; readonly text: string }[];
  /** Where it was refused for another payload: how its input differs from the owner's; null for all others. */
  readonly differences: readonly InputDifference[] | null;
}

/** A field in which two inputs differ. */
export interface InputDifference {
  /** `$.detail.amount` */
  readonly path: string;
  /** What the owner of the record has there, and this execution: JSON, shortened; `absent` where there is nothing. */
  readonly owner: string;
  readonly own: string;
}

/** One execution, of any state machine. */
export interface ExecutionView {
  readonly executionArn: string;
  readonly name: string;
  readonly stateMachine: string;
  readonly status: string;
  readonly start: number;
  readonly stop: number | null;
  readonly redriveCount: number;
  readonly input: string | null;
  readonly output: string | null;
  readonly error: string | null;
  readonly cause: string | null;
  /** The States Language, as the execution runs it; null where nobody may read it. */
  readonly definition: string | null;
  /** Without a gap, from the first. */
  readonly events: readonly HistoryEvent[];
  readonly actions: readonly ActionItem[];
  /** While the history is being read; null where that is over. */
  readonly reading: Reading | null;
}

/** An event of a history, as GetExecutionHistory gives it, with its timestamp in epoch milliseconds. */
export interface HistoryEvent {
  readonly id: number;
  readonly previousEventId?: number;
  readonly type: string;
  readonly timestamp: number;
  readonly [details: `${string}EventDetails`]: Readonly<Record<string, unknown>> | undefined;
}

/** Something that a person may do, with all that is to be known before. */
export interface ActionItem {
  /** `Redrive the owner`: no two of a view have the same. */
  readonly title: string;
  /** What it writes, and what that leads to: sentences that go on from "This". */
  readonly writes: readonly string[];
  /** What is to be minded. */
  readonly dangers: readonly string[];
  /** The conditions under which nothing is written after all: sentences that go on from "It is refused if". */
  readonly refusedIf: readonly string[];
  /** Why it would be refused as things are; null where it would not. */
  readonly refusal: string | null;
  /** What the person gives. */
  readonly fields: readonly ActionField[];
  /** To be sent back as it is. */
  readonly request: ActionRequest;
}

/** Something that a person gives: a line, JSON, or one of a few. */
export interface ActionField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'line' | 'json' | 'choice';
  /** What it has at first. */
  readonly value: string;
  /** Of a choice: what is sent, and what is shown. */
  readonly choices?: readonly (readonly [value: string, words: string])[];
}

/** What is asked of the server. Keys are as their records have them. */
export type ActionRequest =
  | {
      readonly action: 'redrive';
      readonly workflow: string;
      readonly key: string;
      readonly isForced: boolean;
      readonly shown: ShownRecord;
    }
  | {
      readonly action: 'release';
      readonly workflow: string;
      readonly key: string;
      readonly isForced: boolean;
      readonly isDeleted: boolean;
      readonly shown: ShownRecord;
    }
  | { readonly action: 'stop'; readonly executionArn: string; readonly isForGood: boolean }
  | {
      readonly action: 'deliver';
      readonly workflow: string;
      readonly key: string;
      readonly executionArn: string;
    }
  | { readonly action: 'start'; readonly workflow: string };

/** A record as it was shown: where it is another by now, nothing is written. */
export interface ShownRecord {
  readonly owner: string;
  readonly attempt: number;
  readonly status: string;
  /** Null where it has none. */
  readonly error: string | null;
}

/** What the page sends. */
export interface ActionCall {
  readonly request: ActionRequest;
  /** The fields, by their names. */
  readonly values: Readonly<Record<string, string>>;
  /** The same when it is sent again: what begins something begins it once. */
  readonly once: string;
}

/** What came of it. */
export interface ActionOutcome {
  readonly kind: 'done' | 'refused';
  /** For a person. */
  readonly text: string;
}

/** What the stream of server-sent events carries: a view that has changed. */
export interface ViewMessage {
  /** The address of the view, as it was asked for. */
  readonly of: string;
  readonly view: unknown;
  /** Of an execution: so many events the page has already, and they are left out; 0 for every other view. */
  readonly kept: number;
}

/** Instead of a view: what was wrong, for a person. */
export interface Problem {
  readonly error: string;
}
