import type { Stack } from 'aws-cdk-lib';
import { IdempotentWorkflow, type IWorkflowSource, type Step } from 'onceflow';

/** A workflow whose log is counted, and an alarm on what it counts. */
export function counted(stack: Stack, chargeFunction: Step, orders: IWorkflowSource): IdempotentWorkflow {
  // #region metrics
  const payments = new IdempotentWorkflow(stack, 'ChargePayment', {
    idempotencyKey: '{% $states.input.detail.orderId %}',
    step: chargeFunction,
    metrics: true,
  });
  payments.startFrom(orders);
  payments.metricMissingKey().createAlarm(stack, 'NoOrderId', { threshold: 1, evaluationPeriods: 1 });
  // #endregion
  return payments;
}
