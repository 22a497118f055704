import { RedriveExecutionCommand, SFNClient } from '@aws-sdk/client-sfn';
import { REDRIVE_REQUEST_MS } from '../../state-machine/contract/redrive-request';

/** The execution to redrive, and the token by which redrives of one death are one. */
export interface RedriveRequest {
  readonly executionArn: string;
  readonly clientToken: string;
}

const stepFunctions = new SFNClient({});

/** Redrives an execution. @throws Error named by the service's error, as `ExecutionNotRedrivable`. */
export async function handler({ executionArn, clientToken }: RedriveRequest): Promise<object> {
  // Whatever timeout an organization gives the function: `onceflow release` counts on it.
  await stepFunctions.send(new RedriveExecutionCommand({ executionArn, clientToken }), {
    abortSignal: AbortSignal.timeout(REDRIVE_REQUEST_MS),
  });
  return {};
}
