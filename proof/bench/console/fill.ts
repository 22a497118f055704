import { setTimeout as delay } from 'node:timers/promises';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { LocalStack } from '@onceflow/local';
import { orderEvent } from '../measures/order-event';

/** What BatchWriteItem takes at once. */
const BATCH = 25;
const MINUTE_MS = 60_000;

/** How much is put into a stack. */
export interface Size {
  /** Records. */
  readonly keys: number;
  /** Iterations of the Map state with the long history. */
  readonly iterations: number;
}

/** What was put into a stack. */
export interface Filled {
  /** The name of the state machine whose keys there are. */
  readonly workflow: string;
  /** Of the execution with the long history. */
  readonly executionArn: string;
  /** Of its history: six for each iteration, and six of the execution and its Map state. */
  readonly events: number;
}

/** Puts records into the table of the reference app, and runs an execution with a long history. */
export async function fill(stack: LocalStack, { keys, iterations }: Size): Promise<Filled> {
  const config = {
    endpoint: stack.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    disableHostPrefix: true,
  };
  const [sfn, dynamodb] = [new SFNClient(config), new DynamoDBClient(config)];
  try {
    const stateMachineArn = stack.output('StateMachineArn');
    await run(sfn, stateMachineArn, orderEvent(0));
    const TableName = stack.output('RecordTableName');
    const { Items: [record] = [] } = await dynamodb.send(new ScanCommand({ TableName }));
    if (record === undefined) throw new Error('the delivery of an order left no record');
    for (let index = 1; index < keys; index += BATCH) {
      const count = Math.min(BATCH, keys - index);
      const requests = Array.from({ length: count }, (_, offset) => ({
        PutRequest: { Item: alike(record, index + offset) },
      }));
      await dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
    }
    return {
      workflow: stateMachineArn.split(':').at(-1) ?? '',
      executionArn: await longHistory(sfn, iterations),
      events: 6 * iterations + 6,
    };
  } finally {
    sfn.destroy();
    dynamodb.destroy();
  }
}

/** A record as of another order; every tenth has failed, and every fiftieth is unfinished. */
function alike(record: Record<string, AttributeValue>, index: number): Record<string, AttributeValue> {
  const at = new Date(Date.now() - index * MINUTE_MS).toISOString();
  const text = JSON.stringify(record).replaceAll('order-0', `order-${index}`);
  const { finishedAt, ...made } = JSON.parse(text) as Record<string, AttributeValue>;
  if (index % 50 === 0) return { ...made, status: { S: 'IN_PROGRESS' }, claimedAt: { S: at } };
  const status = index % 10 === 0 ? 'FAILED' : 'COMPLETED';
  return {
    ...made,
    status: { S: status },
    claimedAt: { S: at },
    ...(finishedAt && { finishedAt: { S: at } }),
  };
}

async function longHistory(sfn: SFNClient, iterations: number): Promise<string> {
  const { stateMachineArn = '' } = await sfn.send(
    new CreateStateMachineCommand({
      name: 'long-history',
      definition: JSON.stringify(longMachine(iterations)),
      roleArn: 'arn:aws:iam::111111111111:role/long-history',
    }),
  );
  return run(sfn, stateMachineArn, {});
}

function longMachine(iterations: number): object {
  return {
    QueryLanguage: 'JSONata',
    StartAt: 'Orders',
    States: {
      Orders: {
        Type: 'Map',
        Items: `{% [1..${iterations}].{ 'orderId': 'order-' & $, 'amount': 1200, 'currency': 'EUR' } %}`,
        ItemProcessor: {
          StartAt: 'Check the amount',
          States: {
            'Check the amount': {
              Type: 'Choice',
              Choices: [{ Condition: '{% $states.input.amount > 0 %}', Next: 'Accept' }],
              Default: 'Accept',
            },
            Accept: { Type: 'Pass', Output: { accepted: '{% $states.input.orderId %}' }, End: true },
          },
        },
        Output: { count: '{% $count($states.result) %}' },
        End: true,
      },
    },
  };
}

/** Runs an execution to its end. @throws Error where it does not succeed */
async function run(sfn: SFNClient, stateMachineArn: string, input: object): Promise<string> {
  const started = await sfn.send(
    new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) }),
  );
  const executionArn = started.executionArn ?? '';
  for (;;) {
    const { status, cause } = await sfn.send(new DescribeExecutionCommand({ executionArn }));
    if (status === 'SUCCEEDED') return executionArn;
    if (status !== 'RUNNING') throw new Error(`${executionArn}: ${status} ${cause}`);
    await delay(100);
  }
}
