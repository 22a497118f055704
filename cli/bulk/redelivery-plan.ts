import { ERROR } from '../../state-machine/contract/index';
import type { JudgedKey } from '../key/judge';
import { planRedrive } from '../key/redrive-plan';
import type { DeadExecution } from './dead-executions';

/** What is done about one key whose executions have ended without finishing it. */
export type Redelivery =
  /** Its dead owner goes on where it stopped. */
  | { readonly kind: 'redrive' }
  /** The input of this execution is delivered again, under the workflow's own rules. */
  | { readonly kind: 'deliver'; readonly execution: DeadExecution }
  | { readonly kind: 'leave'; readonly reason: LeftReason; readonly until?: number };

/** Why nothing is done about a key. */
export type LeftReason =
  /** It is finished: nothing is left to do. */
  | 'finished'
  /** Another delivery is at work. */
  | 'atWork'
  /** Its owner has ended so short a time ago that its step may still be working: until `until`, epoch milliseconds. */
  | 'mayStillWork'
  /** The table has an item of this key that is no record. */
  | 'noRecord'
  /** The deliveries were refused for what they are: they would be again. */
  | 'refused'
  /** The failure is what deliveries are answered with. */
  | 'failureIsAnswer'
  | 'inDoubt'
  /** Its owner has died after each redrive: a person looks why, and redrives that one key, or frees it. */
  | 'redrivesExhausted'
  /** A person has stopped its execution for good. */
  | 'stopped'
  | 'foreign'
  /** The record is not there any more: whether the step has run since is not known. */
  | 'recordGone'
  /** A team's own state machine, which does more than this: its input is not delivered again. */
  | 'partOfMore'
  | 'inputUnknown';

/** Errors of deliveries that were refused for what they are. */
const REFUSED: ReadonlySet<string> = new Set([
  ERROR.missingKey,
  ERROR.invalidPayload,
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
 * `executions` are those of the key that ended without succeeding, newest first. `isNamed` says that a person has named
 * the error they ended with: then also those count that were refused for what they are.
 */
export function planRedelivery(
  judged: JudgedKey,
  executions: readonly DeadExecution[],
  isNamed: boolean,
): Redelivery {
  const { record, nextDelivery, workflow, owner } = judged;
  const isStopped = executions.some(({ executionArn, error }) => {
    return error === ERROR.stopped && executionArn === record?.owner;
  });
  const isUnfinished = nextDelivery === 'redrives' || nextDelivery === 'takesOver';
  if (isStopped && isUnfinished && !isNamed) return left('stopped');
  const likely = executions.filter(({ error }) => isNamed || !REFUSED.has(error));
  switch (nextDelivery) {
    case 'returnsResult':
    case 'lacksResult':
      return left('finished');
    case 'isForeign':
      return left('foreign');
    case 'returnsFailure':
      return left('failureIsAnswer');
    case 'parks':
      return left('inDoubt');
    case 'redrivesExhausted':
      return left('redrivesExhausted');
    case 'isRefused':
      if (owner.kind === 'mayStillWork') return { kind: 'leave', reason: 'mayStillWork', until: owner.until };
      return left(workflow.isAtMostOnce && record?.status === 'FAILED' ? 'inDoubt' : 'atWork');
    case 'redrives':
      return planRedrive(judged, { isForced: false }).kind === 'ready' ? { kind: 'redrive' } : left('atWork');
    case 'claims': {
      const unclaimed = likely.filter(({ error, hasOwned }) => !hasOwned && !MET_A_RECORD.has(error));
      return likely.length > 0 && unclaimed.length === 0 ? left('recordGone') : delivery(judged, unclaimed);
    }
    case 'takesOver':
    case 'finishes':
      return delivery(judged, likely);
    default: {
      const never: never = nextDelivery;
      return never;
    }
  }
}

// The owner's input has the payload that the record was claimed with.
function delivery({ record, workflow }: JudgedKey, likely: readonly DeadExecution[]): Redelivery {
  const execution = likely.find(({ executionArn }) => executionArn === record?.owner) ?? likely[0];
  if (execution === undefined) return left('refused');
  if (workflow.prefix !== '') return left('partOfMore');
  return execution.input === undefined ? left('inputUnknown') : { kind: 'deliver', execution };
}

function left(reason: LeftReason): Redelivery {
  return { kind: 'leave', reason };
}
