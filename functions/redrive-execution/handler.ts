import { RedriveExecutionCommand, SFNClient } from '@aws-sdk/client-sfn';

/** The execution to redrive, and the token by which redrives of one death are one. */
export interface RedriveRequest {
  readonly executionArn: string;
  readonly clientToken: string;
}

const stepFunctions = new SFNClient({});

/** Redrives an execution. @throws Error named by the service's error, as `ExecutionNotRedrivable`. */
export async function handler({ executionArn, clientToken }: RedriveRequest): Promise<object> {
  await stepFunctions.send(new RedriveExecutionCommand({ executionArn, clientToken }));
  return {};
}
