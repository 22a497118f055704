import type { Stack } from 'aws-cdk-lib';
import { IdempotentWorkflow, type Step } from 'onceflow';

/** A key of two parts: the number of an invoice counts within its tenant. */
export function sendInvoices(stack: Stack, send: Step): IdempotentWorkflow {
  // #region composite
  return new IdempotentWorkflow(stack, 'SendInvoice', {
    idempotencyKey: ['{% $states.input.detail.tenant %}', '{% $states.input.detail.invoice %}'],
    step: send,
  });
  // #endregion
}
