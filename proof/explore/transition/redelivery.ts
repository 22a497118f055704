import type { JobResult } from '../../../packages/local/runtime/calls/service';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import { type Call, dueTimer } from '../model/execution-state';
import type { ModelState, Recovery } from '../model/model-state';
import type { Redelivered } from '../model/past';
import type { StateSpace } from '../model/state-space';
import { isQuiet } from './effects';

// `redeliverFailed` is what is deployed, as recovery is, and is listed among recoveries: it has the same faults.

/** Which redelivery an execution is, by its index: one that was never redelivered is the event's first delivery. */
export function redeliveryOf({ past: { redelivered = [] } }: ModelState, execution: number): Redelivered {
  const known = redelivered.find(each => each.execution === execution);
  return known ?? { execution, of: execution, times: 0 };
}

/** The errors of a failed record that no redelivery is for. */
const LEFT = ['Idempotency.InDoubt', 'Idempotency.Released'];

/** Whether a record is failed with an error after which the event is delivered again. */
export function isRedelivered(record: Item | undefined): record is Item {
  const error = String(record?.['error']?.['S'] ?? '');
  return record?.['status']?.['S'] === 'FAILED' && !LEFT.some(left => error.includes(`"${left}"`));
}

/** The last execution with this ARN, whether Step Functions still knows it or not. */
export function indexCalled(space: StateSpace, { executions }: ModelState, arn: unknown): number | undefined {
  const index = executions.findLastIndex(number => space.workflow.get(number).execution.arn === arn);
  return index < 0 ? undefined : index;
}

/** A redelivery with what an answer tells it; `model` is the one after its request. */
export function redeliveryHearing(
  space: StateSpace,
  model: ModelState,
  recovery: Recovery,
  { resource, arguments: { Name: name } }: Call,
  result: JobResult,
): Recovery {
  const { redelivery, execution, knows } = recovery;
  if (!redelivery) return recovery;
  if (resource === 'sqs:sendMessage') return { ...recovery, knows: { ...knows, isTold: true } };
  if (resource === 'aws-sdk:sfn:startExecution') {
    const last = indexCalled(space, model, space.workflow.arnOf(String(name))) ?? redelivery.last;
    const isLost = result.kind === 'failed' && result.error.endsWith('SdkClientException');
    return isLost ? recovery : { ...recovery, redelivery: { last, at: model.now } };
  }
  if (resource === 'aws-sdk:sfn:describeExecution')
    return result.kind === 'failed' ? { ...recovery, knows: { ...knows, isUnread: true } } : recovery;
  const record = space.recordOf(model);
  const owner = indexCalled(space, model, record?.['owner']?.['S']);
  const isOurs = owner !== undefined && (owner === execution || redeliveryOf(model, owner).of === execution);
  const { last, at, saw } = redelivery;
  const isAtWork = isOurs && record?.['status']?.['S'] === 'IN_PROGRESS';
  return {
    ...recovery,
    redelivery: {
      last,
      at,
      ...(isAtWork && { saw: 'atWork' }),
      ...(isOurs && isRedelivered(record) && { saw: 'failed' }),
    },
    // Before it has seen a failure, a record that is not there was never made.
    knows: record || (last === execution && saw === undefined) ? {} : { isMissing: true },
  };
}

function isAtTimer({ recoverers }: StateSpace, number: number): boolean {
  const state = recoverers?.get(number);
  return state !== undefined && dueTimer(state) !== undefined;
}

/**
 * Whether a redelivery that saw its owner at work waits on, because a recovery or another redelivery is due: that comes
 * first, as it checks again and again.
 */
export function isAfterOthers(
  space: StateSpace,
  { now, recoveries }: ModelState,
  recovery: Recovery,
): boolean {
  if (recovery.redelivery?.saw !== 'atWork') return false;
  return recoveries.some(({ phase, state }) => {
    const due = phase === 'atWork' && state !== undefined && space.recoverers?.get(state);
    return due && (dueTimer(due) ?? now + 1) <= now;
  });
}

/**
 * Whether a redelivery waits for an owner that is left unfinished: it checks again and again, ever more rarely, and
 * sees the same until the key goes on. So no time passes for it.
 */
export function isIdle(space: StateSpace, model: ModelState, recovery: Recovery): boolean {
  const { phase, redelivery, state } = recovery;
  if (phase !== 'atWork' || redelivery?.saw !== 'atWork' || state === undefined) return false;
  const record = space.recordOf(model);
  const isUnfinished = record?.['status']?.['S'] === 'IN_PROGRESS';
  const isWaiting = isAtTimer(space, state);
  const isAlone = model.recoveries.every(
    other => other.redelivery || (other.phase !== 'atWork' && other.phase !== 'stopped'),
  );
  return isUnfinished && isWaiting && isAlone && isQuiet(space, model);
}
