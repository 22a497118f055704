import {
  DescribeStateMachineCommand,
  ListStateMachinesCommand,
  ListTagsForResourceCommand,
  type StateMachineListItem,
} from '@aws-sdk/client-sfn';
import { type Aws, answerOf } from './aws/aws';
import { each } from './aws/executions';
import { EXIT } from './program/exit';
import { Refusal } from './refusal';
import { isWorkflow } from './workflow';

/** So many state machines are looked at to find the one that is meant. */
const MACHINES_MAX = 200;

/** What the command line says of the state machine. */
export interface Meant {
  /** An ARN, or a name. */
  readonly stateMachine: string | undefined;
  readonly stack: string | undefined;
}

/**
 * The ARN of the state machine that is meant: the one that is named, or the only workflow of the stack, or of the
 * region.
 *
 * @throws Refusal where there is none, or several
 */
export async function stateMachineMeant(aws: Aws, { stateMachine, stack }: Meant): Promise<string> {
  if (stateMachine?.startsWith('arn:')) return stateMachine;
  const machines = await stateMachines(aws);
  if (stateMachine !== undefined) return named(machines, stateMachine);
  const place = stack === undefined ? 'this region and account' : `the stack ${stack}`;
  const candidates = stack === undefined ? machines : await inStack(aws, machines, stack);
  const looked = await each(candidates, async machine =>
    (await isOurs(aws, machine)) ? machine : undefined,
  );
  const found = looked.filter(machine => machine !== undefined);
  const [only, other] = found;
  if (only?.stateMachineArn !== undefined && other === undefined) return only.stateMachineArn;
  const names = found.map(({ name }) => name).join(', ');
  throw new Refusal(
    only === undefined
      ? `${place} has no workflow of onceflow; check AWS_REGION and AWS_PROFILE, or pass --state-machine ARN`
      : `${place} has several workflows; say which with --state-machine: ${names}`,
    only === undefined ? EXIT.failed : EXIT.usage,
  );
}

async function stateMachines(aws: Aws): Promise<readonly StateMachineListItem[]> {
  const machines: StateMachineListItem[] = [];
  let nextToken: string | undefined;
  do {
    const request = new ListStateMachinesCommand({ maxResults: 1000, nextToken });
    const sent = aws.sfn.send(request, { abortSignal: aws.signal });
    const page = await answerOf(aws, 'ListStateMachines', 'this account', sent);
    machines.push(...(page?.stateMachines ?? []));
    nextToken = page?.nextToken;
  } while (nextToken !== undefined && machines.length < MACHINES_MAX);
  if (machines.length <= MACHINES_MAX) return machines;
  throw new Refusal(
    `there are more than ${MACHINES_MAX} state machines here; say which is meant with --state-machine ARN`,
    EXIT.usage,
  );
}

function named(machines: readonly StateMachineListItem[], name: string): string {
  const arn = machines.find(machine => machine.name === name)?.stateMachineArn;
  if (arn !== undefined) return arn;
  throw new Refusal(
    `there is no state machine ${name} in this region and account; check --state-machine, AWS_REGION`,
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

async function isOurs(aws: Aws, { stateMachineArn, name }: StateMachineListItem): Promise<boolean> {
  const request = new DescribeStateMachineCommand({ stateMachineArn });
  const sent = aws.sfn.send(request, { abortSignal: aws.signal });
  const answer = await answerOf(aws, 'DescribeStateMachine', `state machine ${name}`, sent);
  return isWorkflow(answer?.definition ?? '');
}
