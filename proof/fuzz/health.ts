import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';

/** An execution of its own that no request is about: it has to go on whatever the requests are. */
export interface Health {
  /** Runs one execution; how long it took in milliseconds, or what was wrong. */
  check(): Promise<number | string>;
  /** The ends of executions that had ended before, if one of them has changed. */
  checkEnded(): Promise<string | undefined>;
  close(): void;
}

const CREDENTIALS = { accessKeyId: 'x', secretAccessKey: 'x' };
const TableName = 'health';
/** How long an execution may take beside the requests, in milliseconds. */
const CHECK_MS_MAX = 30_000;
/** Executions that have ended and are looked at again. */
const ENDED_MAX = 20;

const DEFINITION = {
  QueryLanguage: 'JSONata',
  StartAt: 'Count',
  States: {
    Count: {
      Type: 'Task',
      Resource: 'arn:aws:states:::dynamodb:updateItem',
      Arguments: {
        TableName,
        Key: { id: { S: '{% $states.input.id %}' } },
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
        ReturnValues: 'ALL_NEW',
      },
      Output: '{% $number($states.result.Attributes.n.N) %}',
      End: true,
    },
  },
};

/**
 * Makes what the checks need; on a stack that has it already, it uses that. `ended` holds the ARNs of executions that
 * have ended, also on the stack's process before.
 */
export async function openHealth(endpoint: string, region: string, ended: string[]): Promise<Health> {
  const options = { endpoint, region, credentials: CREDENTIALS, maxAttempts: 1 };
  const dynamoDb = new DynamoDBClient(options);
  const sfn = new SFNClient(options);
  await createTable(dynamoDb);
  const stateMachineArn = await createStateMachine(sfn);
  let checks = 0;
  // Names of executions that another run has left behind are taken.
  const run = randomUUID();
  return {
    check() {
      checks += 1;
      return checkExecution(sfn, stateMachineArn, `check-${run}-${checks}`, ended);
    },
    checkEnded: () => checkEndedExecutions(sfn, ended),
    close() {
      sfn.destroy();
      dynamoDb.destroy();
    },
  };
}

async function createTable(dynamoDb: DynamoDBClient): Promise<void> {
  const table = new CreateTableCommand({
    TableName,
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
  await dynamoDb.send(table).catch((error: Error) => {
    if (error.name !== 'ResourceInUseException') throw error;
  });
}

async function createStateMachine(sfn: SFNClient): Promise<string | undefined> {
  const { stateMachineArn } = await sfn.send(
    new CreateStateMachineCommand({
      name: 'health',
      definition: JSON.stringify(DEFINITION),
      roleArn: 'arn:aws:iam::111111111111:role/health',
    }),
  );
  return stateMachineArn;
}

async function checkExecution(
  sfn: SFNClient,
  stateMachineArn: string | undefined,
  id: string,
  ended: string[],
): Promise<number | string> {
  try {
    const { executionArn, result } = await executed(sfn, stateMachineArn, id);
    if (typeof result === 'number') ended.push(executionArn);
    if (ended.length > ENDED_MAX) ended.shift();
    return result;
  } catch (error) {
    return `check ${id}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
  }
}

async function checkEndedExecutions(sfn: SFNClient, ended: readonly string[]): Promise<string | undefined> {
  for (const executionArn of ended) {
    const found = await sfn
      .send(new DescribeExecutionCommand({ executionArn }))
      .catch((error: Error) => error);
    const what = found instanceof Error ? found.message : `${found.status} ${found.output}`;
    if (what !== 'SUCCEEDED 1') return `${executionArn} had succeeded, and is now: ${what}`;
  }
  return undefined;
}

async function executed(
  sfn: SFNClient,
  stateMachineArn: string | undefined,
  id: string,
): Promise<{ readonly executionArn: string; readonly result: number | string }> {
  const began = performance.now();
  const abortSignal = AbortSignal.timeout(CHECK_MS_MAX);
  const start = new StartExecutionCommand({ stateMachineArn, name: id, input: JSON.stringify({ id }) });
  const { executionArn = '' } = await sfn.send(start, { abortSignal });
  for (;;) {
    const { status, output, error, cause } = await sfn.send(new DescribeExecutionCommand({ executionArn }), {
      abortSignal,
    });
    const tookMs = performance.now() - began;
    const isCounted = status === 'SUCCEEDED' && output === '1';
    if (isCounted) return { executionArn, result: tookMs };
    if (status !== 'RUNNING') {
      return { executionArn, result: `check ${id}: ${status} ${error ?? output} ${cause ?? ''}` };
    }
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}
