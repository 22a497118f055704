import type { Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { IdempotentWorkflow, Source, type StepEvent } from 'onceflow';

/** What the shop's bus carries. */
export interface OrderPlaced {
  readonly detail: { readonly orderId: string; readonly amount: number };
}

/** How the provider charges a card. */
export type Charge = (amount: number, options?: { readonly idempotencyKey: string }) => Promise<string>;

/** A handler from before onceflow: it gets the event, and answers with a status and a body. */
export function existingHandler(charge: Charge) {
  // #region handler
  return async (event: OrderPlaced) => {
    const receipt = await charge(event.detail.amount);
    return { statusCode: 200, body: { receipt } };
  };
  // #endregion
}

/** The workflow around it: nothing in the handler changes. */
export function aroundTheHandler(stack: Stack, handler: IFunction): IdempotentWorkflow {
  // #region workflow
  return new IdempotentWorkflow(stack, 'ChargePayment', {
    scope: 'ChargePayment',
    idempotencyKey: '{% $states.input.detail.orderId %}',
    payload: '{% $states.input.detail.amount %}',
    step: handler,
    stepInput: '{% $states.input %}',
    stepResult: '{% $states.result.body %}',
  });
  // #endregion
}

/** The same for a handler that wants the key where it looks for it. */
export function withTheKeyInAHeader(stack: Stack, handler: IFunction): IdempotentWorkflow {
  return new IdempotentWorkflow(stack, 'ChargePayment', {
    idempotencyKey: '{% $states.input.detail.orderId %}',
    step: handler,
    // #region key
    stepInput: {
      detail: '{% $states.input.detail %}',
      headers: { 'Idempotency-Key': '{% $idempotencyKey %}' },
      attempt: '{% $attempt %}',
    },
    // #endregion
  });
}

/** The handler as it may be one day: it hands the key on, so that a step that was cut off charges once. */
export function handlerWithKey(charge: Charge) {
  // #region step-event
  return async ({ idempotencyKey, input }: StepEvent<OrderPlaced>) => {
    return { receipt: await charge(input.detail.amount, { idempotencyKey }) };
  };
  // #endregion
}

// #region proxy-mapping
/** The event that a handler behind API Gateway reads. */
export const proxyEvent = {
  headers: { 'Content-Type': 'application/json', 'Idempotency-Key': '{% $states.input.idempotencyKey[1] %}' },
  body: '{% $string($states.input.body) %}',
};
/** The answer, out of `{ statusCode, body }`; a body that is text is sent as it is. */
export const proxyAnswer = { status: '{% $result.statusCode %}', body: '{% $result.body %}' };
// #endregion

/** A handler that was behind API Gateway, behind `Source.http`: nothing in it changes. */
export function behindHttp(stack: Stack, handler: IFunction): IdempotentWorkflow {
  // #region proxy
  const payments = new IdempotentWorkflow(stack, 'ChargePayment', {
    idempotencyKey: '{% $states.input.idempotencyKey %}',
    payload: '{% $states.input.body %}',
    step: handler,
    stepInput: proxyEvent,
  });
  payments.startFrom(Source.http('payments', { response: proxyAnswer }));
  // #endregion
  return payments;
}

/** The same while the handler still has the guard of Powertools around it. */
export function behindHttpWithPowertools(stack: Stack, handler: IFunction): IdempotentWorkflow {
  // #region from-powertools
  const payments = new IdempotentWorkflow(stack, 'ChargePayment', {
    idempotencyKey: '{% $states.input.idempotencyKey %}',
    payload: '{% $states.input.body %}',
    step: handler,
    stepInput: proxyEvent,
  });
  payments.startFrom(
    Source.http('payments', {
      response: proxyAnswer,
      errors: { IdempotencyAlreadyInProgressError: 409 },
    }),
  );
  // #endregion
  return payments;
}
