import type { OrphanedRequest as Orphaned } from '../../../packages/local/explore/kernel/index';
import { executionOf } from './entries';
import type { Past } from './past';

/** One moment of everything. The state has only the past that decides something, or that an invariant checks. */
export interface ModelState {
  /** Epoch milliseconds. */
  readonly now: number;
  /** By how many milliseconds clocks may be wrong: within it an expiry may be met or not. */
  readonly skewMs: number;
  /** The record table, by its number. */
  readonly table: number;
  /** The table before its last change, if a definition has reads that may still see it; else always the same. */
  readonly tableBefore: number;
  /** The executions of the workflow, in the order of their starts, by the numbers of their states. */
  readonly executions: readonly number[];
  /** Dispatchers under way. */
  readonly dispatchers: readonly Dispatcher[];
  /** Requests by HTTP that are not answered yet, or were accepted and can be asked for. */
  readonly requests: readonly HttpRequest[];
  /** The recoveries that the ends of executions have had, in the order of their begins. */
  readonly recoveries: readonly Recovery[];
  /** Runs of the business step's function: they outlive who called them. */
  readonly lambdas: readonly Lambda[];
  /** Requests whose execution no longer waits for them, and that can still arrive. */
  readonly orphans: readonly OrphanedRequest[];
  /** How many deliveries have begun, and how many there will be. */
  readonly delivered: number;
  readonly deliveries: number;
  /** How many faults there may still be. */
  readonly faults: number;
  readonly past: Past;
}

/** A dispatcher that is under way for one delivery. */
export interface Dispatcher {
  readonly delivery: number;
  readonly state: number;
  /** Whether Step Functions has answered its start, or would have, with an execution. */
  readonly isStarted: boolean;
  /** Whether the event has come to the dead-letter queue. */
  readonly isDeadLettered: boolean;
}

/** A request by HTTP, with the execution of the front door that answers it. */
export interface HttpRequest {
  readonly delivery: number;
  readonly payload: number;
  /** When it came, epoch milliseconds. */
  readonly since: number;
  readonly state: number;
  /** It asks for the answer of an accepted request, which came then, epoch milliseconds; it starts nothing. */
  readonly asks?: number;
  /** The answer about its start, or about that of the request that it asks for; absent: none. */
  readonly start?: RequestsStart;
  /** What the record was to it when it read that last; absent: it has not. */
  readonly saw?: SeenByRequest;
}

/** The execution that a request's start was answered with. */
export interface RequestsStart {
  /** By its index. */
  readonly execution: number;
  /** When that began, epoch milliseconds. */
  readonly at: number;
  /** It was running before. */
  readonly isJoined?: true;
}

/** What a record can be to a request. */
export type SeenByRequest = (typeof SEEN_BY_REQUEST)[number];

/**
 * `elsewhere`: completed, and the record has no text of the result; `failed`, `failedThen` and `failedBefore`: claimed
 * after, at the same time as, and before the request's start.
 */
export const SEEN_BY_REQUEST = [
  'absent',
  'foreign',
  'mismatch',
  'completed',
  'elsewhere',
  'held',
  'failed',
  'failedThen',
  'failedBefore',
  'released',
  'atWork',
] as const;

/** A recovery: for one end of an execution, or for the owner of a record that a delivery found overdue. */
export interface Recovery {
  /** The ended execution, by its index. */
  readonly execution: number;
  /** Which end of it this is for: how often it had been redriven. */
  readonly redrives: number;
  /** Absent: an event, or the search, has started it for an end. */
  readonly called?: RecoveryCall;
  /** It delivers an event again whose step has failed (`redeliverFailed`). Absent: it recovers an ended execution. */
  readonly redelivery?: Redelivering;
  readonly phase: RecoveryPhase;
  /** The state of recovery's execution, by its number; undefined if it has ended, or has never begun. */
  readonly state: number | undefined;
  /** What its last answers were, and what it has done: what the invariants judge it by. */
  readonly knows: RecoveryKnowledge;
}

/** What a redelivery has come to: what the invariants judge it by. */
export interface Redelivering {
  /** The execution that it has delivered last, by its index; at first the one that has failed. */
  readonly last: number;
  /** When it did so, or began, epoch milliseconds. */
  readonly at: number;
  /** What its last read of the record has said of these executions: absent, that none of them owns it. */
  readonly saw?: 'failed' | 'atWork';
}

/** How a delivery has started a recovery. */
export interface RecoveryCall {
  /** Its name: it is taken for 90 days. */
  readonly name: string;
  /** What the name is made of besides the owner, as far as it tells names apart: the claim's attempt, and the time. */
  readonly attempt: number;
  readonly quarter: number;
}

/** What becomes of a recovery. `unheard`: the search has to find its execution, as no event has led to its end. */
export type RecoveryPhase = (typeof RECOVERY_PHASES)[number];

/** `stopped`: an operator has stopped it, and the next search must find it; `found`: the search has. */
export const RECOVERY_PHASES = [
  'unheard',
  'atWork',
  'stopped',
  'found',
  'nothingLeft',
  'givenUp',
  'failed',
] as const;

/** What the answers to a recovery have said. */
export interface RecoveryKnowledge {
  /** When it read the record, that was unfinished, and this execution's. */
  readonly isUndone?: true;
  /** When it read the record, that was released by a recovery; or it has released it. */
  readonly isReleased?: true;
  /** When it read the record, the input was to be delivered: it had never claimed its key. */
  readonly isToDeliver?: true;
  /** When it read the record, that was finished, and this execution must report it, or return its result. */
  readonly isToTell?: true;
  /** It was notified that the execution has rejected its event for its content. */
  readonly isRejected?: true;
  /** When it last asked, the execution had ended without success. */
  readonly hasFailed?: true;
  /** When it last asked, the execution had succeeded. */
  readonly hasSucceeded?: true;
  /** When it had ended, epoch milliseconds. */
  readonly end?: number;
  /** Step Functions did not return the input of the execution, because it does not know it. */
  readonly isUnread?: true;
  /** Step Functions has said that it does not know the execution. */
  readonly isUnknown?: true;
  /** When it read the record, there was none, and there had been one. */
  readonly isMissing?: true;
  /** When it read the record, another execution had completed the key. */
  readonly isDone?: true;
  /** When it read the record, that was held for review; or it has held it. */
  readonly isHeld?: true;
  /** It has reported that it abandons its event. */
  readonly isTold?: true;
  /** It was answered with an old state of the execution. */
  readonly isMisled?: true;
  /** The search has begun it: that does so once for each end. */
  readonly isFound?: true;
  /** How often it has delivered the input again, or has redriven the execution, whatever came of that. */
  readonly tries?: number;
}

/** The answers that a recovery knows, in the order of their bits: a type holds that none is left out. */
const IS_ANSWER: Readonly<Record<Exclude<keyof RecoveryKnowledge, 'tries' | 'end'>, true>> = {
  isUndone: true,
  isToTell: true,
  hasFailed: true,
  isUnknown: true,
  isMisled: true,
  isFound: true,
  isRejected: true,
  isTold: true,
  isDone: true,
  isMissing: true,
  isToDeliver: true,
  hasSucceeded: true,
  isHeld: true,
  isReleased: true,
  isUnread: true,
};
const ANSWERS = Object.keys(IS_ANSWER) as (keyof typeof IS_ANSWER)[];

/** All knowledge of a recovery, except the end, in one number. */
export function answersIn(knows: RecoveryKnowledge): number {
  const answers = ANSWERS.reduce((sum, name, index) => sum + (knows[name] ? 2 ** index : 0), 0);
  return answers + (knows.tries ?? 0) * 2 ** ANSWERS.length;
}

/** One run of the business step. */
export interface Lambda {
  /** The entry that called it: its execution, by its index, unless that has several. */
  readonly execution: number;
  readonly attempt: number;
  /** Epoch milliseconds until which it may go on: then the service ends it. */
  readonly until: number;
  /** Whether its execution still waits for its answer. */
  readonly isAwaited: boolean;
}

/** A request that has left an execution and is made late; its call by its number. */
export type OrphanedRequest = Orphaned<number>;

/** The number of the state of an entry's execution. */
export function numberAt({ executions }: ModelState, entry: number): number {
  return executions[executionOf(entry)] ?? -1;
}

/** The model with another state of an entry's execution. */
export function withExecution(model: ModelState, entry: number, state: number): ModelState {
  const index = executionOf(entry);
  return { ...model, executions: model.executions.map((other, at) => (at === index ? state : other)) };
}
