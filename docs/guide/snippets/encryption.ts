import { Key } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { IdempotentWorkflow } from 'onceflow';

/** A workflow whose data is encrypted with a key of the app's own. */
export function encryptPayments(stack: Construct, charge: IFunction): IdempotentWorkflow {
  // #region key
  return new IdempotentWorkflow(stack, 'ChargePayment', {
    scope: 'ChargePayment',
    idempotencyKey: '{% $states.input.detail.orderId %}',
    step: charge,
    encryptionKey: new Key(stack, 'PaymentsKey', { enableKeyRotation: true }),
  });
  // #endregion
}
