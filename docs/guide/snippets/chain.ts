import { Duration, type Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { JsonPath } from 'aws-cdk-lib/aws-stepfunctions';
import { DynamoAttributeValue, DynamoPutItem, LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { IdempotentWorkflow } from 'onceflow';

/** A business step of two tasks: a function makes the label, a direct integration writes the parcel down. */
export function ship(stack: Stack, label: IFunction, parcels: ITable): IdempotentWorkflow {
  // #region chain
  const makeLabel = LambdaInvoke.jsonata(stack, 'Make the label', {
    lambdaFunction: label,
    outputs: '{% $states.result.Payload %}',
    // CDK repeats a call whose answer was lost, and the first one may still run.
    retryOnServiceExceptions: false,
  });
  const writeParcel = DynamoPutItem.jsonata(stack, 'Write the parcel', {
    table: parcels,
    item: { parcel: DynamoAttributeValue.fromString('{% $states.input.parcel %}') },
    outputs: '{% $states.input %}',
  });
  return new IdempotentWorkflow(stack, 'Ship', {
    idempotencyKey: '{% $states.input.detail.orderId %}',
    step: makeLabel.next(writeParcel),
    // The function's timeout: nothing of the chain works on for longer than that.
    stepTimeout: Duration.seconds(30),
  });
  // #endregion
}

/** The same of states as CDK makes them where nothing is said of a query language: in JSONPath. */
export function shipInJsonPath(stack: Stack, label: IFunction, parcels: ITable): IdempotentWorkflow {
  // #region jsonpath
  const makeLabel = new LambdaInvoke(stack, 'Make the label', {
    lambdaFunction: label,
    outputPath: '$.Payload',
    retryOnServiceExceptions: false,
  });
  const writeParcel = new DynamoPutItem(stack, 'Write the parcel', {
    table: parcels,
    item: { parcel: DynamoAttributeValue.fromString(JsonPath.stringAt('$.parcel')) },
    resultPath: JsonPath.DISCARD,
  });
  return new IdempotentWorkflow(stack, 'Ship', {
    idempotencyKey: '{% $states.input.detail.orderId %}',
    // The chain finds its data where it has found it so far.
    stepInput: '{% $states.input %}',
    step: makeLabel.next(writeParcel),
    stepTimeout: Duration.seconds(30),
  });
  // #endregion
}
