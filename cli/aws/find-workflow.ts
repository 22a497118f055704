import {
  type DescribeStateMachineOutput,
  ListTagsForResourceCommand,
  type StateMachineListItem,
} from '@aws-sdk/client-sfn';
import { each } from '../concurrency';
import { scopesIn } from '../definition/claims';
import { EXIT } from '../program/exit';
import { Rejection } from '../program/rejection';
import { type Aws, answerOf } from './aws';
import { listStateMachines } from './state-machines';
import { describeUnqualified, type Overrides, type Workflow, workflowIn } from './workflow';

/** So many state machines are looked at to find the one that is meant. */
const MACHINES_MAX = 200;

/** What the command line says of where the workflow is. */
export interface WorkflowSelector {
  /** An ARN, a name, or the id of the workflow's construct. */
  readonly stateMachine: string | undefined;
  readonly stack: string | undefined;
  /** Chooses among several workflows; where there is only one, it is that one whatever its scope. */
  readonly scope: string | undefined;
}

interface Candidate {
  readonly described: DescribeStateMachineOutput;
  readonly name: string;
  readonly scopes: readonly (string | undefined)[];
}

/** The workflow that is meant. @throws Rejection where there is none, or several */
export async function workflowFor(
  aws: Aws,
  selector: WorkflowSelector,
  overrides: Overrides,
): Promise<Workflow> {
  return workflowIn(aws, await resolveStateMachine(aws, selector), overrides);
}

/**
 * The description by Step Functions of the named state machine. The name is its ARN or name, the id of the workflow's
 * construct, the scope, or absent for the only workflow of the stack, or of the region.
 *
 * @throws Rejection where there is none, or several
 */
export async function resolveStateMachine(
  aws: Aws,
  selector: WorkflowSelector,
): Promise<DescribeStateMachineOutput> {
  const { stateMachine, stack, scope } = selector;
  if (stateMachine?.startsWith('arn:')) return describeUnqualified(aws, stateMachine);
  const machines = await fewStateMachines(aws);
  const named = machines.find(({ name }) => name === stateMachine);
  if (stateMachine !== undefined && named?.stateMachineArn !== undefined)
    return describeUnqualified(aws, named.stateMachineArn);
  const listed = stack === undefined ? machines : await inStack(aws, machines, stack);
  // Names made from the construct's id spare the look at all others.
  const likely = listed.filter(({ name = '' }) => isNamedAfter(name, stateMachine ?? ''));
  const workflows = (
    await each(likely.length > 0 ? likely : listed, machine => candidateOf(aws, machine))
  ).filter(({ scopes }) => scopes.length > 0);
  const found = chosen(workflows, stateMachine, scope);
  const [only, other] = found;
  if (only === undefined) throw nothingFound(workflows, selector);
  if (other === undefined) return only.described;
  // Those of two stacks may have one scope, such as those that a stack of another name has left.
  const orStack = selector.stack === undefined ? ', --stack' : '';
  throw new Rejection(
    `${whereOf(selector)} has several workflows. Select one with --state-machine${orStack} or --scope: ${namesOf(found)}`,
    EXIT.usage,
  );
}

/** The state machines of all workflows that the selector leaves: of a stack, or of the region. @throws Rejection */
export async function listWorkflows(
  aws: Aws,
  { stack, stateMachine }: WorkflowSelector,
): Promise<readonly DescribeStateMachineOutput[]> {
  // Without a permission to list state machines, one is named.
  if (stateMachine?.startsWith('arn:')) return [await describeUnqualified(aws, stateMachine)];
  const machines = (await fewStateMachines(aws)).filter(
    ({ name = '' }) =>
      stateMachine === undefined || name === stateMachine || isNamedAfter(name, stateMachine),
  );
  const listed = stack === undefined ? machines : await inStack(aws, machines, stack);
  const candidates = await each(listed, machine => candidateOf(aws, machine));
  return candidates.filter(({ scopes }) => scopes.length > 0).map(({ described }) => described);
}

function chosen(
  workflows: readonly Candidate[],
  stateMachine: string | undefined,
  scope: string | undefined,
): readonly Candidate[] {
  if (stateMachine !== undefined) {
    return workflows.filter(
      ({ name, scopes }) => scopes.includes(stateMachine) || isNamedAfter(name, stateMachine),
    );
  }
  if (scope === undefined || workflows.length < 2) return workflows;
  return workflows.filter(({ scopes }) => scopes.includes(scope));
}

/** Whether CloudFormation, or a local stack, made this name from the logical id of a construct with this id. */
export function isNamedAfter(name: string, constructId: string): boolean {
  const id = constructId.replace(/[^A-Za-z0-9]/g, '');
  return id !== '' && new RegExp(`(?:^|-)${id}(?:StateMachine)?[0-9A-F]{8}(?:-|$)`).test(name);
}

function nothingFound(workflows: readonly Candidate[], selector: WorkflowSelector): Rejection {
  const { stateMachine, scope } = selector;
  const where = whereOf(selector);
  if (workflows.length === 0 && stateMachine === undefined) {
    return new Rejection(
      `${where} has no workflow of onceflow. Check AWS_REGION and AWS_PROFILE, or pass --state-machine ARN`,
    );
  }
  const known = workflows.length === 0 ? '' : `. The workflows are ${namesOf(workflows)}`;
  return stateMachine === undefined
    ? new Rejection(`${where} has no workflow with the scope ${scope}. Check --scope${known}`)
    : new Rejection(
        `there is no state machine ${stateMachine} in ${where}, and no workflow with this construct id. ` +
          `Check --state-machine and AWS_REGION${known}`,
      );
}

function whereOf({ stack }: WorkflowSelector): string {
  return stack === undefined ? 'this region and account' : `the stack ${stack}`;
}

/** The names, each with its scope where that is another word. */
function namesOf(workflows: readonly Candidate[]): string {
  return workflows
    .map(({ name, scopes }) => {
      const known = scopes.filter(scope => scope !== undefined && scope !== name);
      return known.length === 0 ? name : `${name} (scope ${known.join(', ')})`;
    })
    .join(', ');
}

/** All state machines of the region, if they are few enough to look at. @throws Rejection */
async function fewStateMachines(aws: Aws): Promise<readonly StateMachineListItem[]> {
  const machines = await listStateMachines(aws, MACHINES_MAX + 1);
  if (machines.length <= MACHINES_MAX) return machines;
  throw new Rejection(
    `this region has more than ${MACHINES_MAX} state machines. Select one with --state-machine ARN`,
    EXIT.usage,
  );
}

// A local stack's machines have its name in front; on AWS, CloudFormation tags what it makes.
async function inStack(aws: Aws, machines: readonly StateMachineListItem[], stack: string) {
  const byName = machines.filter(({ name }) => name?.startsWith(`${stack}-`));
  if (byName.length > 0) return byName;
  const tagged = await each(machines, async machine => {
    const request = new ListTagsForResourceCommand({ resourceArn: machine.stateMachineArn });
    const sent = aws.sfn.send(request, { abortSignal: aws.signal });
    const answer = await answerOf(aws, 'ListTagsForResource', `state machine ${machine.name}`, sent);
    const isOfStack = answer?.tags?.some(
      ({ key, value }) => key === 'aws:cloudformation:stack-name' && value === stack,
    );
    return isOfStack ? machine : undefined;
  });
  return tagged.filter(machine => machine !== undefined);
}

async function candidateOf(
  aws: Aws,
  { stateMachineArn = '', name = '' }: StateMachineListItem,
): Promise<Candidate> {
  const described = await describeUnqualified(aws, stateMachineArn);
  return { described, name, scopes: scopesIn(described.definition ?? '') };
}
