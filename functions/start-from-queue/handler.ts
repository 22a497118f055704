import { SFNClient, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { ERROR } from '../../state-machine/contract/error-names';
import { holdFor, type SendCheck } from './hold';
import { type Batch, type Postpone, type Start, startBatch } from './start-batch';

// The SDK puts `sync-` before the host of StartSyncExecution, which only AWS's own endpoints have. One that is named by
// a variable, of an emulator or of a VPC, is called as it is named.
const endpoint = process.env['AWS_ENDPOINT_URL_SFN'] ?? process.env['AWS_ENDPOINT_URL'];
const stepFunctions = new SFNClient(endpoint ? { disableHostPrefix: true } : {});
// By default the SDK calls a queue at its URL, whatever endpoint a variable names.
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });

/** What Lambda tells a function of its invocation, as far as it is read. */
interface Context {
  getRemainingTimeInMillis(): number;
}

/** Left of the function's time for a message whose start is not answered, in milliseconds. */
const REST_MS = 2_000;

/**
 * A variable that the function needs and has not got. Lambda updates code and environment by two calls, and in between
 * the new code has the old variables: so the absence of a variable never means that a message can be deleted.
 */
function missingVariable(): string | undefined {
  const { env } = process;
  if (!('DISPATCHER_ARN' in env || 'WORKFLOW_ARN' in env)) return 'DISPATCHER_ARN or WORKFLOW_ARN';
  const holding = isHeld() ? ['STARTED_QUEUE_URL', 'CHECK_AFTER_SECONDS'] : [];
  return ['QUEUE_URL', 'DELETE_WHEN', ...holding].find(name => !(name in env));
}

/** Whether a message that has been started stays until its key is finished. */
function isHeld(): boolean {
  return process.env['DELETE_WHEN'] !== 'started';
}

function startBefore(context: Context | undefined): Start {
  const { DISPATCHER_ARN: dispatcherArn, WORKFLOW_ARN: workflowArn } = process.env;
  const missing = missingVariable();
  return async input => {
    if (missing !== undefined) return { kind: 'notStarted', reason: `the variable ${missing} is not set` };
    const command = new StartSyncExecutionCommand({ stateMachineArn: dispatcherArn ?? workflowArn, input });
    const options = context && {
      abortSignal: AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - REST_MS)),
    };
    const { status, error, output } = await stepFunctions.send(command, options);
    if (status === 'SUCCEEDED') return { kind: 'started', output };
    // A dispatcher that fails has started nothing that it knows of; an Express workflow has run. An event that is not
    // valid is so each time.
    const isFinal = dispatcherArn === undefined || error === ERROR.invalidEvent;
    const kind = isFinal ? 'failed' : 'notStarted';
    return { kind, reason: error ?? status ?? 'no answer' };
  };
}

const postpone: Postpone = async (receiptHandle, seconds) => {
  await sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: process.env['QUEUE_URL'],
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: seconds,
    }),
  );
};

const sendCheck: SendCheck = async (message, delaySeconds) => {
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: process.env['STARTED_QUEUE_URL'],
      MessageBody: JSON.stringify(message),
      DelaySeconds: delaySeconds,
    }),
  );
};

/** Starts the workflow for each message of a batch; answers which messages stay in the queue. */
export async function handler(batch: Batch, context?: Context): Promise<object> {
  const start = startBefore(context);
  const hold = holdFor(Number(process.env['CHECK_AFTER_SECONDS']), postpone, sendCheck);
  return startBatch(batch, { start, postpone, ...(isHeld() && { hold }), complain: console.error });
}
