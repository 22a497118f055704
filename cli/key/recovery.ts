import type { DescribeExecutionOutput, HistoryEvent } from '@aws-sdk/client-sfn';
import { MACHINE_RECOVERY_STATE, STATE } from '../../state-machine/contract/state-names';
import type { Aws } from '../aws/aws';
import { describe } from '../aws/executions';
import { describeStateMachine, listStateMachines } from '../aws/state-machines';
import type { WorkflowAccess } from '../aws/workflow';
import { each } from '../concurrency';
import { Refusal } from '../program/refusal';
import { visitsIn } from './history';
import type { JudgedKey } from './judge';
import { isUnfinished } from './record';

/** So many state machines are looked at for the recovery of a team's own one; beyond that none is named. */
const MACHINES_MAX = 200;

/** Who recovers executions of a key that ended without finishing it. */
export interface KeyRecovery {
  /** The name of its state machine. */
  readonly stateMachine: string;
  /** The execution of it that a delivery of the key has started last, for the present owner. */
  readonly execution: Pick<DescribeExecutionOutput, 'executionArn' | 'status' | 'error'> | undefined;
}

/**
 * The recovery of a key whose owner it acts on, or has acted on; undefined if there is none, or the credentials may not
 * look for that of a team's own state machine.
 *
 * Its execution is the one that a delivery has started, which the delivery's history names. Those that an event or the
 * search has started have names that no history of the key tells: to find one, all executions of recovery would have to
 * be listed and opened.
 */
export async function recoveryOf(
  access: WorkflowAccess,
  judged: JudgedKey,
  executions: readonly { readonly executionArn: string; readonly events: readonly HistoryEvent[] }[],
): Promise<KeyRecovery | undefined> {
  const { aws, workflow } = access;
  const { recoveryArn, prefix } = workflow;
  if (recoveryArn === undefined) {
    const stateMachine =
      prefix === '' || !hasEndedOwner(judged) ? undefined : await recoveryOfMachine(access);
    return stateMachine === undefined ? undefined : { stateMachine, execution: undefined };
  }
  const called = executions.flatMap(({ events }) => calledIn(events, judged.record?.owner)).at(-1);
  if (called === undefined && judged.nextRecovery === undefined) return undefined;
  const stateMachine = recoveryArn.split(':')[6] ?? recoveryArn;
  if (called === undefined) return { stateMachine, execution: undefined };
  const executionArn = `${recoveryArn.replace(':stateMachine:', ':execution:')}:${called}`;
  return { stateMachine, execution: await described(aws, executionArn) };
}

/** The names of the recoveries that an execution has started for this owner, or found started. */
function calledIn(events: readonly HistoryEvent[], owner: string | undefined): readonly string[] {
  return visitsIn(events, '').flatMap(({ name, isOurs, request }) => {
    if (!isOurs || name !== STATE.callRecovery || owner === undefined) return [];
    const { Name, Input } = (request ?? {}) as { readonly Name?: unknown; readonly Input?: unknown };
    const isOfOwner = typeof Input === 'string' && Input.includes(JSON.stringify(owner));
    return isOfOwner && typeof Name === 'string' ? [Name] : [];
  });
}

async function described(aws: Aws, executionArn: string): Promise<KeyRecovery['execution']> {
  try {
    const { status, error } = (await describe(aws, executionArn)) ?? {};
    return { executionArn, status, error };
  } catch (error) {
    if (error instanceof Refusal) return { executionArn, status: undefined, error: undefined };
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
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** True if the owner has ended and the record is unfinished: what recovery of a team's own state machine is for. */
function hasEndedOwner({ record, owner }: JudgedKey): boolean {
  return (
    record !== undefined && isUnfinished(record) && (owner.kind === 'dead' || owner.kind === 'mayStillWork')
  );
}
