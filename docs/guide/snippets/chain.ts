import { Duration, type Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
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
