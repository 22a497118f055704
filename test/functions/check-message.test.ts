import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DescribeExecutionCommand, ExecutionDoesNotExist, SFNClient } from '@aws-sdk/client-sfn';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  SQSClient,
  SQSServiceException,
} from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { handler } from '../../functions/check-message/handler';

const dynamoDb = mockClient(DynamoDBClient);
const stepFunctions = mockClient(SFNClient);
const sqs = mockClient(SQSClient);

const MESSAGE = { messageId: 'm', receiptHandle: 'r', executionArn: 'arn:own', recordKey: 'Pay#7' };
const CHECK = {
  messageId: 'check',
  receiptHandle: 'l',
  body: JSON.stringify(MESSAGE),
  attributes: { ApproximateReceiveCount: '1' },
};
const AGAIN = { batchItemFailures: [{ itemIdentifier: 'check' }] };
const NOT_AGAIN = { batchItemFailures: [] };

/** What SQS answers instead of doing what it was asked for, and whether the check comes again. */
const REJECTIONS: readonly (readonly [name: string, status: number, answer: object])[] = [
  ['MessageNotInflight', 400, NOT_AGAIN],
  ['InvalidParameterValue', 400, NOT_AGAIN],
  ['ReceiptHandleIsInvalid', 404, NOT_AGAIN],
  ['RequestThrottled', 403, AGAIN],
  ['InternalFailure', 500, AGAIN],
];

const environment = { ...process.env };

beforeEach(() => {
  for (const mock of [dynamoDb, stepFunctions, sqs]) mock.reset();
  dynamoDb.on(GetItemCommand).resolves({});
  stepFunctions.on(DescribeExecutionCommand).resolves({ status: 'RUNNING' });
  sqs.on(ChangeMessageVisibilityCommand).resolves({});
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
  Object.assign(process.env, {
    TABLE_NAME: 'Records',
    TABLE_SCHEMA: '{}',
    QUEUE_URL: 'https://sqs/orders',
    STARTED_QUEUE_URL: 'https://sqs/started',
    CHECK_AFTER_SECONDS: '40',
    STEP_SECONDS: '40',
  });
});
afterEach(() => {
  process.env = { ...environment };
  jest.restoreAllMocks();
});

describe('the function that checks messages', () => {
  test('an execution is asked about without its data, for which the caller may need a key', async () => {
    expect(await handler({ Records: [CHECK] })).toEqual(AGAIN);

    const [call] = stepFunctions.commandCalls(DescribeExecutionCommand);
    expect(call?.args[0].input).toEqual({ executionArn: 'arn:own', includedData: 'METADATA_ONLY' });
  });

  test.each([
    [1270, AGAIN],
    [1290, NOT_AGAIN],
  ])(
    'owner that ended %i seconds ago: wait for recovery for 32 times the time of the step',
    async (ago, answer) => {
      dynamoDb
        .on(GetItemCommand)
        .resolves({ Item: { status: { S: 'IN_PROGRESS' }, owner: { S: 'arn:own' } } });
      const stopDate = new Date(Date.now() - ago * 1000);
      stepFunctions.on(DescribeExecutionCommand).resolves({ status: 'ABORTED', stopDate });

      expect(await handler({ Records: [CHECK] })).toEqual(answer);
    },
  );

  test('at work: the message and the check are kept out of sight, each in its queue', async () => {
    await handler({ Records: [CHECK] });

    expect(sqs.commandCalls(ChangeMessageVisibilityCommand).map(({ args }) => args[0].input)).toEqual([
      { QueueUrl: 'https://sqs/orders', ReceiptHandle: 'r', VisibilityTimeout: 100 },
      { QueueUrl: 'https://sqs/started', ReceiptHandle: 'l', VisibilityTimeout: 40 },
    ]);
  });

  test('finished: the record is read as it is now, and the message deleted', async () => {
    dynamoDb.on(GetItemCommand).resolves({ Item: { status: { S: 'COMPLETED' }, owner: { S: 'arn:own' } } });

    expect(await handler({ Records: [CHECK] })).toEqual(NOT_AGAIN);
    expect(dynamoDb.commandCalls(GetItemCommand)[0]?.args[0].input).toMatchObject({
      TableName: 'Records',
      ConsistentRead: true,
    });
    expect(sqs.commandCalls(DeleteMessageCommand)[0]?.args[0].input).toEqual({
      QueueUrl: 'https://sqs/orders',
      ReceiptHandle: 'r',
    });
  });

  test('an execution that Step Functions does not know works on nothing', async () => {
    const unknown = new ExecutionDoesNotExist({ message: 'no', $metadata: {} });
    stepFunctions.on(DescribeExecutionCommand).rejects(unknown);

    expect(await handler({ Records: [CHECK] })).toEqual(NOT_AGAIN);
    expect(sqs.commandCalls(ChangeMessageVisibilityCommand)).toEqual([]);
  });

  test.each(
    ['ChangeMessageVisibility', 'DeleteMessage'].flatMap(operation =>
      REJECTIONS.map(([name, status, answer]) => [operation, name, status, answer] as const),
    ),
  )(
    '%s is answered with %s, status %d: check again unless it is a rejection',
    async (operation, name, status, answer) => {
      const rejection = new SQSServiceException({
        name,
        $fault: 'client',
        $metadata: { httpStatusCode: status },
      });
      if (operation === 'DeleteMessage') {
        const finished = { status: { S: 'COMPLETED' }, owner: { S: 'arn:own' } };
        dynamoDb.on(GetItemCommand).resolves({ Item: finished });
        sqs.on(DeleteMessageCommand).rejects(rejection);
      } else sqs.on(ChangeMessageVisibilityCommand).rejects(rejection);

      expect(await handler({ Records: [CHECK] })).toEqual(answer);
    },
  );

  test('SQS cannot be reached: looked at again', async () => {
    sqs.on(ChangeMessageVisibilityCommand).rejects(new Error('socket hang up'));

    expect(await handler({ Records: [CHECK] })).toEqual(AGAIN);
  });
});
