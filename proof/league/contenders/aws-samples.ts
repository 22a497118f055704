import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { DefinitionBody, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { World } from '../world/world';
import type { Contender, Entrant } from './contender';
import { MachineWatch } from './machine';

const OUTPUT = { stateMachine: 'StateMachineArn', table: 'TableName' } as const;
const STEP_STATE = 'Run the business step';
const REPOSITORY =
  'https://github.com/aws-samples/step-functions-workflows-collection/tree/main/idempotent-workflow-cdk';
const DAY_SECONDS = 24 * 3600;

/**
 * The rules of the `idempotent-workflow` of aws-samples, written anew. A transaction takes a lock if there is none or
 * the last run has failed. The step runs, and an unconditional update follows. A duplicate reads, and waits ten seconds
 * at a time. Records expire after a day, which the lock does not check.
 */
export const AWS_SAMPLES: Contender = {
  id: 'aws-samples',
  title: 'aws-samples idempotent-workflow (its rules, rebuilt)',
  settings: 'A Standard state machine in JSONPath, started without a name; its settings as they are there.',
  documentation: REPOSITORY,
  assembly: synthesize,
  open,
};

function open(world: World): Entrant {
  const { stack, work, clock } = world;
  const stateMachineArn = stack.output(OUTPUT.stateMachine);
  const watch = new MachineWatch(world, {
    stateMachineArn,
    stepState: STEP_STATE,
    answerOf: () => undefined,
    functions: {
      'Make the key': ({ Payload }) => ({
        id: (Payload as { readonly key: string }).key,
        ttl: String(Math.floor(clock.now() / 1000) + DAY_SECONDS),
      }),
    },
  });
  world.expiring = {
    table: stack.output(OUTPUT.table),
    keyAttribute: 'id',
    timeToLiveAttribute: 'ttl',
    keyOf: key => key,
  };
  return {
    deliver: async ({ key, amount, delivery }) => {
      work.begin();
      const input = JSON.stringify({ key, amount, delivery });
      await stack.runtime.startExecution({ stateMachineArn, input }).finally(() => work.end());
    },
    reportedKeys: () => watch.told,
    reset: () => watch.reset(),
  };
}

// As its definition has them; errors of optimized integrations begin with `DynamoDB`, so that only those of the
// transaction, which goes through the SDK's, are met.
const RETRY = [
  {
    ErrorEquals: [
      'DynamoDb.InternalServerErrorException',
      'DynamoDb.ItemCollectionSizeLimitExceededException',
      'DynamoDb.LimitExceededException',
      'DynamoDb.RequestLimitExceeded',
      'DynamoDb.ThrottlingException',
      'DynamoDb.ProvisionedThroughputExceededException',
    ],
    IntervalSeconds: 1,
    MaxAttempts: 3,
    BackoffRate: 2,
  },
];

function definition(table: string, functionArn: string): object {
  const Key = { id: { 'S.$': '$.lock.id' } };
  const invoke = (more: object) => ({
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Parameters: { FunctionName: functionArn, 'Payload.$': '$' },
    Retry: [
      {
        ErrorEquals: ['Lambda.ServiceException', 'Lambda.SdkClientException'],
        IntervalSeconds: 2,
        MaxAttempts: 6,
        BackoffRate: 2,
      },
    ],
    ...more,
  });
  return {
    StartAt: 'Make the key',
    States: {
      'Make the key': invoke({
        ResultSelector: { 'id.$': '$.Payload.id', 'ttl.$': '$.Payload.ttl' },
        ResultPath: '$.lock',
        Next: 'Lock',
      }),
      Lock: lockState(table, Key),
      [STEP_STATE]: invoke({
        ResultSelector: { 'charge.$': '$.Payload' },
        ResultPath: '$.results',
        Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'Save the failure' }],
        Next: 'Save the result',
      }),
      'Save the result': saveState(table, Key, 'SUCCEEDED', 'Done'),
      'Save the failure': saveState(table, Key, 'FAILED', 'Failed'),
      Failed: { Type: 'Fail', Error: 'WorkflowFailed', Cause: 'the step has failed' },
      Done: { Type: 'Pass', InputPath: '$.results', End: true },
      ...statesOfDuplicate(table, Key),
    },
  };
}

function lockState(TableName: string, Key: object): object {
  const Update = {
    TableName,
    Key,
    ConditionExpression: 'attribute_not_exists(executionstatus) OR executionstatus = :failed',
    UpdateExpression:
      'SET executionstatus = :running, #ttl = :ttl, execution = :execution, starttime = :start',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':failed': { S: 'FAILED' },
      ':running': { S: 'IN_PROGRESS' },
      ':ttl': { 'N.$': '$.lock.ttl' },
      ':execution': { 'S.$': '$$.Execution.Id' },
      ':start': { 'S.$': '$$.Execution.StartTime' },
    },
  };
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::aws-sdk:dynamodb:transactWriteItems',
    Parameters: { TransactItems: [{ Update }] },
    ResultPath: null,
    Retry: RETRY,
    Catch: [{ ErrorEquals: ['DynamoDb.TransactionCanceledException'], ResultPath: null, Next: 'Read' }],
    Next: STEP_STATE,
  };
}

/** Unconditional, as there: the last writer wins. */
function saveState(TableName: string, Key: object, status: 'SUCCEEDED' | 'FAILED', Next: string): object {
  const result = status === 'SUCCEEDED' ? { 'S.$': 'States.JsonToString($.results)' } : { S: '' };
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::dynamodb:updateItem',
    Parameters: {
      TableName,
      Key,
      UpdateExpression: 'SET executionstatus = :status, executionresult = :result',
      ExpressionAttributeValues: { ':status': { S: status }, ':result': result },
    },
    ResultPath: null,
    Retry: RETRY,
    Next,
  };
}

function statesOfDuplicate(TableName: string, Key: object): object {
  const Variable = '$.record.Item.executionstatus.S';
  return {
    Read: {
      Type: 'Task',
      Resource: 'arn:aws:states:::dynamodb:getItem',
      Parameters: { TableName, Key },
      ResultPath: '$.record',
      Retry: RETRY,
      Next: 'How is it?',
    },
    'How is it?': {
      Type: 'Choice',
      Choices: [
        { Variable, StringEquals: 'SUCCEEDED', Next: 'Return the result' },
        { Variable, StringEquals: 'FAILED', Next: 'Lock' },
      ],
      Default: 'Wait',
    },
    Wait: { Type: 'Wait', Seconds: 10, Next: 'Read' },
    'Return the result': {
      Type: 'Pass',
      Parameters: { 'results.$': 'States.StringToJson($.record.Item.executionresult.S)' },
      OutputPath: '$.results',
      End: true,
    },
  };
}

function synthesize(outdir: string): string {
  const app = new App({ outdir });
  const stack = new Stack(app, 'League');
  const table = new Table(stack, 'Table', {
    tableName: 'Executions',
    partitionKey: { name: 'id', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    timeToLiveAttribute: 'ttl',
  });
  const step = new LambdaFunction(stack, 'Step', {
    functionName: 'step',
    runtime: Runtime.NODEJS_22_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => ({});'),
    timeout: Duration.seconds(30),
  });
  const text = JSON.stringify(definition('Executions', 'step'));
  const machine = new StateMachine(stack, 'Orders', { definitionBody: DefinitionBody.fromString(text) });
  machine.node.addDependency(step);
  new CfnOutput(stack, OUTPUT.stateMachine, { value: machine.stateMachineArn });
  new CfnOutput(stack, OUTPUT.table, { value: table.tableName });
  return app.synth().directory;
}
