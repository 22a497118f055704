import type { Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { IdempotentWorkflow, RecordTable, type Step } from 'onceflow';

/** A workflow whose records lie in the one table that a team has for everything. */
export function chargeOnSingleTable(stack: Stack, shop: ITable, charge: Step): IdempotentWorkflow {
  // #region single-table
  const table = RecordTable.fromTable(shop, {
    partitionKey: 'PK',
    sortKey: { name: 'SK', value: 'IDEMPOTENCY' },
    timeToLiveAttribute: 'ttl',
  });
  return new IdempotentWorkflow(stack, 'ChargePayment', {
    table,
    scope: 'CHARGE',
    idempotencyKey: '{% $states.input.detail.orderId %}',
    step: charge,
  });
  // #endregion
}
