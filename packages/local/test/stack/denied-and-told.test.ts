import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import {
  DeleteResourcePolicyCommand,
  DynamoDBClient,
  GetItemCommand,
  GetResourcePolicyCommand,
  PutItemCommand,
  PutResourcePolicyCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { runToEnd } from '../../index';
import { machine, type Started, start } from './world';

const TABLE = 'orders';

function app(stack: Stack): void {
  new Table(stack, 'Orders', {
    tableName: TABLE,
    partitionKey: { name: 'id', type: AttributeType.STRING },
  });
  new LambdaFunction(stack, 'Stopped', {
    functionName: 'stopped',
    runtime: Runtime.NODEJS_22_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => 1'),
    reservedConcurrentExecutions: 0,
  });
  machine(stack, 'Put', {
    Put: {
      Type: 'Task',
      Resource: 'arn:aws:states:::dynamodb:putItem',
      Arguments: { TableName: TABLE, Item: { id: { S: '1' } } },
      End: true,
    },
  });
  machine(stack, 'Call', {
    Call: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Arguments: { FunctionName: 'stopped' },
      End: true,
    },
  });
  const api = new RestApi(stack, 'Api', { cloudWatchRole: false });
  api.root.addMethod('GET');
  new CfnOutput(stack, 'Url', { value: api.url });
}

const client = <Client>(of: new (config: object) => Client, { stack }: Started): Client =>
  new of({
    endpoint: stack.endpoint,
    region: stack.region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });

async function outcomeOf({ stack, clock }: Started, name: string) {
  const { runtime, region, account } = stack;
  const { executionArn } = await runtime.startExecution({
    stateMachineArn: `arn:aws:states:${region}:${account}:stateMachine:${name}`,
    input: '{}',
  });
  await runToEnd(runtime, clock);
  return runtime.describeExecution({ executionArn });
}

const denying = (...actions: string[]) =>
  JSON.stringify({ Statement: [{ Effect: 'Deny', Principal: '*', Action: actions, Resource: '*' }] });

describe('the policy of a table', () => {
  test('a denied action: denied to clients and state machines, until the policy is deleted', async () => {
    const started = await start(app);
    const dynamodb = client(DynamoDBClient, started);
    const ResourceArn = `arn:aws:dynamodb:${started.stack.region}:${started.stack.account}:table/${TABLE}`;
    const Item = { id: { S: '2' } };
    await dynamodb.send(
      new PutResourcePolicyCommand({
        ResourceArn,
        Policy: denying('dynamodb:PutItem', 'dynamodb:TransactWriteItems'),
      }),
    );

    const put = new PutItemCommand({ TableName: TABLE, Item });
    const inTransaction = new TransactWriteItemsCommand({
      TransactItems: [{ Put: { TableName: TABLE, Item } }],
    });
    await expect(dynamodb.send(put)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    await expect(dynamodb.send(inTransaction)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    await dynamodb.send(new GetItemCommand({ TableName: TABLE, Key: Item }));
    expect(await outcomeOf(started, 'Put')).toMatchObject({
      status: 'FAILED',
      error: 'DynamoDB.AmazonDynamoDBException',
      cause: expect.stringContaining('Error Code: AccessDeniedException;'),
    });
    await dynamodb.send(new DeleteResourcePolicyCommand({ ResourceArn }));
    await dynamodb.send(put);
    await expect(dynamodb.send(new GetResourcePolicyCommand({ ResourceArn }))).rejects.toMatchObject({
      name: 'PolicyNotFoundException',
    });
    dynamodb.destroy();
  });

  test.each([
    ['is not JSON', '{', 'ValidationException'],
    [
      'permits',
      JSON.stringify({ Statement: { Effect: 'Allow', Principal: '*', Action: 'dynamodb:PutItem' } }),
      'UnsupportedOperationException',
    ],
    ['has a wildcard', denying('dynamodb:*'), 'UnsupportedOperationException'],
  ])('one that %s: rejected by name', async (_, Policy, name) => {
    const started = await start(app);
    const dynamodb = client(DynamoDBClient, started);
    const put = new PutResourcePolicyCommand({ ResourceArn: TABLE, Policy });

    await expect(dynamodb.send(put)).rejects.toMatchObject({ name });
    dynamodb.destroy();
  });
});

test('a function with reserved concurrency 0: throttled', async () => {
  expect(await outcomeOf(await start(app), 'Call')).toMatchObject({
    status: 'FAILED',
    error: 'Lambda.TooManyRequestsException',
  });
});

describe('CloudFormation at the endpoint', () => {
  test('DescribeStacks: the stack with its outputs, which lead to this machine', async () => {
    const started = await start(app);
    const cloudFormation = client(CloudFormationClient, started);
    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: 'Main' }));

    expect(Stacks).toMatchObject([
      {
        StackName: 'Main',
        StackStatus: 'CREATE_COMPLETE',
        Outputs: expect.arrayContaining([
          { OutputKey: 'Url', OutputValue: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/prod\//) },
        ]),
      },
    ]);
    cloudFormation.destroy();
  });

  test('a stack that is not there, and one to be made: rejected by name', async () => {
    const started = await start(app);
    const cloudFormation = client(CloudFormationClient, started);

    await expect(
      cloudFormation.send(new DescribeStacksCommand({ StackName: 'Other' })),
    ).rejects.toMatchObject({ name: 'ValidationError', message: 'Stack with id Other does not exist' });
    await expect(
      cloudFormation.send(new CreateStackCommand({ StackName: 'Other', TemplateBody: '{}' })),
    ).rejects.toMatchObject({ name: 'UnsupportedOperation' });
    cloudFormation.destroy();
  });
});
