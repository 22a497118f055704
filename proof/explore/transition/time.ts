import { inFlightAt } from '../../../packages/local/explore/kernel/index';
import { CLAIM_WITHIN_MS } from '../../../state-machine/contract/dispatch-rules';
import { currentState, dueTimer, type ExecutionState, leafOf } from '../model/execution-state';
import { type ModelState, numberAt } from '../model/model-state';
import { entriesAt, entriesOf, executionAt, type StateSpace } from '../model/state-space';
import { hasEndedByItself, isBusiness, isQuiet } from './effects';
import { isOverdue, lateInstants, leaseInstants } from './express';
import { isServing, requestInstants } from './front-door-time';
import { isAfterOthers, isIdle } from './redelivery';
import { releaseInstant } from './release';
import { type Step, silent } from './step';
import { DELETED_AFTER_MS, indexOfArn, isDeleted, STALE_MS } from './step-functions';

// Time moves only in jumps to where it decides something; everything else takes none of it.

/** Milliseconds after its end in which an execution can be redriven. */
const REDRIVABLE_MS = 14 * 24 * 60 * 60 * 1000;

/** How long before something is decided a last moment is, milliseconds. */
const LAST_MS = 1;

/** A time in which requests may still be under way, milliseconds. */
const MOMENT_MS = 1000;

/**
 * The steps in which ordinary time passes: to the next timer, or to the end of a grace period. A run under way that the
 * grace period waits for also ends at the last moment of that period. None without such an instant.
 */
export function timePasses(space: StateSpace, model: ModelState): Step[] {
  const next = nextInstant(space, model);
  const last = lastMoment(space, model);
  const to = (name: string, instant: number | undefined) =>
    instant === undefined || !mayPass(space, model, instant) ? [] : [silent(name, at(model, instant))];
  return [
    ...to('near', last === undefined || last >= (next ?? last + 1) ? undefined : last),
    ...to('pass', next),
  ];
}

/**
 * The model at the last moment at which an execution may not be visible yet that is asked about: it has a request under
 * way for so long. Undefined where it has none, or is known.
 */
export function lastUnknown(space: StateSpace, model: ModelState, asked: unknown): ModelState | undefined {
  const index = indexOfArn(space, model, asked);
  // A delivery that waits is measured by its own time, which would be over with such a request.
  if (index === undefined || space.subject.workflow.traits.waitMs !== undefined) return undefined;
  const { execution } = space.workflow.get(model.executions[index] ?? -1);
  const isAtARequest = entriesAt(space, model, index).some(entry => {
    const { call } = executionAt(space, model, entry);
    return call && !isBusiness(call);
  });
  if (execution.status !== 'RUNNING' || !isAtARequest || execution.redriveCount > 0) return undefined;
  // Clocks that differ have to agree that it is not over.
  const isVisible = space.subject.without !== 'owner-visible';
  const last = execution.startedAt + STALE_MS + (isVisible ? -2 * model.skewMs - LAST_MS : LAST_MS);
  return last > model.now && mayPass(space, model, last) ? at(model, last) : undefined;
}

/** Until when a request takes, in the names of steps. */
const SLOW = ['', ':lease', ':lease-end'];

/**
 * A fault: a request of an Express execution takes so long that its time, or another execution's lease, is nearly over.
 */
export function slowRequests(space: StateSpace, model: ModelState, index: number): Step[] {
  const state = space.workflow.get(model.executions[index] ?? -1);
  return lateInstants(space, model, state)
    .filter(instant => mayPass(space, model, instant) && !isOverdue(space, at(model, instant)))
    .map((instant, which) => silent(`slow${index + 1}${SLOW[which] ?? ''}`, at(model, instant)));
}

/** How long a request of an execution takes that deliveries meet under its name: not long, and longer than a claim. */
const HELD_UP_MS = { '': MOMENT_MS, ':long': 2 * CLAIM_WITHIN_MS };

/** Faults: an execution is held up at a request, or at its answer, so that later deliveries find its name in use. */
export function heldUp(space: StateSpace, model: ModelState, index: number): Step[] {
  const { call, answer } = executionAt(space, model, index);
  if (!answer && (!call || isBusiness(call))) return [];
  return Object.entries(HELD_UP_MS).flatMap(([how, ms]) =>
    mayPass(space, model, model.now + ms)
      ? [silent(`hold-up${index + 1}${how}`, at(model, model.now + ms))]
      : [],
  );
}

/** When the next timer is due, or the grace after an execution's end is over; undefined where nothing waits. */
export function nextInstant(space: StateSpace, model: ModelState): number | undefined {
  const instants = model.executions.flatMap((_, index) => instantsOf(space, model, index));
  const expiry = expiryOf(space, model);
  if (expiry !== undefined && expiry <= model.now + MOMENT_MS) instants.push(expiry);
  instants.push(...leaseInstants(space, model), ...claimInstants(space, model));
  instants.push(...requestInstants(space, model));
  if (!isAnythingAtHand(space, model)) instants.push(...recoveryInstants(space, model));
  const coming = instants.filter(instant => instant > model.now);
  return coming.length === 0 ? undefined : Math.min(...coming);
}

/** When recoveries go on that let time pass, and a release that holds its record. */
function recoveryInstants(space: StateSpace, model: ModelState): number[] {
  const { recoverers } = space;
  if (!recoverers) return [];
  const instants = model.recoveries.flatMap(recovery => {
    const { phase, state } = recovery;
    if (phase !== 'atWork' || state === undefined) return [];
    if (isIdle(space, model, recovery) || isAfterOthers(space, model, recovery)) return [];
    return dueTimer(recoverers.get(state)) ?? [];
  });
  const released = releaseInstant(model);
  return released === undefined ? instants : [...instants, released];
}

/** Whether an execution can make a request or get an answer: that takes less time than recovery lets pass. */
function isAnythingAtHand(space: StateSpace, model: ModelState): boolean {
  const isBusy = (state: ExecutionState | undefined) => !!state && !!(state.call ?? state.answer);
  return (
    entriesOf(space, model).some(entry => isBusy(executionAt(space, model, entry))) ||
    // What it has read may take longer to come to a recovery: that is a fault.
    isRecoveryAtARequest(space, model)
  );
}

/** Whether a recovery has made a request that is not carried out yet: it is, or is given up, before days pass. */
function isRecoveryAtARequest({ recoverers }: StateSpace, { recoveries }: ModelState): boolean {
  return recoveries.some(({ state }) => state !== undefined && recoverers?.get(state).call);
}

/** Whether the answer to a recovery is on its way: it comes, or the request is given up, before days pass. */
function isRecoveryYetToHear({ recoverers }: StateSpace, { recoveries }: ModelState): boolean {
  return recoveries.some(({ state }) => state !== undefined && recoverers?.get(state).answer);
}

function isRedriving({ recoverers }: StateSpace, state: number | undefined): boolean {
  return state !== undefined && recoverers?.get(state).call?.stateName === 'Redrive the owner';
}

/** A fault: a request takes so long that recovery looks again before it is answered. */
export function outlastsRecovery(space: StateSpace, model: ModelState): Step[] {
  const coming = recoveryInstants(space, model).filter(instant => instant > model.now);
  // A redrive is sent within seconds, or not at all.
  if (model.recoveries.some(({ state }) => isRedriving(space, state))) return [];
  const next = Math.min(...coming);
  if (coming.length === 0 || !isAnythingAtHand(space, model) || !mayPass(space, model, next)) return [];
  return [silent('outlasts', at(model, next))];
}

function instantsOf(space: StateSpace, model: ModelState, index: number): number[] {
  const number = model.executions[index] ?? -1;
  const state = space.workflow.get(number);
  const { status, arn, end } = state.execution;
  if (status === 'RUNNING')
    return entriesAt(space, model, index).flatMap(entry => dueTimer(executionAt(space, model, entry)) ?? []);
  const { isExpress, isFragment } = space.subject.workflow.traits;
  if (!end || isExpress) return [];
  const isOwner = space.recordOf(model)?.['owner']?.['S'] === arn;
  if (status === 'SUCCEEDED')
    return isFragment && isOwner && !isFinished(space, model)
      ? [end.at + space.workflow.stepMsOf(number)]
      : [];
  // An operator may redrive any other one.
  const isAwaited = isOwner || (model.faults > 0 && !hasEndedByItself(space, state));
  if (!isAwaited) return [];
  // A deleted execution may only be invisible.
  const visibleBy = Date.parse(String(space.recordOf(model)?.['claimedAt']?.['S'])) + STALE_MS;
  return [
    ...gracesOf(space).map(grace => end.at + grace),
    ...(isOwner && isDeleted(state.execution) ? [visibleBy] : []),
  ];
}

// The judge takes the longer of its own time and the record's.
function gracesOf({ subject: { workflow, former = workflow } }: StateSpace): readonly number[] {
  return workflow.stepMs === former.stepMs ? [workflow.stepMs] : [workflow.stepMs, former.stepMs];
}

/**
 * When a claim is so old that its owner is asked about. Only a delivery that reads the record looks at that, so while
 * the owner is at work the instant comes where one does: what happens before is the same at either time. Of an owner
 * that has ended its grace says what happens: that is over later, and until then the answer is the same without asking.
 */
function claimInstants(space: StateSpace, model: ModelState): number[] {
  const record = space.recordOf(model);
  if (record?.['status']?.['S'] !== 'IN_PROGRESS' || space.subject.workflow.traits.isExpress) return [];
  const index = indexOfArn(space, model, record['owner']?.['S']);
  const { status, end } = index === undefined ? NOBODY : executionAt(space, model, index).execution;
  if (end && status !== 'SUCCEEDED') return [];
  if (status === 'RUNNING' && !model.executions.some(number => isReading(space.workflow.get(number))))
    return [];
  return gracesOf(space).map(grace => Date.parse(String(record['claimedAt']?.['S'])) + grace);
}

function isReading({ call, execution }: ExecutionState): boolean {
  return execution.status === 'RUNNING' && call?.resource === 'dynamodb:getItem';
}

/** The last moment of the owner's grace, while its run may go on: in a shorter grace it would be redriven by then. */
function lastMoment(space: StateSpace, model: ModelState): number | undefined {
  const record = space.recordOf(model);
  if (record?.['status']?.['S'] !== 'IN_PROGRESS' || space.subject.workflow.traits.isExpress)
    return undefined;
  const index = indexOfArn(space, model, record['owner']?.['S']);
  const { status, end } =
    index === undefined ? NOBODY : space.workflow.get(model.executions[index] ?? -1).execution;
  if (status === 'SUCCEEDED' || !end || index === undefined || !mayAnybodyAsk(space, model, index))
    return undefined;
  // A clock that is ahead sees a grace over by so much earlier.
  const last = end.at + space.workflow.stepMsOf(model.executions[index] ?? -1) - model.skewMs - LAST_MS;
  return last > model.now && mustEndBefore(space, model, last) ? last : undefined;
}

const NOBODY = { status: undefined, end: null };

// What must not meet the end of a grace is a run of the step, or a request that begins one.
function mustEndBefore(space: StateSpace, { lambdas, orphans }: ModelState, last: number): boolean {
  const runs = [...lambdas, ...orphans.filter(({ call }) => isBusiness(space.calls.get(call)))];
  return runs.some(({ until }) => until > last);
}

function mayAnybodyAsk(space: StateSpace, model: ModelState, owner: number) {
  const { delivered, deliveries, executions, recoveries } = model;
  const isRunning = (number: number) => space.workflow.get(number).execution.status === 'RUNNING';
  const mayDeliver = delivered < deliveries || recoveries.some(({ phase }) => phase === 'atWork');
  return mayDeliver || executions.some((number, index) => index !== owner && isRunning(number));
}

/** How much later than it may a release ends that was not interrupted, milliseconds. */
const RELEASE_LATE_MS = 600_000;

/** Whether this time may come: no run of the step outlasts its Task's timeout; other requests are over by then. */
export function mayPass(space: StateSpace, model: ModelState, until: number): boolean {
  if (isOverdue(space, model) || isServing(space, model)) return false;
  if (requestInstants(space, model).some(instant => instant < until)) return false;
  // A release that takes longer was interrupted.
  if (until > (releaseInstant(model) ?? until) + RELEASE_LATE_MS) return false;
  if (!model.lambdas.every(lambda => lambda.until > until)) return false;
  return entriesOf(space, model).every(entry => {
    const { call } = executionAt(space, model, entry);
    return !call || !isBusiness(call) || (stepEnd(space, model, entry) ?? until + 1) > until;
  });
}

/**
 * When a run of the step ends at the latest that is under way, or is about to begin: as the function does, whatever the
 * Task says of its timeout. Undefined where it has none.
 */
export function stepEnd(space: StateSpace, model: ModelState, entry: number): number | undefined {
  const state = executionAt(space, model, entry);
  const waits = leafOf(state.execution)?.waits;
  if (waits?.kind !== 'task' || !waits.timeout) return undefined;
  const { stepMs, taskMs } = space.workflow.definitionOf(state);
  const longer = space.subject.without === 'step-ends' ? stepMs : 0;
  return waits.timeout.due + stepMs - taskMs - 2 * model.skewMs + longer;
}

/**
 * Until when a request that is given up now may be carried out. Like the run of a step it ends by the margin of the
 * step's timeout earlier than any clock sees the grace over: here by as much as two clocks differ.
 */
export function lateEnd(space: StateSpace, model: ModelState, entry: number): number {
  const stepMs = space.workflow.stepMsOf(numberAt(model, entry));
  return model.now + stepMs - 2 * model.skewMs + (space.subject.without === 'requests-end' ? stepMs : 0);
}

/** The model at another time, epoch milliseconds. */
export function at(model: ModelState, now: number): ModelState {
  return { ...model, now, orphans: inFlightAt(model.orphans, now) };
}

/**
 * Faults: so much later that an ended owner cannot be redriven any more, or is not even known. Its step may run again,
 * even one that has succeeded, if no record has said so for so long.
 */
export function ownerIsGone(space: StateSpace, model: ModelState): Step[] {
  // The model asks nothing of an Express owner: its lease says all.
  if (space.subject.workflow.traits.isExpress) return [];
  const owner = deadOwnerOf(space, model);
  if (!owner || !isQuiet(space, model) || isFinished(space, model)) return [];
  if (isRecoveryAtARequest(space, model) || isRecoveryYetToHear(space, model)) return [];
  const past = { ...model.past, allowed: model.past.successes.length + 1 };
  const later = (name: string, until: number) =>
    until > model.now ? [silent(name, { ...at(model, until), faults: model.faults - 1, past })] : [];
  return [
    ...later('fortnight', owner.end.at + REDRIVABLE_MS),
    // From then on another execution may get its name, and with it its ARN.
    ...later('forgotten', owner.end.at + DELETED_AFTER_MS),
  ];
}

function deadOwnerOf(space: StateSpace, model: ModelState) {
  const owner = space.recordOf(model)?.['owner']?.['S'];
  const executions = model.executions.map(number => space.workflow.get(number).execution);
  const dead = executions.findLast(({ arn, end, status }) => arn === owner && end && status !== 'SUCCEEDED');
  return dead?.end ? { end: dead.end } : undefined;
}

/** A fault: the retention is nearly over. What begins now may meet the record before and after its expiry. */
export function recordIsAboutToExpire(space: StateSpace, model: ModelState): Step[] {
  const expiry = expiryOf(space, model);
  const before = (expiry ?? 0) - MOMENT_MS;
  if (before <= model.now || !isQuietButForFinalizing(space, model)) return [];
  if (isRecoveryAtARequest(space, model)) return [];
  return [silent('retention', { ...at(model, before), faults: model.faults - 1 })];
}

// If the retention is shorter than an outage, an owner may still be trying to finish a record that it has finished.
function isQuietButForFinalizing(space: StateSpace, model: ModelState): boolean {
  const owner = space.recordOf(model)?.['owner']?.['S'];
  const { isFragment } = space.subject.workflow.traits;
  const isFinalizing = (entry: number) => {
    const { call, execution } = executionAt(space, model, entry);
    // An entry of the owner that has not claimed yet is one that begins so late.
    const isUnbegun = isFragment && call?.resource === 'dynamodb:putItem';
    return execution.status !== 'RUNNING' || call?.resource === 'dynamodb:updateItem' || isUnbegun;
  };
  const others = model.executions.filter(
    (number, index) =>
      space.workflow.get(number).execution.arn !== owner ||
      !entriesAt(space, model, index).every(isFinalizing),
  );
  return isQuiet(space, { ...model, executions: others });
}

/** DynamoDB deletes what has expired, at some time. */
export function expiredIsDeleted(space: StateSpace, model: ModelState): Step[] {
  const expiry = expiryOf(space, model);
  if (expiry === undefined || expiry > model.now) return [];
  return [silent('ttl', { ...model, table: space.withRecord(model.table, undefined) })];
}

/** When the record expires, epoch milliseconds; undefined for a record that never does. */
export function expiryOf(space: StateSpace, model: ModelState): number | undefined {
  const seconds = space.recordOf(model)?.['expiry']?.['N'];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function isFinished(space: StateSpace, model: ModelState): boolean {
  return space.recordOf(model)?.['status']?.['S'] !== 'IN_PROGRESS';
}

/** Entries whose timer is due. */
export function dueTimers(space: StateSpace, model: ModelState): number[] {
  return entriesOf(space, model).filter(index => {
    const state = executionAt(space, model, index);
    if (state.execution.status !== 'RUNNING' || currentState(state) === '') return false;
    const due = dueTimer(state);
    return due !== undefined && due <= model.now && !isRunning(model, index);
  });
}

function isRunning({ lambdas }: ModelState, index: number): boolean {
  return lambdas.some(({ execution, isAwaited }) => isAwaited && execution === index);
}
