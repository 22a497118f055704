import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type Interceptor, type LocalStack, runToEnd, startLocal, VirtualClock } from '@onceflow/local';
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { DefinitionBody, QueryLanguage, StateMachine, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import { DynamoAttributeValue, DynamoPutItem } from 'aws-cdk-lib/aws-stepfunctions-tasks';

/** The app under test: saves an order, and gives its customer a day to think. */
class OrdersStack extends Stack {
  constructor(app: App) {
    super(app, 'Orders');
    const partitionKey = { name: 'orderId', type: AttributeType.STRING };
    const table = new Table(this, 'Table', { partitionKey });
    const save = DynamoPutItem.jsonata(this, 'Save order', {
      table,
      item: { orderId: DynamoAttributeValue.fromString('{% $states.input.orderId %}') },
      outputs: '{% $states.input %}',
    }).addRetry({ errors: ['DynamoDB.SdkClientException'], interval: Duration.seconds(2) });
    const think = Wait.jsonata(this, 'Think', { time: WaitTime.duration(Duration.days(1)) });
    const machine = new StateMachine(this, 'Machine', {
      definitionBody: DefinitionBody.fromChainable(save.next(think)),
      queryLanguage: QueryLanguage.JSONATA,
    });
    new CfnOutput(this, 'MachineArn', { value: machine.stateMachineArn });
    new CfnOutput(this, 'TableName', { value: table.tableName });
  }
}

const assembly = mkdtempSync(path.join(tmpdir(), 'orders-'));
const START = Date.parse('2026-11-20T09:00:00Z');
let clock: VirtualClock;
let stack: LocalStack;
/** What happens to each call of the state machine. */
let fault: Interceptor;

beforeAll(() => {
  const app = new App({ outdir: assembly });
  new OrdersStack(app);
  app.synth();
});
afterAll(() => rmSync(assembly, { recursive: true }));

beforeEach(async () => {
  clock = new VirtualClock(START);
  fault = (_call, next) => next();
  stack = await startLocal({ assembly, clock, interceptor: (call, next) => fault(call, next) });
});
afterEach(() => stack.close());

async function order(orderId: string) {
  const { executionArn } = await stack.runtime.startExecution({
    stateMachineArn: stack.output('MachineArn'),
    input: JSON.stringify({ orderId }),
  });
  await runToEnd(stack.runtime, clock);
  return stack.runtime.describeExecution({ executionArn });
}

test('an order: saved, and done after a day, which takes no time', async () => {
  expect(await order('order-1')).toMatchObject({ status: 'SUCCEEDED' });
  expect(clock.now() - START).toBe(Duration.days(1).toMilliseconds());

  const Key = { orderId: { S: 'order-1' } };
  const request = new GetItemCommand({ TableName: stack.output('TableName'), Key });
  expect(await stack.dynamoDb.client.send(request)).toMatchObject({ Item: Key });
});

test('the first answer of the table is lost: saved again two seconds later', async () => {
  fault = async (call, next) => {
    const answer = await next();
    if (call.retryCount > 0) return answer;
    return { kind: 'failed', error: 'DynamoDB.SdkClientException', cause: 'Connection reset' };
  };

  expect(await order('order-1')).toMatchObject({ status: 'SUCCEEDED' });
  expect(clock.now() - START).toBe(Duration.days(1).plus(Duration.seconds(2)).toMilliseconds());
});
