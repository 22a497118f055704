import { DescribeStateMachineCommand, ListStateMachinesCommand } from '@aws-sdk/client-sfn';
import { ERROR } from '../../state-machine/contract/index';
import { MACHINE_RECOVERY_STATE, RECOVERY_STATE } from '../../state-machine/contract/state-names';
import { type Aws, answerOf } from '../aws/aws';
import { each } from '../aws/executions';
import type { WorkflowAccess } from '../aws/workflow';
import { Refusal } from '../program/refusal';
import { dateTime } from '../text';
import type { JudgedKey } from './judge';
import { isUnfinished } from './record';

/** So many state machines are looked at; beyond that nobody is told of a recovery. */
const MACHINES_MAX = 200;

/** States that recovery alone has, of a workflow and of a team's own state machine. */
const ITS_STATES = [RECOVERY_STATE.isUndone, MACHINE_RECOVERY_STATE.whereDidItFail];

/**
 * The name of the state machine that recovers executions of the workflow, where the key has an owner that it would act
 * on; undefined where there is none, or the credentials may not look for it.
 */
export async function recoveryFor(access: WorkflowAccess, judged: JudgedKey): Promise<string | undefined> {
  if (!mayActOn(judged)) return undefined;
  const { aws, workflow } = access;
  try {
    const request = new ListStateMachinesCommand({ maxResults: MACHINES_MAX });
    const sent = aws.sfn.send(request, { abortSignal: aws.signal });
    const { stateMachines = [] } = (await answerOf(aws, 'ListStateMachines', 'this account', sent)) ?? {};
    const standard = stateMachines.filter(({ type }) => type === 'STANDARD');
    const found = await each(standard, async ({ name = '', stateMachineArn = '' }) => {
      const definition = await definitionOf(aws, stateMachineArn);
      const isOfWorkflow = definition.includes(JSON.stringify(workflow.stateMachineArn));
      return isOfWorkflow && ITS_STATES.some(state => definition.includes(JSON.stringify(state)))
        ? name
        : undefined;
    });
    return found.find(name => name !== undefined);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

async function definitionOf(aws: Aws, stateMachineArn: string): Promise<string> {
  const request = new DescribeStateMachineCommand({ stateMachineArn });
  const sent = aws.sfn.send(request, { abortSignal: aws.signal });
  const subject = `state machine ${stateMachineArn}`;
  const answer = await answerOf(aws, 'DescribeStateMachine', subject, sent, 'StateMachineDoesNotExist');
  return answer?.definition ?? '';
}

/** Whether the owner has ended, and the record has not: what recovery is for. */
function mayActOn({ record, owner }: JudgedKey): boolean {
  return (
    record !== undefined && isUnfinished(record) && (owner.kind === 'dead' || owner.kind === 'mayStillWork')
  );
}

/** What recovery does about the owner, and when: a fact of the key, where there is recovery. */
export function recoveryFacts(
  { owner }: Pick<JudgedKey, 'owner'>,
  recovery: string | undefined,
): readonly (readonly [string, string])[] {
  if (recovery === undefined || (owner.kind !== 'dead' && owner.kind !== 'mayStillWork')) return [];
  if (owner.error === ERROR.stopped) {
    return [['recovery', `${recovery} leaves the owner alone: it was stopped for good`]];
  }
  const delivers = `${recovery} delivers the input of the owner again`;
  const when =
    owner.kind === 'mayStillWork'
      ? `some ten seconds after ${dateTime(owner.until)}`
      : 'some ten seconds after its step has had its time, then after a minute, two, four, up to an hour';
  return [['recovery', `${delivers} ${when}`]];
}
