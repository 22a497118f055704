import { DISPATCHER_STATE } from '../../state-machine/contract/state-names';
import { each } from '../concurrency';
import { isSameQueue } from './queue-address';
import { describeStateMachine, listStateMachines } from './state-machines';
import type { WorkflowAccess } from './workflow';

/** A dispatcher that stores what it could not start. */
export interface KeepingDispatcher {
  readonly arn: string;
  /** Whether it takes the records of a pipe or of a custom event bus, of which it makes the events itself. */
  readonly takesRecords: boolean;
}

/**
 * The dispatcher of this workflow that keeps in this queue what it could not start; undefined where none does. Every
 * Express state machine of the region is looked at.
 *
 * @throws Rejection where AWS does not answer
 */
export async function dispatcherKeepingIn(
  access: WorkflowAccess,
  queueUrl: string,
): Promise<KeepingDispatcher | undefined> {
  const arns = await expressMachines(access);
  const found = await each(arns, arn => keeping(access, arn, queueUrl));
  return found.find(dispatcher => dispatcher !== undefined);
}

async function keeping(
  access: WorkflowAccess,
  arn: string,
  queueUrl: string,
): Promise<KeepingDispatcher | undefined> {
  const states = await dispatcherStates(access, arn);
  const ofRecords = states?.[DISPATCHER_STATE.keepEach]?.ItemProcessor?.States;
  const kept = (ofRecords ?? states)?.[DISPATCHER_STATE.keepEvent]?.Arguments?.QueueUrl;
  const isKept = typeof kept === 'string' && isSameQueue(kept, queueUrl);
  return isKept ? { arn, takesRecords: ofRecords !== undefined } : undefined;
}

/** The ARNs of all dispatchers of this workflow. @throws Rejection where AWS does not answer */
export async function dispatchersOf(access: WorkflowAccess): Promise<readonly string[]> {
  const arns = await expressMachines(access);
  const found = await each(arns, async arn => ((await isDispatcher(access, arn)) ? arn : undefined));
  return found.filter(arn => arn !== undefined);
}

async function expressMachines({ aws }: WorkflowAccess): Promise<readonly string[]> {
  const machines = await listStateMachines(aws);
  return machines.flatMap(({ type, stateMachineArn }) =>
    type === 'EXPRESS' && stateMachineArn !== undefined ? [stateMachineArn] : [],
  );
}

/** Whether a state machine is a dispatcher of this workflow. @throws Rejection where AWS does not answer */
export async function isDispatcher(access: WorkflowAccess, arn: string): Promise<boolean> {
  return (await dispatcherStates(access, arn)) !== undefined;
}

type States = Readonly<
  Record<
    string,
    {
      readonly Arguments?: { readonly StateMachineArn?: unknown; readonly QueueUrl?: unknown };
      readonly ItemProcessor?: { readonly States?: States };
    }
  >
>;

/** The states of a dispatcher of this workflow; undefined for all other machines, and for one that is gone. */
async function dispatcherStates({ aws, workflow }: WorkflowAccess, arn: string): Promise<States | undefined> {
  const answer = await describeStateMachine(aws, arn, 'StateMachineDoesNotExist');
  if (answer === undefined) return undefined;
  const { States } = JSON.parse(answer.definition ?? '{}') as { readonly States?: States };
  // That of a pipe starts each record of a list.
  const ofOne = States?.[DISPATCHER_STATE.eachRecord]?.ItemProcessor?.States ?? States;
  const start = ofOne?.[DISPATCHER_STATE.start] ?? ofOne?.[DISPATCHER_STATE.run];
  const isOurs = start?.Arguments?.StateMachineArn === workflow.stateMachineArn;
  return isOurs ? States : undefined;
}
