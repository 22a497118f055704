import { type ExecutionState, ORIGIN } from '../model/execution-state';
import type { ModelState, Recovery } from '../model/model-state';
import { counts, RESULT_ELSEWHERE, recordText, storedErrorOf } from '../model/record';
import { ONE_RECOVERY_MS } from '../model/recovery-name';
import { cachePerSpace, entriesAt, executionAt, type StateSpace } from '../model/state-space';
import { isFailureReturned } from '../model/traits';
import { isOfAnotherWorkflow } from '../transition/another-workflow';
import { isQuiet } from '../transition/effects';
import { isHeardOf } from '../transition/recovery';
import { tellerOf } from '../transition/recovery-requests';
import { isBeingReleased, isHeld, released } from '../transition/release';
import { isNamed } from '../transition/s3';
import { indexOfArn } from '../transition/step-functions';
import { type Channel, deliveries } from '../transition/steps';
import { nextInstant } from '../transition/time';
import { type RunEnd, runWithoutFaults } from './faultless-run';
import { missingNotice } from './final-notices';
import { checkRecoveryAlone } from './final-recovery';
import { found } from './invariant';
import { type Violation, violationOf } from './invariants';
import { isStored } from './remembered';

/** The checks of a state in which everything has ended. */
export const NOTHING_IS_STUCK = {
  name: 'nothingIsStuck',
  says: [
    'Faults have stopped, every recovery so far is lost, and the grace period is over.',
    'Then one more delivery, with the recovery that it starts, makes the record COMPLETED.',
    'It takes two deliveries if the step of a resumed owner fails.',
    "The next delivery returns the record's result.",
    'A key that is held, or that an operator was about to release, stays so until an operator releases it.',
    'Its deliveries end with the error that says so.',
    'A stored failure that is the answer stays the answer.',
    "If the record is another workflow's, the delivery ends with the error for that.",
    'If no event has a key, it ends with the error for that.',
  ].join(' '),
} as const;

/** The reasons why nothing is stuck after all has ended: by the record, the executions and the time. */
const keysNotStuck = cachePerSpace(() => new Set<string>());

/**
 * Lets the grace pass, delivers once more without faults, and judges the record when all has ended. Undefined where
 * it is COMPLETED. The invariants must hold in its steps as everywhere else.
 */
export function probeForStuckKey(
  space: StateSpace,
  quiet: ModelState,
  channels: readonly Channel[],
): Violation | undefined {
  const lost = seenByRecovery(space, withoutRecoveries(quiet));
  const { now, table, executions, delivered } = lost;
  const key = [now, table, delivered, executions.join(), memoryOf(lost), space.skews.join()].join('|');
  const notStuck = keysNotStuck(space);
  if (notStuck.has(key)) return undefined;
  const probes = channels
    .filter(channel => channel === 'direct' || space.dispatcher)
    .flatMap(channel => [
      { channel, hidesErrors: false },
      // Of an owner that is asked about without its data: an entry of a fragment does so.
      ...(space.subject.workflow.traits.isFragment ? [{ channel, hidesErrors: true }] : []),
    ]);
  const violation =
    missingNotice(space.probe, lost) ??
    (space.recovery ? undefined : checkRecoveryAlone(space.probe, lost)) ??
    probes
      .map(
        probe => checkDelivery(space.probe, lost, probe) ?? checkAfterLostRecovery(space.probe, lost, probe),
      )
      .find(tried => tried !== undefined);
  if (!violation) notStuck.add(key);
  return violation;
}

/** An execution that has ended longer ago may soon be forgotten, or be past its redrives: it stays what it is. */
const RECENT_MS = 24 * 60 * 60 * 1000;

/**
 * A state in which everything has ended, as recovery and further deliveries see it, so that what comes of many such
 * states is worked out once. If there is a record, an execution is not resumed that neither owns it nor has to report
 * it. If recovery is notified of its end, it keeps when and how it has ended; otherwise only its name.
 */
function seenByRecovery(space: StateSpace, quiet: ModelState): ModelState {
  const record = space.recordOf(quiet);
  const { isFragment, isExpress } = space.subject.workflow.traits;
  if (!record || isFragment || isExpress) return quiet;
  const kept = [record['owner']?.['S'], tellerOf(record)];
  const executions = quiet.executions.map(number => {
    const state = space.workflow.get(number);
    const { arn, end } = state.execution;
    const isRecent = end !== null && end.at + RECENT_MS > quiet.now;
    if (!isRecent || state.before || kept.includes(arn)) return number;
    return space.workflow.numberOf(isHeardOf(state.execution) ? withEnd(state) : withName(state, quiet.now));
  });
  return { ...quiet, executions };
}

/** No rule of recovery tells errors apart but those of the workflow itself, of who owns no record. */
function withEnd({ execution: { end, ...execution }, ...state }: ExecutionState): ExecutionState {
  const error = end?.error?.startsWith('Idempotency.') === false ? 'AnError' : end?.error;
  const ended = { at: end?.at ?? 0, ...(error !== undefined && { error }) };
  return { ...state, execution: { ...execution, root: null, end: ended } };
}

function withName(
  { execution: { end, ...execution }, ...state }: ExecutionState,
  now: number,
): ExecutionState {
  const ended = { at: now, ...(end?.error !== undefined && { error: end.error }) };
  const bare = { ...execution, root: null, startedAt: ORIGIN, end: ended };
  return { ...state, drawn: 0, execution: bare };
}

/** Every recovery is lost. A delivery that comes a quarter of an hour later can start another one. */
function withoutRecoveries(quiet: ModelState): ModelState {
  const called = quiet.recoveries.filter(recovery => recovery.called);
  const recoveries = called.map(
    // The name stays in use.
    (recovery): Recovery => ({ ...recovery, phase: 'nothingLeft', state: undefined, knows: {} }),
  );
  const now = quiet.now + (called.length > 0 ? ONE_RECOVERY_MS : 0);
  return { ...quiet, now, recoveries, faults: 0 };
}

/**
 * How the probe delivers. AWS does not document whether Step Functions returns the error of an owner when the caller
 * asks without its data. The execution must end in both cases: if the error never comes, and if it always comes.
 */
interface Probe {
  readonly channel: Channel;
  readonly hidesErrors: boolean;
  /** Absent: a recovery that a delivery starts does its work. */
  readonly losesRecovery?: boolean;
}

function checkDelivery(space: StateSpace, quiet: ModelState, probe: Probe): Violation | undefined {
  const once = deliveredTo(space, quiet, probe);
  if (once.violation) return once.violation;
  if (!space.claim) return checkRejection(space, once.model, 'Idempotency.InvalidEvent');
  if (isOfAnotherWorkflow(space.recordOf(once.model)))
    return checkRejection(space, once.model, 'Idempotency.ForeignRecord');
  const end = isOpen(space, once.model) ? deliveredTo(space, once.model, probe) : once;
  if (end.violation) return end.violation;
  if (countedStatusOf(space, end.model) === 'COMPLETED') return unansweredAt(space, end.model, probe);
  if (isSettled(space, end.model)) return unsettledAt(space, end.model, probe);
  return stuck(`with more deliveries the record is ${recordText(space.recordOf(end.model))}`);
}

/** The same if the recovery that a first delivery starts is lost as well. */
function checkAfterLostRecovery(space: StateSpace, quiet: ModelState, probe: Probe): Violation | undefined {
  const { model, violation } = deliveredTo(space, quiet, { ...probe, losesRecovery: true });
  if (violation || model.recoveries.length === quiet.recoveries.length) return violation;
  return checkDelivery(space, withoutRecoveries(model), probe);
}

/** The delivery ends with this error: there is no key, or the record is another workflow's. */
function checkRejection(space: StateSpace, model: ModelState, expected: string): Violation | undefined {
  const { error } = executionAt(space, model, model.executions.length - 1).execution.end ?? {};
  if (error === expected) return undefined;
  return stuck(`a delivery that ${expected} is for ends with ${error ?? 'no error'}`);
}

function unansweredAt(space: StateSpace, completed: ModelState, probe: Probe): Violation | undefined {
  const { model: next, violation } = deliveredTo(space, completed, { ...probe, channel: 'direct' });
  if (violation) return violation;
  const seen = found(entriesAt(space, next, next.executions.length - 1), entry => {
    const { status, end } = executionAt(space, next, entry).execution;
    if (end?.error === 'Idempotency.ResultUnavailable' && isResultGone(space, next)) return undefined;
    if (status !== 'SUCCEEDED') return `a delivery of a COMPLETED record ends ${status}, ${end?.error ?? ''}`;
    const answer = end?.output?.text ?? '';
    if (isStored(answer, next.past)) return undefined;
    return `a delivery of a COMPLETED record is answered with ${answer}`;
  });
  return seen === undefined ? undefined : stuck(seen);
}

/**
 * Whether it takes a second delivery: the first has resumed an owner whose step had failed, or that went on.
 */
function isOpen(space: StateSpace, model: ModelState): boolean {
  if (countedStatusOf(space, model) === 'FAILED') return true;
  if (countedStatusOf(space, model) !== 'IN_PROGRESS') return false;
  const owner = space.recordOf(model)?.['owner']?.['S'];
  return model.executions.some(number => {
    const { arn, status } = space.workflow.get(number).execution;
    const hasGoneOn = space.subject.workflow.traits.isFragment && status === 'SUCCEEDED';
    return arn === owner && hasGoneOn;
  });
}

/**
 * Whether the result cannot be read any more. The object with the result is gone. Or only the owner had the result, and
 * Step Functions no longer knows the owner, or cannot return its output, as in a fragment and in an Express workflow.
 */
function isResultGone(space: StateSpace, model: ModelState): boolean {
  const record = space.recordOf(model);
  if (record?.['resultLocation'] !== undefined) return !isNamed(space, model, record);
  const isElsewhere = record?.['result']?.['S'] === RESULT_ELSEWHERE;
  const { isFragment, isExpress } = space.subject.workflow.traits;
  if (isElsewhere && (isFragment || isExpress)) return true;
  return isElsewhere && indexOfArn(space, model, record?.['owner']?.['S']) === undefined;
}

/** Whether a variant may end without a result: with a held key, or a failure that is the answer. */
function isSettled(space: StateSpace, model: ModelState): boolean {
  if (isHeld(space.recordOf(model)) || isBeingReleased(space.recordOf(model))) return true;
  const error = storedErrorOf(space.recordOf(model));
  return (
    countedStatusOf(space, model) === 'FAILED' && isFailureReturned(space.subject.workflow.traits, error)
  );
}

/** The next delivery ends with that error; a held key that an operator releases is completed. */
function unsettledAt(space: StateSpace, settled: ModelState, probe: Probe): Violation | undefined {
  const record = space.recordOf(settled);
  const directly: Probe = { ...probe, channel: 'direct' };
  const { model: next, violation } = deliveredTo(space, settled, directly);
  if (violation) return violation;
  const { error } = executionAt(space, next, next.executions.length - 1).execution.end ?? {};
  const told = isBeingReleased(record) ? 'Idempotency.InProgress' : storedErrorOf(record);
  if (error !== told) return stuck(`a delivery of a record with ${told} ends with ${error}`);
  if (!isHeld(record) && !isBeingReleased(record)) return undefined;
  const freed = deliveredTo(space, released(space, rest(space, next)), directly);
  if (freed.violation) return freed.violation;
  if (countedStatusOf(space, freed.model) === 'COMPLETED') return unansweredAt(space, freed.model, probe);
  return stuck(`with a delivery after its release the record is ${recordText(space.recordOf(freed.model))}`);
}

// What the invariants go by besides.
function memoryOf({ past }: ModelState): string {
  return JSON.stringify(past);
}

function stuck(seen: string): Violation {
  return violationOf(NOTHING_IS_STUCK, seen);
}

/** The status of a record that counts: of one that has expired, undefined. */
function countedStatusOf(space: StateSpace, model: ModelState): unknown {
  const record = space.recordOf(model);
  return counts(record, model.now) ? record['status']?.['S'] : undefined;
}

function deliveredTo(space: StateSpace, quiet: ModelState, probe: Probe): RunEnd {
  const rested = rest(space, quiet);
  const delivered = deliveries(
    space,
    { ...rested, deliveries: rested.delivered + 1 },
    [probe.channel],
    payloadFor(space, rested),
  );
  const model = delivered[0]?.after;
  return model ? run(space, model, probe) : { model: rested, violation: undefined };
}

// Another payload would be rejected, rightly.
function payloadFor(space: StateSpace, model: ModelState): number {
  return counts(space.recordOf(model), model.now) ? (model.past.payload ?? 0) : 0;
}

function rest(space: StateSpace, model: ModelState): ModelState {
  const next = nextInstant(space, model);
  if (next !== undefined) return rest(space, { ...model, now: next, orphans: [] });
  // Until the slowest clock has seen it, too.
  return { ...model, now: model.now + 2 * model.skewMs };
}

function run(space: StateSpace, from: ModelState, { channel, hidesErrors, losesRecovery }: Probe): RunEnd {
  const hasEnded = (model: ModelState) => model.delivered === model.deliveries && isQuiet(space, model);
  return runWithoutFaults(space, from, {
    name: losesRecovery ? `${IN_THE_PROBE}, its recovery lost` : IN_THE_PROBE,
    channel,
    // No event of an end comes, and no search.
    skipped: losesRecovery
      ? /^(ttl|near|tell|search|recover|pending-recovery|wake)/
      : /^(ttl|near|tell|search)/,
    ...(hidesErrors && { first: /^untold/ }),
    isOver: model => hasEnded(model) && (losesRecovery === true || !isRecovering(model)),
  });
}

const IN_THE_PROBE = 'with one more delivery when everything had ended';

function isRecovering({ recoveries }: ModelState): boolean {
  return recoveries.some(({ phase }) => phase === 'atWork');
}
