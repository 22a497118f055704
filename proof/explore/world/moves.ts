import type { JobResult } from '../../../packages/local/runtime/service';
import type { TableOperation } from '../../../packages/local/services/dynamodb/table/operation';
import { payloadOf } from './events';
import { type Call, type LocalState, placeOf } from './local-state';
import type { Fact, Step } from './step';
import { describe, redrive, type Served, start } from './step-functions';
import { type Dispatcher, type Universe, type World, withExecution } from './world';

/** A world after a request was carried out. */
export interface CarriedOut extends Served {
  readonly facts: readonly Fact[];
}

/** The state of the execution at a place. */
export function stateAt(universe: Universe, world: World, place: number): LocalState {
  return universe.workflow.get(world.executions[place] ?? -1);
}

/** Whether a request can change something: only such a one matters when nobody waits for it any more. */
export function changes({ resource }: Call): boolean {
  return resource !== 'dynamodb:getItem' && resource !== 'aws-sdk:sfn:describeExecution';
}

/** Whether a call is the business step's. */
export function isBusiness({ resource }: Call): boolean {
  return resource === 'lambda:invoke';
}

/** Carries a request out, other than the business step's; nobody has its answer yet. `by` is the sender's place. */
export function carryOut(universe: Universe, world: World, call: Call, by: number): CarriedOut {
  const [service, operation] = call.resource.split(':');
  if (service === 'dynamodb') {
    const before = universe.recordOf(world);
    const { number, result } = universe.perform(world.table, operation as TableOperation, call);
    if (operation === 'getItem') {
      return { world, result, facts: [{ kind: 'read', seen: before, actual: before }] };
    }
    const isChanged = number !== world.table;
    const after = isChanged ? { ...world, table: number, tableBefore: universe.kept(world.table) } : world;
    const payload = payloadOf(stateAt(universe, world, by).execution.input.value);
    const fact: Fact = { kind: 'wrote', by, payload, call, before, after: universe.recordOf(after) };
    return { world: after, result, facts: [fact] };
  }
  switch (call.resource) {
    case 'aws-sdk:sfn:describeExecution':
      return { world, result: describe(universe, world, call), facts: [] };
    case 'aws-sdk:sfn:redriveExecution':
      return { ...redrive(universe, world, call), facts: [] };
    case 'states:startExecution':
      return { ...start(universe, world, call), facts: [] };
    case 'sqs:sendMessage':
      return { world, result: { kind: 'succeeded', output: {} }, facts: [] };
    default:
      throw new Error(`the exploration knows no ${call.resource}`);
  }
}

/** A run of the business step's function that begins; `until` is when it has ended at the latest. */
interface Invocation {
  readonly call: Call;
  readonly by: number;
  readonly until: number;
  /** False where its execution has ended meanwhile. */
  readonly isAwaited: boolean;
}

/**
 * What a read may also tell that is not strongly consistent: the record before the last write. Undefined for a call
 * that is no such read.
 */
export function readLate(universe: Universe, world: World, call: Call): CarriedOut | undefined {
  if (call.resource !== 'dynamodb:getItem' || call.arguments['ConsistentRead'] === true) return undefined;
  if (world.tableBefore === world.table) return undefined;
  const old = { ...world, table: world.tableBefore };
  const { result } = universe.perform(old.table, 'getItem', call);
  const fact: Fact = { kind: 'read', seen: universe.recordOf(old), actual: universe.recordOf(world) };
  return { world, result, facts: [fact] };
}

/** Begins a run of the business step's function. */
export function invoke(world: World, { call, by, until, isAwaited }: Invocation): Step {
  const payload = call.arguments['Payload'] as { readonly attempt: number; readonly input: never };
  const { attempt } = payload;
  const fact: Fact = { kind: 'invoked', by, attempt, payload: payloadOf(payload.input) };
  const lambdas = [...world.lambdas, { execution: by, attempt, until, isAwaited }];
  return { name: '', after: { ...world, lambdas }, facts: [fact] };
}

/** The world after a call's answer has come to its execution. */
export function arrive(universe: Universe, world: World, place: number, result: JobResult): Step {
  const number = universe.workflow.answered(
    world.executions[place] ?? -1,
    result,
    universe.clockOf(world, place),
  );
  return settle(universe, world, place, number);
}

/** The world with another state of an execution; tells when that is its end. */
export function settle(universe: Universe, world: World, place: number, number: number): Step {
  const hasEnded = universe.workflow.get(number).execution.status !== 'RUNNING';
  const facts: Fact[] = hasEnded ? [{ kind: 'ended', execution: place }] : [];
  return { name: '', after: withExecution(world, place, number), facts };
}

/** The request by which a dispatcher keeps an event that it cannot start. */
const KEEPING = 'sqs:sendMessage';

/** A dispatcher with its next state; one that has ended is gone. */
export function dispatched(universe: Universe, world: World, before: Dispatcher, after: Dispatcher): Step {
  const others = world.dispatchers.filter(other => other !== before);
  const status = universe.dispatcher?.get(after.state).execution.status;
  if (status === 'RUNNING')
    return { name: '', after: { ...world, dispatchers: [...others, after] }, facts: [] };
  const { delivery, isStarted } = after;
  const hasSucceeded = status === 'SUCCEEDED';
  // Where even the queue has not answered, to the last retry, nothing more can be done.
  const isKept = after.isKept || universe.dispatcher?.get(before.state).call?.resource === KEEPING;
  return {
    name: '',
    after: { ...world, dispatchers: others },
    facts: [{ kind: 'dispatched', delivery, hasSucceeded, isStarted, isKept }],
  };
}

/** Whether nothing goes on any more. */
export function isQuiet(universe: Universe, world: World): boolean {
  if (world.lambdas.length > 0 || world.dispatchers.length > 0 || world.strays.length > 0) return false;
  return world.executions.every(state => universe.workflow.get(state).execution.status !== 'RUNNING');
}

/** Whether an execution has ended in a state of its own choosing: a redrive only brings it there again. */
export function hasEndedByItself(universe: Universe, state: LocalState): boolean {
  const { definition } = universe.subject.workflow.machine;
  return definition.states.get(placeOf(state))?.kind === 'fail';
}
