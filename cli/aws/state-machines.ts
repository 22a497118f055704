import {
  DescribeStateMachineCommand,
  type DescribeStateMachineOutput,
  ListStateMachinesCommand,
  type StateMachineListItem,
} from '@aws-sdk/client-sfn';
import { type Aws, answerOf } from './aws';

/** What Step Functions says of a state machine; undefined only after the error that is expected. @throws Rejection */
export function describeStateMachine(
  aws: Aws,
  stateMachineArn: string,
  expectedError?: 'StateMachineDoesNotExist',
): Promise<DescribeStateMachineOutput | undefined> {
  const request = new DescribeStateMachineCommand({ stateMachineArn });
  const sent = aws.sfn.send(request, { abortSignal: aws.signal });
  return answerOf(aws, 'DescribeStateMachine', `state machine ${stateMachineArn}`, sent, expectedError);
}

/** The state machines of the account and region, of all pages until so many are listed. @throws Rejection */
export async function listStateMachines(
  aws: Aws,
  machinesMax = Number.POSITIVE_INFINITY,
): Promise<readonly StateMachineListItem[]> {
  const machines: StateMachineListItem[] = [];
  let nextToken: string | undefined;
  do {
    const request = new ListStateMachinesCommand({ maxResults: 1000, nextToken });
    const sent = aws.sfn.send(request, { abortSignal: aws.signal });
    const page = await answerOf(aws, 'ListStateMachines', 'this account', sent);
    machines.push(...(page?.stateMachines ?? []));
    nextToken = page?.nextToken;
  } while (nextToken !== undefined && machines.length < machinesMax);
  return machines.slice(0, machinesMax);
}
