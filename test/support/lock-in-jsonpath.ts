import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  JsonPath,
  Pass,
  StateMachine,
  TaskInput,
  Timeout,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import {
  DynamoAttributeValue,
  DynamoGetItem,
  DynamoPutItem,
  DynamoUpdateItem,
  LambdaInvoke,
} from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { commentWith } from '../../state-machine/contract/deployed-settings';
import { STATE } from '../../state-machine/contract/state-names';

const text = (value: string) => DynamoAttributeValue.fromString(value);
const path = (value: string) => text(JsonPath.stringAt(value));
const NOW = '$$.State.EnteredTime';

/**
 * A state machine with a lock of its own around a function, in JSONPath, of the kind that published samples have. It
 * puts an item under a condition, runs the function, and updates the item. An execution that finds the item waits for
 * its result. Its ARN is the stack's output `LockArn`. Attributes and the states that the exploration looks for have
 * our names.
 */
export function defineLock(stack: Stack, table: ITable, step: IFunction): void {
  const key = { idempotencyKey: path('$.detail.orderId') };
  const claim = new DynamoPutItem(stack, 'Claim record', {
    table,
    item: {
      ...key,
      owner: path('$$.Execution.Id'),
      status: text('IN_PROGRESS'),
      attempt: DynamoAttributeValue.fromNumber(1),
      claimedAt: path(NOW),
    },
    conditionExpression: 'attribute_not_exists(idempotencyKey) OR #status = :failed',
    expressionAttributeNames: { '#status': 'status' },
    expressionAttributeValues: { ':failed': text('FAILED') },
    resultPath: JsonPath.DISCARD,
  });
  const run = new LambdaInvoke(stack, 'Business step', {
    lambdaFunction: step,
    payload: TaskInput.fromObject({
      idempotencyKey: JsonPath.stringAt('$.detail.orderId'),
      attempt: 1,
      input: JsonPath.entirePayload,
    }),
    resultSelector: { 'answer.$': '$.Payload' },
    resultPath: '$.step',
    taskTimeout: Timeout.duration(Duration.seconds(40)),
    retryOnServiceExceptions: false,
  });
  const finalize = (outcome: string, member: string, value: string) =>
    new DynamoUpdateItem(stack, outcome === 'COMPLETED' ? STATE.completed : STATE.failed, {
      table,
      key,
      updateExpression: 'SET #status = :outcome, #member = :value, finishedAt = :now',
      expressionAttributeNames: { '#status': 'status', '#member': member },
      expressionAttributeValues: {
        ':outcome': text(outcome),
        ':value': text(JsonPath.jsonToString(JsonPath.objectAt(value))),
        ':now': path(NOW),
      },
      resultPath: JsonPath.DISCARD,
    });
  const completed = finalize('COMPLETED', 'result', '$.step.answer');
  const failed = finalize('FAILED', 'error', '$.error');

  run.addCatch(failed, { resultPath: '$.error' });
  failed.next(new Fail(stack, 'Business step failed', { errorPath: '$.error.Error' }));
  completed.next(new Pass(stack, 'Answer', { outputPath: '$.step.answer' }));
  claim.addCatch(readTheLock(stack, table, claim), {
    errors: ['DynamoDB.ConditionalCheckFailedException'],
    resultPath: JsonPath.DISCARD,
  });
  const lock = new StateMachine(stack, 'Lock', {
    comment: commentWith('Runs a function once per order', {
      machine: 'workflow',
      scope: 'Lock',
      key: '$states.input.detail.orderId',
      retentionSeconds: 90 * 24 * 3600,
    }),
    definitionBody: DefinitionBody.fromChainable(claim.next(run).next(completed)),
  });
  new CfnOutput(stack, 'LockArn', { value: lock.stateMachineArn });
}

/** What a duplicate does: it reads until there is a result, or a failure to try again after. */
function readTheLock(stack: Stack, table: ITable, claim: DynamoPutItem): DynamoGetItem {
  const read = new DynamoGetItem(stack, 'Read record', {
    table,
    key: { idempotencyKey: path('$.detail.orderId') },
    resultPath: '$.record',
  });
  const stored = new Pass(stack, 'Return stored result', {
    parameters: { 'result.$': 'States.StringToJson($.record.Item.result.S)' },
    outputPath: '$.result',
  });
  const status = '$.record.Item.status.S';
  const judge = new Choice(stack, 'What does it say?')
    .when(Condition.stringEquals(status, 'COMPLETED'), stored)
    .when(Condition.stringEquals(status, 'FAILED'), claim)
    .otherwise(
      new Wait(stack, 'Wait for the other', { time: WaitTime.duration(Duration.seconds(10)) }).next(read),
    );
  read.next(judge);
  return read;
}
