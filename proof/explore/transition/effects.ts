import { isDeepStrictEqual } from 'node:util';
import { operationOf } from '../../../packages/local/explore/kernel/index';
import { isJsonObject, type JsonObject } from '../../../packages/local/json/json';
import type { JobResult } from '../../../packages/local/runtime/calls/service';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import { executionOf, itemIndexOf } from '../model/entries';
import { type Call, currentState, type ExecutionState, isInStep, leafOf } from '../model/execution-state';
import type { ExecutionStates } from '../model/execution-states';
import { hasState } from '../model/explored-machine';
import { payloadOf, recordOf } from '../model/inputs';
import {
  type Dispatcher,
  type ModelState,
  numberAt,
  type Recovery,
  withExecution,
} from '../model/model-state';
import { executionAt, type StateSpace } from '../model/state-space';
import { calledFor, startRecovery } from './recovery-start';
import { runs } from './runs';
import { getObject, putObject } from './s3';
import type { Fact, Step } from './step';
import {
  describe,
  historyOf,
  indexOfArn,
  indexOfDeleted,
  redrive,
  redriveByFunction,
  type Served,
  start,
} from './step-functions';
import { type Asker, missingTarget } from './targets';

/** The model after a request was carried out. */
export interface CarriedOut extends Served {
  readonly facts: readonly Fact[];
}

const READS = [
  'dynamodb:getItem',
  'aws-sdk:sfn:describeExecution',
  'aws-sdk:sfn:getExecutionHistory',
  'aws-sdk:s3:getObject',
];

/** Whether a request can change something: only such a request matters without a caller that waits. */
export function changes({ resource }: Call): boolean {
  return !READS.includes(resource);
}

/** Whether a call is the business step's: the only other function is the one that redrives. */
export function isBusiness({ resource, stateName }: Pick<Call, 'resource' | 'stateName'>): boolean {
  return resource === 'lambda:invoke' && !REDRIVE.test(stateName);
}

/** The state that redrives an owner; in a fragment its name has a prefix. */
const REDRIVE = /(?:^|: )Redrive the owner$/;

/** In place of an index: recovery, or a dispatcher, has sent the request. */
export const BY_RECOVERY = -1;

/** Carries a request out, except the business step's; its answer is not delivered yet. `by` is the sender's index. */
export function carryOut(
  space: StateSpace,
  model: ModelState,
  call: Call,
  by: number,
  of: Asker = 'workflow',
): CarriedOut {
  const missing = missingTarget(space, of, call);
  if (missing) return { model, result: missing, facts: [] };
  const operation = operationOf(call.resource);
  if (operation !== undefined) {
    const before = space.recordOf(model);
    const { number, result } = space.perform(model.table, call);
    if (operation === 'getItem') {
      return { model, result, facts: [{ kind: 'read', seen: before, actual: before }] };
    }
    const isChanged = number !== model.table;
    const after = isChanged
      ? { ...model, table: number, tableBefore: space.asTableBefore(model.table) }
      : model;
    const payload =
      by === BY_RECOVERY
        ? (model.past.payload ?? 0)
        : payloadOf(executionAt(space, model, by).execution.input.value);
    const written = space.recordOf(after);
    const owner = ownerOf(space, model, written);
    const end = owner === undefined ? null : executionAt(space, model, owner).execution.end;
    const ownersOutput = end?.output?.text;
    const fact = { kind: 'wrote' as const, by, payload, call, before, after: written, owner, ownersOutput };
    const isClaim = isChanged && isClaimIn(space, model, by, written);
    const isOwnEnd = by !== BY_RECOVERY && isEndOf(space, model, by, written);
    const more = { ...(isClaim && { isClaim }), ...(isOwnEnd && { isOwnEnd }) };
    return { model: after, result, facts: [isClaim || isOwnEnd ? { ...fact, ...more } : fact] };
  }
  switch (call.resource) {
    case 'aws-sdk:sfn:describeExecution':
      return { model, result: describe(space, model, call), facts: [] };
    case 'aws-sdk:sfn:getExecutionHistory':
      return { model, result: historyOf(space, model, call), facts: [] };
    case 'aws-sdk:sfn:redriveExecution':
      return withRedrive(space, model, redrive(space, model, call.arguments));
    case 'lambda:invoke':
      return withRedrive(space, model, redriveByFunction(space, model, call));
    case 'states:startExecution':
    case 'aws-sdk:sfn:startSyncExecution':
      return { ...start(space, model, call), facts: [] };
    case 'aws-sdk:sfn:startExecution':
      return {
        ...startRecovery(space, model, call),
        facts: [{ kind: 'called', by, owner: calledFor(call) }],
      };
    case 'aws-sdk:s3:putObject':
      return { ...putObject(space, model, call), facts: [] };
    case 'aws-sdk:s3:getObject':
      return { ...getObject(space, model, call), facts: [] };
    case 'sqs:sendMessage':
      return { model, result: { kind: 'succeeded', output: {} }, facts: sentBy(space, model, call, by) };
    default:
      throw new Error(`the exploration knows no ${call.resource}`);
  }
}

function withRedrive(space: StateSpace, before: ModelState, served: Served): CarriedOut {
  const facts = served.model.executions.flatMap((number, execution): Fact[] => {
    if (number === before.executions[execution]) return [];
    return [{ kind: 'redriven', execution, redrives: space.workflow.get(number).execution.redriveCount }];
  });
  return { ...served, facts };
}

// A dispatcher sends to a queue of its own; a dispatcher is not an execution, so it has no number.
function sentBy(space: StateSpace, model: ModelState, call: Call, by: number): Fact[] {
  return by < 0 ? [] : [sent(space, model, call, { by })];
}

/** The messages to a destination, by an execution or a recovery. */
export function sent(
  space: StateSpace,
  model: ModelState,
  { arguments: { MessageBody: body = null } }: Call,
  sender: { readonly by: number; readonly recovery?: Recovery },
): Fact {
  const notice = isJsonObject(body) ? body : {};
  return { kind: 'sent', ...sender, notice, record: space.recordOf(model) };
}

// Whose ends are sent, sends them when the record says so.
function isEndOf(space: StateSpace, model: ModelState, by: number, written: Item | undefined): boolean {
  const { sendsFailures, sendsResults } = space.subject.workflow.traits;
  if (!written || !(sendsFailures || sendsResults)) return false;
  const isEnd = ['COMPLETED', 'FAILED', 'HELD'].includes(String(written['status']?.['S']));
  return isEnd && written['owner']?.['S'] === executionAt(space, model, by).execution.arn;
}

// The execution that has finished a record still owns it: only a claim, or a takeover, leaves it unfinished.
function isClaimIn(space: StateSpace, model: ModelState, by: number, written: Item | undefined): boolean {
  if (!space.subject.workflow.traits.isFragment || written?.['status']?.['S'] !== 'IN_PROGRESS') return false;
  if (by === BY_RECOVERY) return false;
  return written['owner']?.['S'] === executionAt(space, model, by).execution.arn;
}

/** The entry that owns a record: of one ARN that which has made it the owner. Undefined if it is unknown. */
function ownerOf(space: StateSpace, model: ModelState, record: Item | undefined): number | undefined {
  const arn = record?.['owner']?.['S'];
  const index = indexOfArn(space, model, arn) ?? indexOfDeleted(space, model, arn);
  const { claimant } = model.past;
  return claimant !== undefined && executionOf(claimant) === index ? claimant : index;
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
 * What a read may also answer that is not strongly consistent: the record before the last write. Undefined for a call
 * that is not such a read.
 */
export function readLate(space: StateSpace, model: ModelState, call: Call): CarriedOut | undefined {
  if (call.resource !== 'dynamodb:getItem' || call.arguments['ConsistentRead'] === true) return undefined;
  if (model.tableBefore === model.table) return undefined;
  const old = { ...model, table: model.tableBefore };
  const { result } = space.perform(old.table, call);
  const fact: Fact = { kind: 'read', seen: space.recordOf(old), actual: space.recordOf(model) };
  return { model, result, facts: [fact] };
}

/** Begins a run of the business step's function. */
export function invoke(space: StateSpace, model: ModelState, invocation: Invocation): Step {
  const { call, by, until, isAwaited } = invocation;
  const given = call.arguments['Payload'] as JsonObject & { readonly attempt: number };
  const { attempt, input = null } = given;
  const redrives = executionAt(space, model, by).execution.redriveCount;
  const isOfRetriedChain = space.subject.workflow.traits.chainRetries > 0;
  const fact: Fact = {
    kind: 'invoked',
    by,
    attempt,
    payload: payloadOf(input),
    given,
    redrives,
    ...(isOfRetriedChain && { isOfRetriedChain }),
  };
  const lambdas = [...model.lambdas, { execution: by, attempt, until, isAwaited }];
  return { name: '', after: { ...model, lambdas }, facts: [fact] };
}

/** The model after a call's answer has come to its execution. */
export function arrive(space: StateSpace, model: ModelState, index: number, result: JobResult): Step {
  const now = space.clockOf(model, index);
  const number = space.workflow.answered(numberAt(model, index), result, now, itemIndexOf(index));
  return withFacts(told(space, model, index, result), moveTo(space, model, index, number));
}

/** The model after a call was answered with this error again and again, until no retry was left. */
export function wornOut(space: StateSpace, model: ModelState, index: number, error: string): Step {
  const [number, itemIndex] = [numberAt(model, index), itemIndexOf(index)];
  const worn = space.workflow.exhausted(number, error, model.now, itemIndex);
  const facts: Fact[] = [
    ...told(space, model, index, { kind: 'failed', error, cause: '' }),
    { kind: 'wornOut', of: 'workflow', number, itemIndex, error },
  ];
  return withFacts(facts, moveTo(space, model, index, worn));
}

/** The news in the answer to an entry: an error, and how its step has ended. */
export function told(space: StateSpace, model: ModelState, index: number, result: JobResult): Fact[] {
  const isOfStep = isInStep(executionAt(space, model, index).execution);
  const error = result.kind === 'failed' ? result.error : undefined;
  return isOfStep || error !== undefined ? [{ kind: 'told', execution: index, error, isOfStep }] : [];
}

/** The step with these facts before its own. */
export function withFacts(facts: readonly Fact[], step: Step): Step {
  return facts.length === 0 ? step : { ...step, facts: [...facts, ...step.facts] };
}

/** The model with another state of an entry's execution; a fact says when that is the entry's end. */
export function moveTo(space: StateSpace, model: ModelState, index: number, number: number): Step {
  const state = space.workflow.entry(number, itemIndexOf(index));
  const hasEnded = state.execution.status !== 'RUNNING';
  const facts: Fact[] = hasEnded ? [endOf(space, model, index, state)] : waitOf(state, index);
  return { name: '', after: withExecution(model, index, number), facts };
}

/**
 * The end of an entry. If its machine continues without its record, a takeover runs the step again: the machine caught
 * an error as a failure of the step that was none.
 */
function endOf(space: StateSpace, model: ModelState, index: number, state: ExecutionState): Fact {
  const { execution } = state;
  const record = space.recordOf(model);
  const isUnfinished = record?.['status']?.['S'] === 'IN_PROGRESS' && ownerOf(space, model, record) === index;
  const hasGoneOn = execution.status === 'FAILED' && space.subject.workflow.traits.isFragment;
  const isFinal = execution.status === 'SUCCEEDED' || hasGoneOn || hasEndedByItself(space, state);
  const ended = { kind: 'ended' as const, execution: index, ...(isFinal && { isFinal }) };
  return isUnfinished && hasGoneOn ? { ...ended, isLeft: true } : ended;
}

function waitOf({ execution }: ExecutionState, index: number): Fact[] {
  const leaf = leafOf(execution);
  if (leaf?.state !== 'Wait for the owner' || leaf.waits?.kind !== 'timer') return [];
  const { redriveCount: redrives } = execution;
  return [{ kind: 'waits', execution: index, redrives, due: leaf.waits.timer.due }];
}

/** The request by which a dispatcher sends an event that it cannot start to the dead-letter queue. */
const DEAD_LETTER = 'sqs:sendMessage';

/** A dispatcher with its next state; one that has ended is gone. */
export function dispatched(
  space: StateSpace,
  model: ModelState,
  before: Dispatcher,
  after: Dispatcher,
): Step {
  const others = model.dispatchers.filter(other => other !== before);
  const machine = space.dispatcher;
  const status = space.dispatcher?.get(after.state).execution.status;
  if (status === 'RUNNING')
    return { name: '', after: { ...model, dispatchers: [...others, after] }, facts: [] };
  const { delivery, isStarted } = after;
  const hasSucceeded = status === 'SUCCEEDED';
  if (machine && takesList(machine)) {
    const isKept = isEventKept(machine, after);
    return {
      name: '',
      after: hasSucceeded ? { ...model, dispatchers: others } : listComesAgain(machine, model, before),
      facts: [
        { kind: 'dispatched', delivery, hasSucceeded, isStarted, isDeadLettered: isKept, isOfList: true },
      ],
    };
  }
  // If even the queue has not answered, to the last retry, nothing more can be done.
  const isDeadLettered =
    after.isDeadLettered || space.dispatcher?.get(before.state).call?.resource === DEAD_LETTER;
  return {
    name: '',
    after: { ...model, dispatchers: others },
    facts: [{ kind: 'dispatched', delivery, hasSucceeded, isStarted, isDeadLettered }],
  };
}

/** Whether a dispatcher takes a list: its machine has the states for one event of it. */
export function takesList({ explored }: ExecutionStates): boolean {
  return hasState(explored.json, 'Take the record');
}

/** Whether a dispatcher of a list has ended with its event, as it came, to be kept. */
function isEventKept(machine: ExecutionStates, { state }: Dispatcher): boolean {
  const { end, input } = machine.get(state).execution;
  const output = end?.output?.value ?? null;
  const { record } = input.value as JsonObject;
  return isJsonObject(output) && isDeepStrictEqual(output['malformed'], record);
}

/** The model in which a list comes again: all of it that is under way, as if it had just come. */
export function listComesAgain(machine: ExecutionStates, model: ModelState, of: Dispatcher): ModelState {
  const list = machine.get(of.state).execution.name;
  const dispatchers = model.dispatchers.map(other => comesAgain(machine, other, list, model.now));
  return { ...model, dispatchers };
}

/** More than a list has events. */
const PLACES = 10;

function comesAgain(machine: ExecutionStates, other: Dispatcher, list: string, now: number): Dispatcher {
  const { name, input } = machine.get(other.state).execution;
  if (name !== list) return other;
  const { record = null, place } = input.value as JsonObject;
  // A start has another name then, which contains the place. A run has no name.
  const again = recordOf(record, Number(place) + (runs(machine) ? 0 : PLACES));
  return {
    ...other,
    state: machine.started({ name, input: again, now }),
    isStarted: false,
    isDeadLettered: false,
  };
}

/** Whether nothing goes on any more. */
export function isQuiet(space: StateSpace, model: ModelState): boolean {
  if (model.lambdas.length > 0 || model.dispatchers.length > 0 || model.orphans.length > 0) return false;
  if (model.requests.some(({ state }) => space.frontDoor?.get(state).execution.status === 'RUNNING'))
    return false;
  return model.executions.every(state => space.workflow.get(state).execution.status !== 'RUNNING');
}

/** Whether an execution has ended in a state of its own choosing: a redrive only brings it there again. */
export function hasEndedByItself(space: StateSpace, state: ExecutionState): boolean {
  const { definition } = space.subject.workflow.machine;
  return definition.states.get(currentState(state))?.kind === 'fail';
}
