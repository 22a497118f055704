/**
 * What the page reads from its server, and the server writes: one shape for each view. Times are epoch milliseconds
 * of AWS's clock.
 */

import type { ActionItem } from './actions';

/** Where the page looks. */
export interface ConnectionView {
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

/** The keys of a workflow, or of all workflows of the connection. */
export interface KeysView {
  readonly workflows: readonly WorkflowState[];
  /** Those that need a person first, then those in progress, oldest first; then the others, newest first. */
  readonly rows: readonly KeyRow[];
  /** Null where queues cannot be read, or are not read yet. */
  readonly deadLetters: readonly DeadLetters[] | null;
  /** While the table is being read; null where that is over. */
  readonly reading: Reading | null;
  /** The duplicates of this time, or of the last day; null if unknown, as on AWS, or not read yet. */
  readonly duplicates: Duplicates | null;
  readonly now: number;
  readonly actions: readonly ActionItem[];
}

/** Deliveries that started nothing because of their keys. */
export interface Duplicates {
  readonly count: number;
  /** The last ones, newest first. */
  readonly last: readonly Duplicate[];
}

/** A delivery that started nothing. */
export interface Duplicate {
  readonly at: number;
  readonly workflow: string;
  /** The key as its record has it, or the name of its first execution. */
  readonly key: string;
  /** The execution of the dispatcher or the front door. */
  readonly executionArn: string;
  /** What the caller got, and why. */
  readonly answer: string;
}

/** Whether recovery works, and the messages in dead-letter queues. */
export interface HealthView {
  readonly lines: readonly HealthLine[];
}

/** A part of the machinery, and how it is; `unknown` with the reason why it cannot be known. */
export interface HealthLine {
  readonly name: string;
  readonly state: 'good' | 'bad' | 'unknown';
  readonly words: string;
  /** True if it would be known, and AWS did not answer, or there was too much to read. */
  readonly isUnread?: true;
}

/** The extent of the reading of a workflow. */
export interface WorkflowState {
  readonly workflow: WorkflowItem;
  /** Items that were read, others' items among them. */
  readonly read: number;
  /** Whether the whole table was read. */
  readonly isWhole: boolean;
  /** Items of this scope that lack what a record has. */
  readonly others: number;
  /** Why the rejected deliveries are unknown; null if they are known. */
  readonly rejectedUnknown: string | null;
}

/** What the executions of a workflow, or of all, that began in a time have cost at list prices. */
export interface CostView {
  readonly costs: readonly {
    /** The name of the state machine. */
    readonly workflow: string;
    /** A sentence without its period; of an Express workflow, that it is unknown. */
    readonly words: string;
  }[];
}

/** A queue with messages that were given up. */
export interface DeadLetters {
  readonly queue: string;
  readonly count: number;
  /** When the oldest was sent; null where that is not told. */
  readonly oldest: number | null;
  /** The state machine that they were on their way to; null where no name says it. */
  readonly workflow: string | null;
}

/** How far a reading has come that takes its time: what it has read so far is shown meanwhile. */
export interface Reading {
  readonly done: number;
  /** About how many there are; null if that is unknown. */
  readonly of: number | null;
}

/** How a key stands, or a delivery of it that was rejected, for an operator who looks for stuck keys. */
export type KeyHealth =
  | 'held'
  | 'overdue'
  | 'failed'
  | 'rejected'
  | 'released'
  | 'inProgress'
  | 'unknown'
  | 'completed'
  | 'expired';

/** A record, or a delivery that was rejected. */
export interface KeyRow {
  /** The name of the state machine. */
  readonly workflow: string;
  /** Without the scope, as the record has it; empty for a delivery without a usable key. */
  readonly key: string;
  /** The delivery that was rejected; null for a record. */
  readonly executionArn: string | null;
  readonly health: KeyHealth;
  /** 1 for a record; so many deliveries of the key were rejected with this error. */
  readonly count: number;
  /** Why it stands so, in words; empty where its state says all. */
  readonly why: string;
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
  /** The names of other workflows that know the key, if it was searched in all. */
  readonly others: readonly string[];
  readonly key: string;
  readonly now: number;
  /** Null if there is no record. */
  readonly health: KeyHealth | null;
  /** What happened, for people who know no executions. */
  readonly summary: string;
  /** What recovery and the next delivery do: a sentence without its period. */
  readonly next: string;
  /** Each fact's name, and what it says; empty where there is no record. */
  readonly facts: readonly (readonly [string, string])[];
  /** JSON of the first delivered input; null if no execution is known. */
  readonly event: string | null;
  /** JSON of the result, or where it is; null if there is none. */
  readonly result: string | null;
  /** What deliveries, recovery and operators did, oldest first. */
  readonly story: readonly StoryRow[];
  /** The same as text for a ticket. */
  readonly markdown: string;
  readonly record: Readonly<Record<string, unknown>> | null;
  readonly owner: string | null;
  /** Times that decide, such as the end of the grace. */
  readonly bounds: readonly { readonly name: string; readonly at: number }[];
  /** Versions of the record, as far as histories tell of their writes; oldest first. */
  readonly versions: readonly RecordVersion[];
  /** Oldest first. */
  readonly executions: readonly KeyExecution[];
  /** What its executions have cost at list prices, and the share of duplicates; null where no history says it. */
  readonly cost: string | null;
  /** The extent of the search: absence is not a proof. */
  readonly searched: string;
  readonly actions: readonly ActionItem[];
}

/** One thing that happened to a key. */
export interface StoryRow {
  readonly at: number;
  readonly actor: 'delivery' | 'recovery' | 'operator' | 'Step Functions' | 'unknown';
  /** `claimed`, `ran`, `held`: as `onceflow show --json` has it. */
  readonly kind: string;
  readonly text: string;
  /** How the actor is known, or why it did it; empty if the text says it. */
  readonly reason: string;
  /** The execution that did it, or that it was done to, and its name; null and empty if none is known. */
  readonly executionArn: string | null;
  readonly name: string;
}

/** A write of a record that took effect. */
export interface RecordVersion {
  readonly at: number;
  readonly status: string;
  /** The name of the execution that wrote it, or who else did. */
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
  /** Where it was rejected for another payload: how its input differs from the owner's; null for all others. */
  readonly differences: readonly InputDifference[] | null;
}

/** A field in which two inputs differ. */
export interface InputDifference {
  /** `$.detail.amount`, or `payload.amount` where an input is gone and the record keeps its payload. */
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
  /** The States Language, as the execution runs it; null if the caller may not read it. */
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

/** What carries events to workflows, and what lies there. */
export interface DeliveriesView {
  readonly now: number;
  /** Null where they cannot be read, as all below: `missing` says why. */
  readonly queues: readonly QueueItem[] | null;
  readonly rules: readonly RuleItem[] | null;
  readonly functions: readonly FunctionItem[] | null;
  /** What rules have lately delivered to their targets, newest first. */
  readonly deliveries: readonly RuleDelivery[] | null;
  /** Sentences that each name something that the view does not show, and where to find it. */
  readonly missing: readonly string[];
  readonly actions: readonly ActionItem[];
}

/** A queue, and how much lies in it: about, as SQS says it. */
export interface QueueItem {
  readonly name: string;
  readonly url: string;
  readonly waiting: number;
  readonly inFlight: number;
  readonly delayed: number;
  /** When the oldest message was sent; null where that is not told, or there is none. */
  readonly oldest: number | null;
  /** The queue for messages that are received too often, and how often that is. */
  readonly deadLetterQueue: string | null;
  readonly maxReceiveCount: number | null;
  /** Queues, rules and dispatchers that keep here what they could not deliver, by kind and name. */
  readonly keepsFor: readonly string[];
}

/** A rule of a bus. */
export interface RuleItem {
  readonly name: string;
  readonly bus: string;
  readonly isEnabled: boolean;
  /** JSON of what it matches, or when it fires. */
  readonly when: string;
  /** When it fires next, if it has a schedule. */
  readonly nextAt: number | null;
  readonly targets: readonly { readonly name: string; readonly deadLetterQueue: string | null }[];
}

/** A function, and what it did lately. */
export interface FunctionItem {
  readonly name: string;
  /** The names of the queues that it takes messages from. */
  readonly takesFrom: readonly string[];
  /** How often it was invoked since `onceflow dev` began. */
  readonly invoked: number;
  /** The last ones, newest first. */
  readonly invocations: readonly {
    readonly requestId: string;
    readonly at: number;
    readonly tookMs: number;
    /** Null where it succeeded. */
    readonly error: string | null;
  }[];
  /** What it wrote last, oldest first. */
  readonly lines: readonly string[];
}

/** An attempt to deliver an event to the target of a rule. */
export interface RuleDelivery {
  readonly at: number;
  readonly rule: string;
  readonly target: string;
  /** What the target got, shortened. */
  readonly input: string;
  /** 0 for the first attempt. */
  readonly retryCount: number;
  /** Why it was not taken; null where it was. */
  readonly error: string | null;
}

/** A queue, and the messages that lie in it. */
export interface QueueView {
  readonly queue: QueueItem;
  /** The first ones; null where they are not looked at. */
  readonly messages: readonly MessageItem[] | null;
  /** How they were looked at, or why not. */
  readonly about: string;
  readonly now: number;
  /** What may be done with all messages of one cause. */
  readonly actions: readonly ActionItem[];
}

/** A message of a queue. */
export interface MessageItem {
  readonly id: string;
  readonly sentAt: number | null;
  readonly receiveCount: number;
  readonly body: string;
  /** Why it lies there, as far as it says. */
  readonly reason: string;
  /** The key that a workflow of the connection reads in it; null if none does, or that is not known. */
  readonly key: { readonly workflow: string; readonly key: string } | null;
  /** The error in the record of its key, or its status; else what is wrong with the message. */
  readonly cause: string;
  readonly actions: readonly ActionItem[];
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
