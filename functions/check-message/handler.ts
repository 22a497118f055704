import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DescribeExecutionCommand, ExecutionDoesNotExist, SFNClient } from '@aws-sdk/client-sfn';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  SQSClient,
  SQSServiceException,
} from '@aws-sdk/client-sqs';
import { RECORD } from '../../state-machine/contract/record';
import { itemKeyIn, type TableSchema } from '../../state-machine/contract/table-schema';
import { type Batch, checkBatch, type Services } from './check-batch';

const dynamoDb = new DynamoDBClient({});
const stepFunctions = new SFNClient({});
// By default the SDK calls a queue at its URL, whatever endpoint a variable names.
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
/** By how much the clock of Step Functions, which tells when an execution ended, is ahead of this one, milliseconds. */
let aheadMs = 0;
stepFunctions.middlewareStack.add(
  next => async args => {
    const answer = await next(args);
    const { headers } = answer.response as { readonly headers?: Readonly<Record<string, string>> };
    const date = Date.parse(headers?.['date'] ?? '');
    if (!Number.isNaN(date)) aheadMs = date - Date.now();
    return answer;
  },
  { step: 'deserialize', name: 'onceflowClock', priority: 'low' },
);

/**
 * Without one of its variables the function checks nothing: Lambda updates code and environment by two calls, and in
 * between the new code has the old variables.
 */
const VARIABLES = [
  'TABLE_NAME',
  'TABLE_SCHEMA',
  'QUEUE_URL',
  'STARTED_QUEUE_URL',
  'CHECK_AFTER_SECONDS',
  'STEP_SECONDS',
] as const;

const services: Services = {
  async read(recordKey) {
    const request = new GetItemCommand({
      TableName: process.env['TABLE_NAME'],
      Key: itemKeyIn(JSON.parse(process.env['TABLE_SCHEMA'] ?? '') as TableSchema, { S: recordKey }),
      ConsistentRead: true,
    });
    const { Item: item = {} } = await dynamoDb.send(request);
    return {
      status: item[RECORD.status]?.S,
      owner: item[RECORD.owner]?.S,
      error: item[RECORD.error]?.S,
    };
  },
  async describe(executionArn) {
    // A caller without the permission to decrypt the data of an execution gets the answer without them.
    const request = new DescribeExecutionCommand({ executionArn, includedData: 'METADATA_ONLY' });
    try {
      const { status, stopDate } = await stepFunctions.send(request);
      if (!stopDate) return { status };
      return { status, endedSecondsAgo: (Date.now() + aheadMs - stopDate.getTime()) / 1000 };
    } catch (error) {
      if (error instanceof ExecutionDoesNotExist) return undefined;
      throw error;
    }
  },
  remove(ReceiptHandle) {
    const request = new DeleteMessageCommand({ QueueUrl: process.env['QUEUE_URL'], ReceiptHandle });
    return isAccepted(sqs.send(request));
  },
  hide(queue, ReceiptHandle, VisibilityTimeout) {
    const QueueUrl = process.env[queue === 'source' ? 'QUEUE_URL' : 'STARTED_QUEUE_URL'];
    const request = new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout });
    return isAccepted(sqs.send(request));
  },
};

/** Whether SQS does what a receipt handle asks for. Rejects for a fault, after which it may do so the next time. */
async function isAccepted(answer: Promise<unknown>): Promise<boolean> {
  try {
    await answer;
    return true;
  } catch (error) {
    if (isRejected(error)) return false;
    throw error;
  }
}

/** Whether it is the service's own answer, which it would give again; not a fault, nor a request too many. */
function isRejected(error: unknown): boolean {
  if (!(error instanceof SQSServiceException) || /throttl/i.test(error.name)) return false;
  const { httpStatusCode = 0 } = error.$metadata;
  return httpStatusCode >= 400 && httpStatusCode < 500;
}

/** Checks the key of each message that waits for its end; returns the messages to check again. */
export async function handler(batch: Batch): Promise<object> {
  const missing = VARIABLES.find(name => !(name in process.env));
  if (missing !== undefined) throw new Error(`the variable ${missing} is not set: every check comes again`);
  return checkBatch(batch, {
    services,
    checkAfterSeconds: Number(process.env['CHECK_AFTER_SECONDS']),
    stepSeconds: Number(process.env['STEP_SECONDS']),
    tell: console.log,
  });
}
