import { ERROR, STATUS } from '../../state-machine/contract/index';
import type { JudgedKey } from '../key/judge';
import { planRedrive } from '../key/operator/redrive-plan';
import { heldFor } from '../key/record';
import type { EndedExecution } from './ended-executions';

/** The plan for one key whose executions have ended without finishing it. */
export type Redelivery =
  /** Its owner resumes where it stopped. */
  | { readonly kind: 'redrive' }
  /** The input of this execution is delivered again, under the workflow's own rules. */
  | { readonly kind: 'deliver'; readonly execution: EndedExecution }
  | { readonly kind: 'leave'; readonly reason: LeftReason; readonly until?: number };

/** A key, and what is planned about it. */
export interface Planned {
  readonly judged: JudgedKey;
  readonly executions: readonly EndedExecution[];
  readonly plan: Redelivery;
}

/** A key of which the table has an item that is not a record: it is left alone. */
export interface NotPlanned {
  readonly recordKey: string;
  readonly executions: readonly EndedExecution[];
}

/** Why nothing is done about a key. */
export type LeftReason =
  /** It is finished: nothing is left to do. */
  | 'finished'
  /** Another delivery is at work. */
  | 'running'
  /** An operator has reserved it, to complete or to release it. */
  | 'reserved'
  /** Its owner ended so short a time ago that its step may still be running: until `until`, epoch milliseconds. */
  | 'mayStillWork'
  /** The table has an item of this key that is not a record. */
  | 'noRecord'
  /** The deliveries were rejected for what they are: they would be again. */
  | 'rejected'
  /** The failure is what deliveries are answered with. */
  | 'failureIsAnswer'
  | 'inDoubt'
  /** Its owner failed after each redrive: an operator finds out why, and redrives that one key, or releases it. */
  | 'redrivesExhausted'
  /** Its owner cannot be redriven, and the workflow has no recovery: an operator releases it. */
  | 'needsRelease'
  /** An operator has stopped its execution for good. */
  | 'stopped'
  | 'foreign'
  /** The record is not there any more: whether the step has run since is not known. */
  | 'recordGone'
  /** A team's own state machine, which does more than this: its input is not delivered again. */
  | 'ownStateMachine'
  /** The execution that had its input is not there any more, or does not tell it. */
  | 'inputUnknown'
  /** It has no record that counts, and no execution that ended is known: it may be mistyped. */
  | 'unknown';

/** Errors of deliveries that were rejected for what they are. */
const REJECTED: ReadonlySet<string> = new Set([
  ERROR.invalidEvent,
  ERROR.payloadMismatch,
  ERROR.foreignRecord,
]);

/** Errors of deliveries that met a record: one that is not there any more had an owner of its own. */
const MET_A_RECORD: ReadonlySet<string> = new Set([
  ERROR.inProgress,
  ERROR.claimLost,
  ERROR.redrivesExhausted,
  ERROR.resultUnavailable,
  ERROR.inDoubt,
]);

/**
 * Plans what is done about a key, by what the workflow's next delivery would do. Pure.
 *
 * `executions` are those of the key that ended without succeeding, newest first. `isNamed` says that an operator has
 * named the error they ended with: then also those count that were rejected for what they are.
 */
export function planRedelivery(
  judged: JudgedKey,
  executions: readonly EndedExecution[],
  isNamed: boolean,
): Redelivery {
  const { record, nextDelivery, workflow } = judged;
  const isStopped = executions.some(({ executionArn, error }) => {
    return error === ERROR.stopped && executionArn === record?.owner;
  });
  const isUnfinished = record?.status === STATUS.inProgress || nextDelivery === 'takesOver';
  if (isStopped && isUnfinished && !isNamed) return left('stopped');
  const likely = executions.filter(({ error }) => isNamed || !REJECTED.has(error));
  switch (nextDelivery) {
    case 'returnsResult':
    case 'resultUnavailable':
      return left('finished');
    case 'foreignRecord':
      return left('foreign');
    case 'returnsFailure':
      return left('failureIsAnswer');
    case 'holds':
      return left('inDoubt');
    case 'heldForReview': {
      const error = record && heldFor(record, workflow);
      if (error === ERROR.resultUnavailable) return left('finished');
      return left(error === ERROR.redrivesExhausted ? 'redrivesExhausted' : 'inDoubt');
    }
    case 'redrivesExhausted':
      return left('redrivesExhausted');
    case 'inProgress':
    case 'redrives':
    case 'callsRecovery':
      return ofUnfinished(judged, likely);
    case 'claims': {
      if (executions.length === 0) return left('unknown');
      const unclaimed = likely.filter(({ error, hasOwned }) => !hasOwned && !MET_A_RECORD.has(error));
      return likely.length > 0 && unclaimed.length === 0 ? left('recordGone') : delivery(judged, unclaimed);
    }
    case 'takesOver':
      return executions.length === 0 ? left('inputUnknown') : delivery(judged, likely);
    default:
      return nextDelivery satisfies never;
  }
}

/** A key that an execution owns, or has owned until it ended. A delivery of it starts recovery, if there is one. */
function ofUnfinished(judged: JudgedKey, likely: readonly EndedExecution[]): Redelivery {
  const { owner, workflow, nextDelivery, nextRecovery } = judged;
  if (judged.record?.status === STATUS.releasing) return left('reserved');
  if (owner.kind === 'mayStillWork') return { kind: 'leave', reason: 'mayStillWork', until: owner.until };
  if (owner.kind !== 'ended' && owner.kind !== 'unknown' && owner.kind !== 'succeeded')
    return left('running');
  if (nextRecovery?.does === 'holdsExhausted') return left('redrivesExhausted');
  if (nextRecovery?.does === 'holdsInDoubt') return left('inDoubt');
  if (nextRecovery?.does === 'holdsLost') return left('finished');
  if (planRedrive(judged, { isForced: false }).kind === 'ready') return { kind: 'redrive' };
  if (nextDelivery === 'callsRecovery') return delivery(judged, likely);
  // Within the time of its step, or in a team's own state machine.
  const isLeft = workflow.recoveryArn !== undefined || workflow.prefix !== '';
  if (isLeft || judged.record?.status !== STATUS.inProgress) return left('running');
  return left(workflow.isAtMostOnce ? 'inDoubt' : 'needsRelease');
}

// The owner's input has the payload that the record was claimed with.
function delivery({ record, workflow }: JudgedKey, likely: readonly EndedExecution[]): Redelivery {
  const execution = likely.find(({ executionArn }) => executionArn === record?.owner) ?? likely[0];
  if (execution === undefined) return left('rejected');
  if (workflow.prefix !== '') return left('ownStateMachine');
  return execution.input === undefined ? left('inputUnknown') : { kind: 'deliver', execution };
}

function left(reason: LeftReason): Redelivery {
  return { kind: 'leave', reason };
}
