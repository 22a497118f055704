import { SFNClient, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { type Batch, type Start, startBatch } from './start-batch';

const stepFunctions = new SFNClient({});

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
