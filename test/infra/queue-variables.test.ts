import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DescribeExecutionCommand, SFNClient, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { Duration } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { handler as check } from '../../functions/check-message/handler';
import { handler as start } from '../../functions/start-from-queue/handler';
import { IdempotentWorkflow, type IdempotentWorkflowProps, Source } from '../../infra/index';
import { someFunction, synthesized } from '../support/synthesize';

// Lambda updates the code and the environment of a function by two calls. Between these, the new code has the
// variables of the revision before: any of them may be missing, or have another name.

const stepFunctions = mockClient(SFNClient);
const sqs = mockClient(SQSClient);
const dynamoDb = mockClient(DynamoDBClient);
const complaints: string[] = [];
const environment = { ...process.env };

beforeEach(() => {
  for (const mock of [stepFunctions, sqs, dynamoDb]) mock.reset();
  sqs.on(ChangeMessageVisibilityCommand).resolves({});
  sqs.on(SendMessageCommand).resolves({});
  sqs.on(DeleteMessageCommand).resolves({});
  complaints.splice(0);
  jest.spyOn(console, 'error').mockImplementation(text => void complaints.push(text));
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
});
afterEach(() => {
  process.env = { ...environment };
  jest.restoreAllMocks();
});

type Variables = Readonly<Record<string, string>>;

/** The variables of the functions of a queue's source, as they are deployed. */
function deployed(name: 'Starter' | 'Settler', sort: Sort): Variables {
  const { props, ...options } = SORTS[sort];
  const template = synthesized(stack => {
    const queue = new Queue(stack, 'Queue', {
      visibilityTimeout: Duration.hours(1),
      deadLetterQueue: { queue: new Queue(stack, 'Dead'), maxReceiveCount: 3 },
    });
    const required = { idempotencyKey: '{% $states.input.detail.id %}', step: someFunction(stack) };
    new IdempotentWorkflow(stack, 'Pay', { ...required, ...props }).startFrom(Source.queue(queue, options));
  });
  const functions = Object.entries(template.findResources('AWS::Lambda::Function'));
  const [, found] = functions.find(([id]) => id.includes(name)) ?? [];
  const variables: Readonly<Record<string, unknown>> = found?.['Properties']['Environment']['Variables'];
  const texts = Object.entries(variables).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : `https://${key}`,
  ]);
  return Object.fromEntries(texts);
}

type Sort = 'finished' | 'started' | 'Express';
const SORTS: Readonly<
  Record<Sort, { readonly props: Partial<IdempotentWorkflowProps>; readonly deleteWhen?: 'started' }>
> = {
  finished: { props: {} },
  started: { props: {}, deleteWhen: 'started' },
  Express: { props: { type: 'EXPRESS' } },
};

function use(variables: Variables, without?: string): void {
  const kept = Object.entries(variables).filter(([name]) => name !== without);
  process.env = { ...environment, AWS_REGION: 'us-east-1', ...Object.fromEntries(kept) };
}

const attributes = { ApproximateReceiveCount: '1' };
const BATCH = {
  Records: [{ messageId: 'm1', receiptHandle: 'r1', body: '{"detail":{"id":1}}', attributes }],
};
const STAYS = { batchItemFailures: [{ itemIdentifier: 'm1' }] };
const OUTPUT = JSON.stringify({ executionArn: 'arn:own', recordKey: 'Pay#1' });

describe.each(['finished', 'started', 'Express'] as const)('a queue whose messages are %s', sort => {
  test('all variables: the message is started', async () => {
    stepFunctions.on(StartSyncExecutionCommand).resolves({ status: 'SUCCEEDED', output: OUTPUT });
    use(deployed('Starter', sort));

    const answer = await start(BATCH);

    expect(answer).toEqual(sort === 'finished' ? STAYS : { batchItemFailures: [] });
    expect(complaints).toEqual([]);
    expect(stepFunctions.commandCalls(StartSyncExecutionCommand)).toHaveLength(1);
  });

  test('one variable less: nothing is started, the message stays, and the log has the name', async () => {
    stepFunctions.on(StartSyncExecutionCommand).resolves({ status: 'SUCCEEDED', output: OUTPUT });
    const variables = deployed('Starter', sort);

    for (const missing of Object.keys(variables)) {
      use(variables, missing);
      complaints.splice(0);
      const answer = await start(BATCH);

      expect({ missing, answer }).toEqual({ missing, answer: STAYS });
      expect(complaints[0]).toContain(missing);
    }
    expect(stepFunctions.commandCalls(StartSyncExecutionCommand)).toHaveLength(0);
    // It does not use up its receives within minutes.
    expect(sqs.commandCalls(ChangeMessageVisibilityCommand)).toHaveLength(Object.keys(variables).length);
  });
});

const CHECKED = { messageId: 'm1', receiptHandle: 'r1', executionArn: 'arn:own', recordKey: 'Pay#1' };
const checkOf = (message: object) => ({
  Records: [{ messageId: 'check', receiptHandle: 'c', body: JSON.stringify(message), attributes }],
});

describe('the function that checks', () => {
  test('one variable less: it deletes no message', async () => {
    const item = { status: { S: 'COMPLETED' }, owner: { S: 'arn:own' } };
    dynamoDb.on(GetItemCommand).resolves({ Item: item });
    stepFunctions.on(DescribeExecutionCommand).resolves({ status: 'SUCCEEDED' });
    const variables = deployed('Settler', 'finished');

    for (const missing of Object.keys(variables)) {
      use(variables, missing);
      await expect(check(checkOf(CHECKED))).rejects.toThrow(missing);
    }
    expect(sqs.commandCalls(DeleteMessageCommand)).toHaveLength(0);
  });

  test.each(Object.keys(CHECKED))(
    'a check without `%s`, of another revision: it deletes no message',
    async name => {
      stepFunctions.on(DescribeExecutionCommand).resolves({ status: 'SUCCEEDED' });
      dynamoDb.on(GetItemCommand).resolves({ Item: { status: { S: 'COMPLETED' }, owner: { S: 'arn:own' } } });
      use(deployed('Settler', 'finished'));

      const { [name]: _, ...rest } = CHECKED as Readonly<Record<string, string>>;
      expect(await check(checkOf({ ...rest, [`${name}2`]: 'x' }))).toEqual({ batchItemFailures: [] });
      expect(sqs.commandCalls(DeleteMessageCommand)).toHaveLength(0);
    },
  );

  test.each(['status', 'owner'])(
    'a record whose `%s` has another name: an unfinished key deletes no message',
    async name => {
      const { [name]: _, ...item } = { status: { S: 'FAILED' }, owner: { S: 'arn:own' } } as Record<
        string,
        { S: string }
      >;
      stepFunctions.on(DescribeExecutionCommand).resolves({ status: 'FAILED', stopDate: new Date() });
      dynamoDb.on(GetItemCommand).resolves({ Item: item });
      use(deployed('Settler', 'finished'));

      await check(checkOf(CHECKED));
      expect(sqs.commandCalls(DeleteMessageCommand)).toHaveLength(0);
    },
  );
});

test.each(['executionArn', 'recordKey', 'duplicateOf'])(
  'a dispatcher of another revision, which says no `%s`: the message stays',
  async name => {
    const all: Record<string, string> =
      name === 'duplicateOf' ? { duplicateOf: 'arn:owner' } : { executionArn: 'arn:own', recordKey: 'Pay#1' };
    const { [name]: _, ...rest } = all;
    stepFunctions
      .on(StartSyncExecutionCommand)
      .resolves({ status: 'SUCCEEDED', output: JSON.stringify({ ...rest, [`${name}2`]: 'x' }) });
    use(deployed('Starter', 'finished'));

    expect(await start(BATCH)).toEqual(STAYS);
  },
);
