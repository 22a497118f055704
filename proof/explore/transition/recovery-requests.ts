import type { Execution } from '../../../packages/local/engine/index';
import { isJsonObject, type JsonObject } from '../../../packages/local/json/json';
import { isoTime } from '../../../packages/local/language/index';
import type { JobResult } from '../../../packages/local/runtime/calls/service';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { Call } from '../model/execution-state';
import type { ModelState, Recovery, RecoveryKnowledge } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { BY_RECOVERY, carryOut, sent } from './effects';
import { redeliveryHearing } from './redelivery';
import { isReleasedByRecovery } from './release';
import type { Fact, RecoveryAct } from './step';
import { describe, start } from './step-functions';
import { missingTarget } from './targets';
import { expiryOf } from './time';

/** What a request of recovery has come to. */
export interface Requested {
  readonly model: ModelState;
  readonly result: JobResult;
  readonly facts: readonly Fact[];
}

/** Carries a request of recovery out. */
export function requested(space: StateSpace, model: ModelState, recovery: Recovery, call: Call): Requested {
  const missing = missingTarget(space, recovery.redelivery ? 'redelivery' : 'recovery', call);
  if (missing) return { model, result: missing, facts: [] };
  switch (call.resource) {
    case 'aws-sdk:sfn:describeExecution':
      return { model, result: described(space, model, call, describe(space, model, call)), facts: [] };
    case 'aws-sdk:sfn:startExecution': {
      const { Input: text = 'null', ...more } = call.arguments;
      const given = { ...call, arguments: { ...more, Input: JSON.parse(String(text)) } };
      const { model: after, result } = start(space, model, given);
      const named =
        result.kind === 'failed' ? { ...result, error: result.error.replace(/^\w+/, 'Sfn') } : result;
      if (!recovery.redelivery)
        return { model: after, result: named, facts: [{ kind: 'recovered', recovery, how: 'delivered' }] };
      const isMade = result.kind === 'succeeded';
      return { model: after, result: named, facts: isMade ? [{ kind: 'redelivered', recovery }] : [] };
    }
    case 'dynamodb:updateItem': {
      const { model: after, result, facts } = carryOut(space, model, call, BY_RECOVERY, 'recovery');
      const how = after === model ? undefined : WRITES[String(space.recordOf(after)?.['status']?.['S'])];
      return { model: after, result, facts: how ? [...facts, { kind: 'recovered', recovery, how }] : facts };
    }
    case 'sqs:sendMessage': {
      const { model: after, result } = carryOut(space, model, call, BY_RECOVERY, 'recovery');
      return { model: after, result, facts: [sent(space, model, call, { by: BY_RECOVERY, recovery })] };
    }
    case 'dynamodb:getItem': {
      const { result, facts } = carryOut(space, model, call, BY_RECOVERY, 'recovery');
      return { model, result, facts };
    }
    default: {
      const { model: after, result, facts } = carryOut(space, model, call, BY_RECOVERY, 'recovery');
      const how = 'redriven' as const;
      return {
        model: after,
        result,
        facts: after === model ? facts : [...facts, { kind: 'recovered', recovery, how }],
      };
    }
  }
}

/** What recovery has done by a write, by the status that it leaves. */
const WRITES: Readonly<Record<string, RecoveryAct>> = {
  COMPLETED: 'completed',
  RELEASED: 'released',
  HELD: 'held',
};

/** Recovery gets all that it needs about an execution, unless it has asked for less. */
export function described(space: StateSpace, model: ModelState, call: Call, answer: JobResult): JobResult {
  const { ExecutionArn: arn, IncludedData: included } = call.arguments;
  const stopped = model.recoveries
    .flatMap(({ state, redelivery }) =>
      state === undefined || redelivery ? [] : (space.recovery?.get(state).execution ?? []),
    )
    .find(execution => execution.arn === arn);
  const [machine, output] = stopped
    ? [
        space.recovery?.explored.machine.arn,
        { Status: stopped.status, StopDate: isoTime(model.now), RedriveCount: 0 },
      ]
    : [space.subject.workflow.machine.arn, answer.kind === 'succeeded' ? answer.output : undefined];
  if (!isJsonObject(output ?? null) || machine === undefined) return answer;
  const asked = model.executions
    .map(number => space.workflow.get(number).execution)
    .find(execution => execution.arn === arn);
  const execution = stopped ?? asked;
  const data: JsonObject = included === 'METADATA_ONLY' ? {} : { Input: execution?.input.text ?? null };
  const facts = {
    ExecutionArn: arn ?? null,
    StateMachineArn: machine,
    Name: execution?.name ?? null,
    StartDate: isoTime(execution?.startedAt ?? model.now),
  };
  return { kind: 'succeeded', output: { ...facts, ...(output as JsonObject), ...data } };
}

/** An answer that comes to a recovery, which is at this place among all. */
export interface Arrival {
  readonly recovery: Recovery;
  readonly at: number;
  readonly call: Call;
  readonly result: JobResult;
  /** An error comes again each time, to the last retry. */
  readonly isNoFault?: true;
}

/** The answer comes to the recovery. */
export function arrived(
  space: StateSpace,
  model: ModelState,
  { recovery, at, call, result, isNoFault }: Arrival,
): ModelState {
  const { state = -1 } = recovery;
  const machine = space.recovererOf(recovery);
  const answered = machine?.answered(state, result, model.now, 0) ?? -1;
  const isAgain = isNoFault && result.kind === 'failed' && answered === state;
  const next = isAgain ? (machine?.exhausted(state, result.error, model.now, 0) ?? -1) : answered;
  return withRecovery(model, at, recoveryAt(space, hearing(space, model, recovery, call, result), next));
}

/** What the recovery has read is on its way to it, for as long as anything may take. */
export function hearsLate(
  space: StateSpace,
  model: ModelState,
  { recovery, at, call, result }: Arrival,
): ModelState {
  const state = space.recoverers?.withAnswer(recovery.state ?? -1, result, 0);
  return withRecovery(model, at, { ...hearing(space, model, recovery, call, result), state });
}

/** A recovery at its next state; of one that has ended only how. */
export function recoveryAt({ recoverers }: StateSpace, recovery: Recovery, state: number): Recovery {
  const { status, end } = recoverers?.get(state).execution ?? { status: 'RUNNING', end: null };
  if (status === 'RUNNING') return { ...recovery, state };
  const isGivenUp = end?.error === 'Idempotency.RecoveryGivenUp';
  const { isUnread, isMisled, isFound, isTold, isDone, isMissing, isHeld, isToTell } = recovery.knows;
  // A misled recovery has left work behind: the search has not found it yet.
  const isLeft = isMisled && !isFound && !recovery.called;
  const ended = isLeft ? 'unheard' : 'nothingLeft';
  const phase = status === 'SUCCEEDED' ? ended : isGivenUp ? 'givenUp' : 'failed';
  // If an execution has left nothing, no rule reads its knowledge any more.
  const why = phase === 'givenUp' && {
    ...(isUnread && !recovery.called && { isUnread }),
    ...(isTold && { isTold }),
    ...(isMissing && { isMissing }),
    ...(isHeld && { isHeld }),
    ...(isToTell && { isToTell }),
  };
  const wasMissing = recovery.redelivery && isMissing && { isMissing };
  return {
    ...recovery,
    phase,
    state: undefined,
    knows: { ...why, ...wasMissing, ...(isDone && { isDone }) },
  };
}

/** The requests by which recovery acts, except those to the record. */
const ACTS = ['aws-sdk:sfn:startExecution', 'aws-sdk:sfn:redriveExecution', 'lambda:invoke'];

/** A recovery, or a redelivery, with what an answer tells it. */
function hearing(
  space: StateSpace,
  model: ModelState,
  recovery: Recovery,
  call: Call,
  result: JobResult,
): Recovery {
  if (recovery.redelivery) return redeliveryHearing(space, model, recovery, call, result);
  return { ...recovery, knows: knowing(space, model, recovery, call, result) };
}

/** What a recovery knows after an answer. */
function knowing(
  space: StateSpace,
  model: ModelState,
  { execution: index, redrives, knows }: Recovery,
  { resource, stateName }: Call,
  result: JobResult,
): RecoveryKnowledge {
  if (isBehind(result, redrives)) return knows;
  const output = result.kind === 'succeeded' && isJsonObject(result.output) ? result.output : {};
  if (ACTS.includes(resource)) {
    const isLost = result.kind === 'failed' && result.error.endsWith('SdkClientException');
    // Whose answer is lost delivers again at once.
    return isLost ? knows : { ...knows, tries: (knows.tries ?? 0) + 1 };
  }
  // A sender without an answer has sent the message all the same.
  if (resource === 'sqs:sendMessage') return { ...knows, isTold: true };
  if (resource.startsWith('dynamodb:')) {
    const { isUndone: _, isToDeliver: _before, isToTell: _told, isReleased: _released, ...rest } = knows;
    const { isDone: _done, isMissing: _missing, isHeld: _held, ...others } = rest;
    return { ...others, ...readOf(space, model, index, knows) };
  }
  if (resource !== 'aws-sdk:sfn:describeExecution') return knows;
  if (stateName === 'Read the input') {
    const isUnread = result.kind === 'failed' && { isUnread: true as const };
    return { ...knows, ...rejectedBy(output['Error']), ...isUnread };
  }
  if (result.kind === 'failed') return { ...knows, isUnknown: true };
  const { hasFailed: _failed, hasSucceeded: _succeeded, end: _end, ...rest } = knows;
  const status = String(output['Status']);
  const hasFailed = ['FAILED', 'TIMED_OUT', 'ABORTED'].includes(status);
  return {
    ...rest,
    ...(typeof output['StopDate'] === 'string' && { end: Date.parse(output['StopDate']) }),
    ...(hasFailed && { hasFailed }),
    ...(status === 'SUCCEEDED' && { hasSucceeded: true }),
  };
}

/** Whether an answer is none: the execution runs, it says, and was redriven no more often than when it ended. */
export function isBehind(result: JobResult, redrives: number): boolean {
  const output = result.kind === 'succeeded' && isJsonObject(result.output) ? result.output : {};
  return output['Status'] === 'RUNNING' && Number(output['RedriveCount']) <= redrives;
}

/** Errors by which an execution rejects its event for its content. */
const REJECTED = ['Idempotency.InvalidEvent'];

/** What an error tells of how an execution has ended. */
export function rejectedBy(error: unknown): RecoveryKnowledge {
  return REJECTED.includes(String(error)) ? { isRejected: true } : {};
}

/** What the record says of an execution, to who reads it now. */
function readOf(
  space: StateSpace,
  model: ModelState,
  index: number,
  { tries, isRejected }: RecoveryKnowledge,
): RecoveryKnowledge {
  const record = space.recordOf(model);
  const { execution } = space.workflow.get(model.executions[index] ?? -1);
  const { arn, end, redriveCount } = execution;
  const isOwn = record?.['owner']?.['S'] === arn;
  const expiry = expiryOf(space, model);
  const isGone = !record || (expiry !== undefined && expiry <= model.now);
  const status = record?.['status']?.['S'];
  const isFree = isGone || status === 'RELEASED';
  const isUnclaimed = isFree && !isOwn && !tries && !isRejected;
  const isUndone = isOwn && status === 'IN_PROGRESS';
  const isReleased = isOwn && isReleasedByRecovery(record);
  // An execution that ended with the very error of the record has sent its notice before. Sending may end with some,
  // too: for one of these it may be redriven once.
  const stored = String(record?.['error']?.['S']);
  const hasTold =
    end?.error !== undefined &&
    stored.includes(`"Error":"${end.error}"`) &&
    !(OF_SENDING.test(end.error) && redriveCount === 0);
  const isTeller = ['FAILED', 'HELD'].includes(String(status)) && tellerOf(record ?? {}) === arn;
  const isToTell = (isTeller && !hasTold) || (isOwn && status === 'COMPLETED');
  const isDone = status === 'COMPLETED' && !isOwn && (!isGone || (record && wasDone(record, execution)));
  const isMissing = !record && model.past.payload !== null;
  return {
    ...(isUndone && { isUndone }),
    ...(isUnclaimed && { isToDeliver: true }),
    ...(isReleased && { isReleased }),
    ...(isToTell && { isToTell }),
    ...(isDone && { isDone: true }),
    ...(isMissing && { isMissing }),
    ...(status === 'HELD' && { isHeld: true }),
  };
}

/** Whether a record that has expired was there when the execution ended, or was finished since that began. */
function wasDone(record: Item, { startedAt, end }: Pick<Execution, 'startedAt' | 'end'>): boolean {
  const expiresAt = Number(record['expiry']?.['N'] ?? 0) * 1000;
  return expiresAt > (end?.at ?? 0) || Date.parse(String(record['finishedAt']?.['S'])) >= startedAt;
}

/** Errors that a request to a queue may end with, or a state that makes one. */
const OF_SENDING = /^(SQS|States)\./;

/**
 * The execution that must send the notice of a failure in a record: its owner, or the one that has held the record in
 * place of an ended owner.
 */
export function tellerOf(record: Item): unknown {
  const [, heldBy] = /"heldBy\\*":\\*"(arn[^"\\]+)/.exec(String(record['error']?.['S'] ?? '')) ?? [];
  return heldBy ?? record['owner']?.['S'];
}

/** The model with a recovery at another state, by its place among all. */
export function withRecovery(model: ModelState, at: number, recovery: Recovery): ModelState {
  return { ...model, recoveries: model.recoveries.map((other, index) => (index === at ? recovery : other)) };
}
