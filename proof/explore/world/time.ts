import type { Execution } from '../../../packages/local/engine/execution';
import { type LocalState, placeOf } from './local-state';
import { hasEndedByItself, isBusiness, isQuiet } from './moves';
import { type Step, silent } from './step';
import { KEPT_MS } from './step-functions';
import type { Universe, World } from './world';

// Time moves only in jumps to where it decides something; everything else takes none of it.

/** Milliseconds after its end in which an execution can be redriven. */
const REDRIVABLE_MS = 14 * 24 * 60 * 60 * 1000;

/** A time in which requests may still be under way, milliseconds. */
const MOMENT_MS = 1000;

/** The step in which ordinary time passes: to the next timer, or to the end of a grace. None without one. */
export function timePasses(universe: Universe, world: World): Step[] {
  const next = nextInstant(universe, world);
  return next === undefined || !mayPass(universe, world, next) ? [] : [silent('pass', at(world, next))];
}

/** When the next timer is due, or the grace after an execution's end is over; undefined where nothing waits. */
export function nextInstant(universe: Universe, world: World): number | undefined {
  const instants = world.executions.flatMap(number =>
    instantsOf(universe, world, universe.workflow.get(number)),
  );
  const expiry = expiryOf(universe, world);
  if (expiry !== undefined && expiry <= world.now + MOMENT_MS) instants.push(expiry);
  const coming = instants.filter(instant => instant > world.now);
  return coming.length === 0 ? undefined : Math.min(...coming);
}

function instantsOf(universe: Universe, world: World, state: LocalState): number[] {
  const { status, arn, end } = state.execution;
  if (status === 'RUNNING') {
    const due = dueTimer(state);
    return due === undefined ? [] : [due];
  }
  if (status === 'SUCCEEDED' || !end) return [];
  const isOwner = universe.recordOf(world)?.['owner']?.['S'] === arn;
  // An operator may redrive any other one.
  const isAwaited = isOwner || (world.faults > 0 && !hasEndedByItself(universe, state));
  return isAwaited ? [end.at + universe.subject.workflow.stepMs] : [];
}

/** When a running execution goes on by itself; undefined where it waits for an answer. */
export function dueTimer({ execution, call, answer }: LocalState): number | undefined {
  const waits = execution.root?.waits;
  if (waits?.kind === 'timer') return waits.timer.due;
  // An answer that still comes, comes in time.
  if (waits?.kind === 'task' && !call && !answer) return waits.timeout?.due;
  return undefined;
}

// A run of the step does not outlast the timeout of its Task; other requests are made or lost by then.
function mayPass(universe: Universe, world: World, until: number): boolean {
  if (!world.lambdas.every(lambda => lambda.until > until)) return false;
  return world.executions.every(number => {
    const { call, execution } = universe.workflow.get(number);
    return !call || !isBusiness(call) || (stepEnd(universe, world, execution) ?? until + 1) > until;
  });
}

/**
 * When a run of the step ends at the latest that is under way, or is about to begin: as the function does, whatever the
 * Task says of its timeout. Undefined where it has none.
 */
export function stepEnd({ subject }: Universe, { skewMs }: World, { root }: Execution): number | undefined {
  const waits = root?.waits;
  if (waits?.kind !== 'task' || !waits.timeout) return undefined;
  const { stepMs, taskMs } = subject.workflow;
  return waits.timeout.due + stepMs - taskMs - 2 * skewMs;
}

/**
 * Until when a request that is given up now may be carried out. Like the run of a step it ends by the margin of the
 * step's timeout earlier than any clock sees the grace over: here by as much as two clocks differ.
 */
export function lateEnd({ subject }: Universe, { now, skewMs }: World): number {
  return now + subject.workflow.stepMs - 2 * skewMs;
}

function at(world: World, now: number): World {
  return { ...world, now, strays: world.strays.filter(({ until }) => until > now) };
}

/**
 * Faults: so much later that a dead owner cannot be redriven any more, or is not even known. Its step may run again:
 * even one that has succeeded, if nobody could say so for so long.
 */
export function ownerIsGone(universe: Universe, world: World): Step[] {
  const owner = deadOwnerOf(universe, world);
  if (!owner || !isQuiet(universe, world) || isFinished(universe, world)) return [];
  const past = { ...world.past, allowed: world.past.successes + 1 };
  const later = (name: string, until: number) =>
    until > world.now ? [silent(name, { ...at(world, until), faults: world.faults - 1, past })] : [];
  return [
    ...later('fortnight', owner.end.at + REDRIVABLE_MS),
    // From then on somebody else may get its name, and with it its ARN.
    ...later('forgotten', owner.end.at + KEPT_MS),
  ];
}

function deadOwnerOf(universe: Universe, world: World) {
  const owner = universe.recordOf(world)?.['owner']?.['S'];
  const executions = world.executions.map(number => universe.workflow.get(number).execution);
  const dead = executions.findLast(({ arn, end, status }) => arn === owner && end && status !== 'SUCCEEDED');
  return dead?.end ? { end: dead.end } : undefined;
}

/** A fault: the retention is nearly over. What begins now may meet the record before and after its expiry. */
export function recordIsAboutToExpire(universe: Universe, world: World): Step[] {
  const expiry = expiryOf(universe, world);
  const before = (expiry ?? 0) - MOMENT_MS;
  if (before <= world.now || !isQuietButForFinalizing(universe, world)) return [];
  return [silent('retention', { ...at(world, before), faults: world.faults - 1 })];
}

// Where the retention is shorter than an outage, an owner may still be trying to finish a record that it has finished.
function isQuietButForFinalizing(universe: Universe, world: World): boolean {
  const owner = universe.recordOf(world)?.['owner']?.['S'];
  const isFinalizing = (state: LocalState) =>
    state.execution.arn === owner && state.call?.resource === 'dynamodb:updateItem';
  const others = world.executions.filter(number => !isFinalizing(universe.workflow.get(number)));
  return isQuiet(universe, { ...world, executions: others });
}

/** DynamoDB deletes what has expired, at some time. */
export function expiredIsDeleted(universe: Universe, world: World): Step[] {
  const expiry = expiryOf(universe, world);
  if (expiry === undefined || expiry > world.now) return [];
  const empty = universe.numberOfTable({ keyName: '', items: new Map() });
  return [silent('ttl', { ...world, table: empty })];
}

/** When the record expires, epoch milliseconds; undefined for a record that never does. */
export function expiryOf(universe: Universe, world: World): number | undefined {
  const seconds = universe.recordOf(world)?.['expiry']?.['N'];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function isFinished(universe: Universe, world: World): boolean {
  return universe.recordOf(world)?.['status']?.['S'] !== 'IN_PROGRESS';
}

/** Executions whose timer is due. */
export function dueTimers(universe: Universe, world: World): number[] {
  return [...world.executions.keys()].filter(place => {
    const state = universe.workflow.get(world.executions[place] ?? -1);
    if (state.execution.status !== 'RUNNING' || placeOf(state) === '') return false;
    const due = dueTimer(state);
    return due !== undefined && due <= world.now && !isRunning(world, place);
  });
}

function isRunning({ lambdas }: World, place: number): boolean {
  return lambdas.some(({ execution, isAwaited }) => isAwaited && execution === place);
}
