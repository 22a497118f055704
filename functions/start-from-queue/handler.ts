import { SFNClient, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { type Batch, type Start, startBatch } from './start-batch';

// The SDK puts `sync-` before the host of StartSyncExecution, which only AWS's own endpoints have. One that is named by
// a variable, of an emulator or of a VPC, is called as it is named.
const endpoint = process.env['AWS_ENDPOINT_URL_SFN'] ?? process.env['AWS_ENDPOINT_URL'];
const stepFunctions = new SFNClient(endpoint ? { disableHostPrefix: true } : {});

const start: Start = async input => {
  const { status, error } = await stepFunctions.send(
    new StartSyncExecutionCommand({ stateMachineArn: process.env['DISPATCHER_ARN'], input }),
  );
  return status === 'SUCCEEDED' ? undefined : (error ?? status ?? 'no answer');
};

/** Starts the workflow for each message of a batch; answers which messages could not be started. */
export async function handler(batch: Batch): Promise<object> {
  return startBatch(batch, start, console.error);
}
