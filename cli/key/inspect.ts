import { recordKey } from '../../state-machine/contract/index';
import { MACHINE_RECOVERY_STATE, STATE } from '../../state-machine/contract/state-names';
import { isInAccountOf } from '../arns';
import type { Aws } from '../aws/aws';
import { describe, historyOfDescribed } from '../aws/executions';
import { describeStateMachine, listStateMachines } from '../aws/state-machines';
import type { WorkflowAccess } from '../aws/workflow';
import { each } from '../concurrency';
import { Rejection } from '../program/rejection';
import { type AskedRange, rangeAt } from '../time-range';
import { findExecutions, type Search } from './find-executions';
import { type ExecutionHistory, historyIn } from './history';
import type { Key } from './input/key';
import { requireKeyOf, resolveKey } from './input/resolve-key';
import type { FoundExecutions, KeyRecovery, KeyState, OwnerState } from './key-state';
import { nothingKnown } from './nothing-known';
import { readRecord } from './read-record';
import { isHeld, isUnfinished, type KeyRecord } from './record';
import { readRecoveryRuns } from './recovery-runs';
import { readStoppedDeliveries, stoppedOfKey } from './stopped-deliveries';

/** Which executions are searched for those of a key. */
interface KeySearch extends Pick<Search, 'openedMax' | 'progress'> {
  readonly range: AskedRange;
  /** What to do if nothing is known of the key. @default - in the words of the command line */
  readonly remedy?: string;
}

/**
 * Reads all facts of the meant key, by the given one, with its executions within the search.
 *
 * @throws Rejection for a key that the workflow cannot have, or an unknown key; if AWS does not answer, or the item
 * under the key is not a record
 */
export async function readKnownKey(
  access: WorkflowAccess,
  named: Key,
  { range, remedy, ...bounds }: KeySearch,
): Promise<KeyState> {
  const { aws, workflow } = access;
  const key = await resolveKey(access, named);
  requireKeyOf(workflow, key);
  const state = await inspectKey(access, key, { ...bounds, ...rangeAt(aws.time.now(), range) });
  const isKnown = state.record !== undefined || (state.executions?.executions.length ?? 0) > 0;
  if (isKnown) return state;
  throw nothingKnown(state, remedy);
}

/**
 * Reads all facts of a key: its record and the record's owner. With a search also every execution of the key within its
 * bounds, with their histories, and who recovers them. Each is as it was at the moment of its reading.
 *
 * @throws Rejection if AWS does not answer, or the item under the key is not a record
 */
export async function inspectKey(access: WorkflowAccess, key: Key, search?: Search): Promise<KeyState> {
  const { aws, workflow } = access;
  const fullKey = recordKey(workflow.scope, key.text);
  const record = await readRecord(access, fullKey);
  const now = aws.time.now();
  const names = { text: key.text, recordKey: fullKey, owner: record?.owner };
  const isSearchable = search !== undefined && workflow.type === 'STANDARD';
  const executions = isSearchable ? await findExecutions(access, names, search) : undefined;
  const owner = record && (ownerAmong(executions, record) ?? (await readOwner(access, record)));
  const recoveryRuns = executions && (await readRecoveryRuns(access, { record, ...executions }));
  const stopped = isSearchable ? await readStoppedOf(access, key.text, search) : undefined;
  const state = { workflow, key, recordKey: fullKey, record, owner, executions, now, recoveryRuns, stopped };
  const recovery = search === undefined ? undefined : await readRecovery(access, state);
  return { ...state, recovery };
}

async function readStoppedOf(access: WorkflowAccess, text: string, { since, until = Infinity }: Search) {
  const all = await readStoppedDeliveries(access, { since, until });
  return all && stoppedOfKey(all, text);
}

/** The owner, if the search has found and read it. */
function ownerAmong(found: FoundExecutions | undefined, { owner }: KeyRecord): OwnerState | undefined {
  const execution = found?.executions.find(({ executionArn }) => executionArn === owner);
  if (execution === undefined) return undefined;
  return { isExpress: false, description: execution.description, history: execution.history };
}

/**
 * What Step Functions knows of a record's owner now. The history is read only of an ended owner whose record waits for
 * something: that is where it matters at which state the owner stopped.
 *
 * @throws Rejection
 */
async function readOwner({ aws, workflow }: WorkflowAccess, record: KeyRecord): Promise<OwnerState> {
  const { owner } = record;
  const isAskable = isInAccountOf(owner, workflow.stateMachineArn);
  const isExpress = isAskable && owner.split(':')[5] === 'express';
  if (!isAskable || isExpress) return { isExpress, description: undefined, history: undefined };
  const description = await describe(aws, owner);
  const isWaiting = isUnfinished(record) || isHeld(record, workflow);
  const isRead = description !== undefined && hasEndedBadly(description) && isWaiting;
  const events = isRead ? await historyOfDescribed(aws, description) : undefined;
  return { isExpress, description, history: events && historyIn(events, workflow.prefix) };
}

function hasEndedBadly(description: OwnerState['description']): boolean {
  return /^(?:FAILED|ABORTED|TIMED_OUT)$/.test(description?.status ?? '');
}

/** So many state machines are checked for the recovery of a team's own one; beyond that none is named. */
const MACHINES_MAX = 200;

/**
 * The recovery of a key's executions; undefined if there is none. That of a team's own state machine is searched only
 * if it acts on the owner, which has ended with an unfinished record, and if the credentials may search it.
 *
 * Its execution is the one that a delivery has started, which the delivery's history names. Recoveries that an event or
 * the search has started have names that no history of the key shows. To find one, the command would have to list and
 * open all executions of recovery.
 */
async function readRecovery(
  access: WorkflowAccess,
  { record, owner, executions }: Pick<KeyState, 'record' | 'owner' | 'executions'>,
): Promise<KeyRecovery | undefined> {
  const { aws, workflow } = access;
  const { recoveryArn, prefix } = workflow;
  if (recoveryArn === undefined) {
    const acts = record && isUnfinished(record) && hasEndedBadly(owner?.description);
    const stateMachine = prefix !== '' && acts ? await recoveryOfMachine(access) : undefined;
    return stateMachine === undefined ? undefined : { stateMachine, execution: undefined };
  }
  const stateMachine = recoveryArn.split(':')[6] ?? recoveryArn;
  const called = executions?.executions.flatMap(({ history }) => calledIn(history, record?.owner)).at(-1);
  if (called === undefined) return { stateMachine, execution: undefined };
  const executionArn = `${recoveryArn.replace(':stateMachine:', ':execution:')}:${called}`;
  return { stateMachine, execution: await readRecoveryExecution(aws, executionArn) };
}

/** The names of the recoveries that an execution has started for this owner, or found started. */
function calledIn({ visits }: ExecutionHistory, owner: string | undefined): readonly string[] {
  return visits.flatMap(({ name, isOurs, request }) => {
    if (!isOurs || name !== STATE.callRecovery || owner === undefined) return [];
    const { Name, Input } = (request ?? {}) as { readonly Name?: unknown; readonly Input?: unknown };
    const isOfOwner = typeof Input === 'string' && Input.includes(JSON.stringify(owner));
    return isOfOwner && typeof Name === 'string' ? [Name] : [];
  });
}

/** An execution of recovery; without its status if AWS does not return it. */
async function readRecoveryExecution(aws: Aws, executionArn: string): Promise<KeyRecovery['execution']> {
  try {
    const { status, error } = (await describe(aws, executionArn)) ?? {};
    return { executionArn, status, error };
  } catch (error) {
    if (error instanceof Rejection) return { executionArn, status: undefined, error: undefined };
    throw error;
  }
}

/** The name of the state machine that recovers executions of a team's own one, which no definition names. */
async function recoveryOfMachine({ aws, workflow }: WorkflowAccess): Promise<string | undefined> {
  try {
    const machines = await listStateMachines(aws, MACHINES_MAX);
    const standard = machines.filter(({ type }) => type === 'STANDARD');
    const found = await each(standard, async ({ name = '', stateMachineArn = '' }) => {
      const described = await describeStateMachine(aws, stateMachineArn, 'StateMachineDoesNotExist');
      const definition = described?.definition ?? '';
      const contains = (text: string) => definition.includes(JSON.stringify(text));
      const isIts = contains(workflow.stateMachineArn) && contains(MACHINE_RECOVERY_STATE.whereDidItFail);
      return isIts ? name : undefined;
    });
    return found.find(name => name !== undefined);
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}
