import type { Stack } from 'aws-cdk-lib';
import { IdempotentWorkflow, KeepPayload, Key, type Step } from 'onceflow';

/** A key of two parts: the number of an invoice counts within its tenant. */
export function sendInvoices(stack: Stack, send: Step): IdempotentWorkflow {
  // #region composite
  return new IdempotentWorkflow(stack, 'SendInvoice', {
    idempotencyKey: ['{% $states.input.detail.tenant %}', '{% $states.input.detail.invoice %}'],
    step: send,
  });
  // #endregion
}

/** Reports have no number: those with the same content are the same. */
export function keepReports(stack: Stack, keep: Step): IdempotentWorkflow {
  // #region of-payload
  return new IdempotentWorkflow(stack, 'KeepReport', {
    idempotencyKey: Key.ofPayload('{% $states.input.detail %}'),
    step: keep,
  });
  // #endregion
}

/** An invitation for each address, which no name of an execution shows. */
export function invite(stack: Stack, step: Step): IdempotentWorkflow {
  return new IdempotentWorkflow(stack, 'Invite', {
    idempotencyKey: '{% $states.input.detail.email %}',
    // #region names
    executionNames: 'hash',
    // #endregion
    step,
  });
}

/** A welcome for each address, which neither a name nor the record shows. */
export function welcome(stack: Stack, step: Step): IdempotentWorkflow {
  return new IdempotentWorkflow(stack, 'Welcome', {
    // #region hidden
    idempotencyKey: Key.ofPayload('{% $states.input.detail.email %}'),
    // #endregion
    step,
  });
}

/** Payments of which an auditor finds the requests, and no reader finds a card. */
export function chargeWithEvidence(stack: Stack, charge: Step): IdempotentWorkflow {
  return new IdempotentWorkflow(stack, 'Charge', {
    // #region keep-payload
    idempotencyKey: '{% $states.input.detail.orderId %}',
    payload: '{% $states.input.detail %}',
    keepPayload: KeepPayload.redacted(
      "{% $states.input.detail.{'amount': amount, 'currency': currency, 'card': '…' & $substring(card, -4)} %}",
    ),
    // #endregion
    step: charge,
  });
}
