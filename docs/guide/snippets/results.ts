import { Duration, type Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { BlockPublicAccess, Bucket } from 'aws-cdk-lib/aws-s3';
import { IdempotentWorkflow, Results } from 'onceflow';

/** A report whose result outgrows a record. */
export function report(stack: Stack, makeReport: IFunction): IdempotentWorkflow {
  // #region results
  const bucket = new Bucket(stack, 'Results', { blockPublicAccess: BlockPublicAccess.BLOCK_ALL });
  return new IdempotentWorkflow(stack, 'Report', {
    idempotencyKey: '{% $states.input.detail.month %}',
    step: makeReport,
    retention: Duration.days(30),
    results: Results.inBucket(bucket, { prefix: 'results/' }),
  });
  // #endregion
}
