import type { JsonObject } from '../../../packages/local/json/json';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { ModelState } from '../model/model-state';
import { type Heard, type Past, type Redelivered, type Waiting, withoutHeard } from '../model/past';
import { counts, resultText, statusOf } from '../model/record';
import { redeliveryOf } from '../transition/redelivery';
import type { Fact, Step } from '../transition/step';
import { resultOf } from '../transition/steps';
import { type FactOf, ofKind } from './invariant';

/** The step with what its facts leave in the memory of the invariants. */
export function remembered(before: ModelState, step: Step): Step {
  let { past } = step.after;
  for (const fact of step.facts) past = afterFact(past, fact, before);
  past = afterStart(past, before, step);
  return past === step.after.past ? step : { ...step, after: { ...step.after, past } };
}

/** Which redelivery an execution is that a redelivery has just started, or a recovery for one. */
function afterStart(past: Past, before: ModelState, { facts, after }: Step): Past {
  const execution = before.executions.length;
  if (after.executions.length === execution) return past;
  for (const fact of facts) {
    const last = fact.kind === 'redelivered' ? fact.recovery.redelivery?.last : undefined;
    const times = last === undefined ? 0 : redeliveryOf(before, last).times + 1;
    if (fact.kind === 'redelivered')
      return withRedelivered(past, { execution, of: fact.recovery.execution, times });
    if (fact.kind !== 'recovered') continue;
    const timesBefore = redeliveryOf(before, fact.recovery.execution).times;
    return timesBefore === 0 ? past : withRedelivered(past, { execution, of: execution, times: timesBefore });
  }
  return past;
}

function withRedelivered(past: Past, fresh: Redelivered): Past {
  return { ...past, redelivered: [...(past.redelivered ?? []), fresh] };
}

function afterFact(past: Past, fact: Fact, before: ModelState): Past {
  switch (fact.kind) {
    case 'invoked':
      return afterBegin(past, fact);
    case 'answered':
      return past.lastRun ? { ...past, lastRun: { ...past.lastRun, isTold: true } } : past;
    case 'failed':
      return { ...afterFailure(past, fact), mayHaveRun: plus(past, -1) };
    case 'told':
      return afterAnswer(past, fact);
    case 'sent':
      return afterNotice(past, fact);
    case 'ended':
      return afterEnd(past, fact);
    case 'waits':
      return { ...past, waiting: waitingSince(past, fact, before.now) };
    case 'wrote':
      return afterWrite(fact.isOwnEnd ? recorded(past, fact) : past, fact, before);
    default:
      return past;
  }
}

/** A run of the step has begun. */
function afterBegin(past: Past, fact: FactOf<'invoked'>): Past {
  const { by: execution, attempt, redrives } = fact;
  const { isAllowedAgain, ...others } = past;
  const retries = retriesBefore(past, fact);
  const lastRun = {
    execution,
    attempt,
    redrives,
    ...(retries > 0 && { retries }),
    ...(isAllowedAgain && { isAllowedAgain }),
  };
  return { ...others, lastRun, mayHaveRun: plus(past, 1) };
}

function afterAnswer(past: Past, { execution, error, isOfStep }: FactOf<'told'>): Past {
  if (isOfStep) return withHeard(past, { execution, error });
  return error === REJECTED ? withoutRecord(past, execution) : past;
}

function afterWrite(past: Past, fact: FactOf<'wrote'>, { now, skewMs }: ModelState): Past {
  if (fact.before === fact.after) return past;
  const isFresh = fact.after !== undefined && !counts(fact.before, now + skewMs);
  const claimed = fact.isClaim ? { ...past, claimant: fact.by } : past;
  const fresh = withoutNotice(isFresh ? anew(claimed, fact.payload) : afterLease(claimed, fact));
  if (!fact.after || statusOf(fact.after) !== 'COMPLETED') return fresh;
  return {
    ...fresh,
    completedAt: now,
    // If the record holds no text, its owner's output is the result.
    results: lastTwo(fresh.results, resultText(fact.after) || (answerOf(past, fact) ?? '')),
    finishers: lastTwo(fresh.finishers, fact.by),
  };
}

/**
 * How often the step has been retried when it begins so: it had failed, or is a chain, and its execution was not
 * redriven since.
 */
export function retriesBefore(
  { lastRun }: Past,
  { by, attempt, redrives, isOfRetriedChain }: FactOf<'invoked'>,
): number {
  const isSame = lastRun?.execution === by && lastRun.attempt === attempt && lastRun.redrives === redrives;
  return isSame && (lastRun.hasFailed || isOfRetriedChain) ? (lastRun.retries ?? 0) + 1 : 0;
}

function afterFailure(past: Past, { mayBeRetried }: FactOf<'failed'>): Past {
  if (!mayBeRetried || !past.lastRun) return past;
  return { ...past, lastRun: { ...past.lastRun, hasFailed: true } };
}

function afterNotice(past: Past, fact: FactOf<'sent'>): Past {
  if (!isOfTheRecord(fact)) return past;
  return fact.notice['status'] === 'COMPLETED'
    ? { ...past, isResultSent: true }
    : { ...past, isFailureSent: true };
}

/** Whether a notice is about the end that the record says. */
function isOfTheRecord({ notice, record }: FactOf<'sent'>): boolean {
  const statuses = notice['status'] === 'COMPLETED' ? ['COMPLETED'] : ['FAILED', 'HELD'];
  return statuses.includes(String(statusOf(record))) && isOfTheOwner(notice, record);
}

/** Whether a notice is about the present owner of the record, and its attempt. */
function isOfTheOwner({ executionArn, attempt }: JsonObject, record: Item | undefined): boolean {
  return executionArn === record?.['owner']?.['S'] && attempt === Number(record?.['attempt']?.['N']);
}

// No execution has read the current state of the record.
function withoutNotice({ isFailureSent: _, isResultSent: __, ...past }: Past): Past {
  return past;
}

function lastTwo<Of>(before: readonly Of[], added: Of): readonly Of[] {
  return before.includes(added) ? before : [...before, added].slice(-2);
}

/**
 * An entry that takes over an Express claim after its lease runs the step again, whatever the end of the run before.
 */
function afterLease(past: Past, { before, after }: FactOf<'wrote'>): Past {
  const isTakenOver = before?.['leaseExpiry'] && before['attempt']?.['N'] !== after?.['attempt']?.['N'];
  const isUnfinished = statusOf(before) === 'IN_PROGRESS';
  return isTakenOver && isUnfinished ? { ...past, allowed: past.successes.length + 1 } : past;
}

/** The memory of a key that is claimed while no record counts: it begins anew, with this payload. */
function anew(past: Past, payload: number): Past {
  return {
    ...past,
    allowed: past.successes.length + 1,
    payload,
    lastRun: undefined,
    mayHaveRun: past.mayHaveRun === undefined ? undefined : 0,
  };
}

function plus({ mayHaveRun }: Past, runs: number): number | undefined {
  return mayHaveRun === undefined ? undefined : mayHaveRun + runs;
}

function withoutWait({ waiting = [], ...past }: Past, execution: number): Past {
  const others = waiting.filter(other => other.execution !== execution);
  return others.length === 0 ? past : { ...past, waiting: others };
}

/** The last answer of the step that an execution got; the order of the list says nothing. */
function withHeard(past: Past, heard: Heard): Past {
  const others = past.heard?.filter(({ execution }) => execution !== heard.execution) ?? [];
  return { ...past, heard: [...others, heard].sort((a, b) => a.execution - b.execution) };
}

/** A write that is rejected by its condition. */
export const REJECTED = 'DynamoDB.ConditionalCheckFailedException';

/** Whose write is rejected has lost its record: that says nothing of it any more. */
function withoutRecord(past: Past, execution: number): Past {
  const heard = past.heard?.find(other => other.execution === execution);
  return heard ? withHeard(past, { execution, error: heard.error }) : past;
}

function recorded(past: Past, { by, after }: FactOf<'wrote'>): Past {
  const heard = past.heard?.find(({ execution }) => execution === by);
  if (!heard) return past;
  const said = { status: String(statusOf(after)), attempt: Number(after?.['attempt']?.['N']) };
  return withHeard(past, { ...heard, ...said });
}

function afterEnd(past: Past, { execution, isLeft, isFinal }: FactOf<'ended'>): Past {
  const kept = isFinal ? withoutHeard(past, execution) : past;
  // The step may run again, whatever its end, because its record stays unfinished.
  if (isLeft) return { ...kept, allowed: kept.successes.length + 1 };
  return kept.waiting ? withoutWait(kept, execution) : kept;
}

/** Who waits since when; a redrive begins that anew. */
function waitingSince(
  { waiting = [] }: Past,
  { execution, redrives }: FactOf<'waits'>,
  now: number,
): readonly Waiting[] {
  const isThis = (other: Waiting) => other.execution === execution && other.redrives === redrives;
  if (waiting.some(isThis)) return waiting;
  return [...waiting.filter(other => other.execution !== execution), { execution, redrives, since: now }];
}

/**
 * Whether an entry is the one that has made its execution the owner of the record, before or by one of these facts.
 * True if entries are not told apart.
 */
export function isClaimant(
  { past: { claimant } }: ModelState,
  entry: number,
  facts: readonly Fact[] = [],
): boolean {
  const hasClaimed = ofKind(facts, 'wrote').some(({ by, isClaim }) => isClaim && by === entry);
  return claimant === undefined || claimant === entry || hasClaimed;
}

/** The answer of its step that an execution got, in this step or before; undefined if there is none. */
export function heardBy({ past }: ModelState, facts: readonly Fact[], execution: number): Heard | undefined {
  const before = past.heard?.find(other => other.execution === execution);
  const now = facts.findLast(
    (fact): fact is FactOf<'told'> => fact.kind === 'told' && fact.isOfStep && fact.execution === execution,
  );
  return now ? { execution, error: now.error } : before;
}

/** Whether an answer is a result that the record has stood for. */
export function isStored(answer: string, { results }: Past): boolean {
  return results.includes(answer);
}

/**
 * The content of a COMPLETED record, as text. It is the answer of the step's run for its owner, with its attempt, or
 * the output of an owner that has succeeded and whose step has answered before. Undefined without such a success.
 */
export function answerOf(
  { successes }: Past,
  { owner, ownersOutput, after }: FactOf<'wrote'>,
): string | undefined {
  const attempt = Number(after?.['attempt']?.['N']);
  const number = successes.findLastIndex(run => run.execution === owner && run.attempt === attempt);
  const answers = successes.map((_, index) => JSON.stringify(resultOf(index + 1).output.Payload));
  return answers[number] ?? answers.find(answer => answer === ownersOutput);
}
