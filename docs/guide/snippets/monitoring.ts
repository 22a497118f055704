import type { Stack } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { IdempotentWorkflow, type IWorkflowSource, Monitoring, type Step } from 'onceflow';

/** A workflow whose log is counted, and an alarm on what it counts. */
export function counted(stack: Stack, chargeFunction: Step, orders: IWorkflowSource): IdempotentWorkflow {
  // #region metrics
  const payments = new IdempotentWorkflow(stack, 'ChargePayment', {
    idempotencyKey: '{% $states.input.detail.orderId %}',
    step: chargeFunction,
    metrics: true,
  });
  payments.startFrom(orders);
  payments.metricInvalidEvent().createAlarm(stack, 'NoOrderId', { threshold: 1, evaluationPeriods: 1 });
  // #endregion
  return payments;
}

/** All alarms of a workflow, which notify the subscribers of a topic, and a dashboard. */
export function monitored(stack: Stack, payments: IdempotentWorkflow, onCall: ITopic): Monitoring {
  // #region monitoring
  return new Monitoring(stack, 'Monitoring', {
    workflow: payments,
    actions: [new SnsAction(onCall)],
  });
  // #endregion
}
