import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DescribeExecutionCommand, SFNClient } from '@aws-sdk/client-sfn';
import { ChangeMessageVisibilityCommand, DeleteMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { RECORD } from '../../state-machine/contract/record';
import { keyIn, type TableSchema } from '../../state-machine/contract/table-schema';
import { type Batch, type Services, settleBatch } from './settle-batch';

const dynamoDb = new DynamoDBClient({});
const stepFunctions = new SFNClient({});
// By itself the SDK calls a queue where its URL says, whatever endpoint is named by a variable.
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
const schema = JSON.parse(process.env['TABLE_SCHEMA'] ?? '{}') as TableSchema;

const services: Services = {
  async read(recordKey) {
    const request = new GetItemCommand({
      TableName: process.env['TABLE_NAME'],
      Key: keyIn(schema, { S: recordKey }),
      ConsistentRead: true,
    });
    const { Item: item = {} } = await dynamoDb.send(request);
    return {
      status: item[RECORD.status]?.S,
      owner: item[RECORD.owner]?.S,
      error: item[RECORD.error]?.S,
    };
  },
  async statusOf(executionArn) {
    return (await stepFunctions.send(new DescribeExecutionCommand({ executionArn }))).status;
  },
  async remove(ReceiptHandle) {
    await sqs.send(new DeleteMessageCommand({ QueueUrl: process.env['QUEUE_URL'], ReceiptHandle }));
  },
  async hide(queue, ReceiptHandle, VisibilityTimeout) {
    const QueueUrl = process.env[queue === 'source' ? 'QUEUE_URL' : 'UNSETTLED_QUEUE_URL'];
    await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }));
  },
};

/** Looks at the key of each message that waits for its end; answers which are to be looked at again. */
export async function handler(batch: Batch): Promise<object> {
  return settleBatch(batch, {
    services,
    checkAfterSeconds: Number(process.env['CHECK_AFTER_SECONDS']),
    tell: console.log,
  });
}
