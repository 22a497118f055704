import { Duration } from 'aws-cdk-lib';
import { AuthorizationType, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { IdempotentWorkflow, Key, Source } from 'onceflow';

/** A payment for each request. */
export function payByHttp(stack: Construct, charge: IFunction): IdempotentWorkflow {
  // #region payments
  const payments = new IdempotentWorkflow(stack, 'ChargePayment', {
    scope: 'ChargePayment',
    idempotencyKey: '{% $states.input.idempotencyKey %}',
    payload: "{% $states.input.{'path': path, 'body': body} %}",
    step: charge,
  });
  payments.startFrom(Source.http('payments', { errors: { CardDeclined: 402 } }));
  // #endregion
  return payments;
}

/** The same at the price of an Express workflow. */
export function quoteByHttp(stack: Construct, quote: IFunction): void {
  // #region express
  const quotes = new IdempotentWorkflow(stack, 'Quote', {
    idempotencyKey: '{% $states.input.idempotencyKey %}',
    payload: '{% $states.input.body %}',
    step: quote,
    type: 'EXPRESS',
    timeout: Duration.minutes(2),
  });
  quotes.startFrom(Source.http('quotes'));
  // #endregion
}

/** A key that is a member of the body. */
export function keyInTheBody(payments: IdempotentWorkflow): void {
  // #region body-key
  payments.startFrom(Source.http('payments', { idempotencyKey: '{% $states.input.body.paymentId %}' }));
  // #endregion
}

/** A key of several values. */
export function compositeKey(payments: IdempotentWorkflow): void {
  // #region composite-key
  payments.startFrom(
    Source.http('payments', {
      idempotencyKey: ['{% $states.input.body.userId %}', '{% $states.input.body.productId %}'],
    }),
  );
  // #endregion
}

/** A key that is the hash of the body. */
export function hashOfTheBody(payments: IdempotentWorkflow): void {
  // #region hash-key
  payments.startFrom(Source.http('payments', { idempotencyKey: Key.ofPayload('{% $states.input.body %}') }));
  // #endregion
}

/** A workflow that reads other inputs, and tells the callers apart all the same. */
export function callersInTheInput(stack: Construct, charge: IFunction): void {
  // #region caller
  const payments = new IdempotentWorkflow(stack, 'ChargePayment', {
    idempotencyKey: ['{% $states.input.caller %}', '{% $states.input.body.orderId %}'],
    step: charge,
  });
  payments.startFrom(
    Source.http('payments', {
      input: "{% {'caller': $states.input.principal, 'body': $states.input.body} %}",
    }),
  );
  // #endregion
}

/** An answer made of the result. */
export function answerCreated(payments: IdempotentWorkflow): void {
  // #region response
  payments.startFrom(
    Source.http('payments', {
      response: { status: 201, headers: { ETag: "{% '\"' & $result.chargeId & '\"' %}" } },
    }),
  );
  // #endregion
}

/** A workflow that is started by events and by requests, of which each order is one. */
export function startFromBoth(payments: IdempotentWorkflow, bus: IEventBus): void {
  // #region both
  payments.startFrom(Source.eventBridge(bus, { source: ['shop.orders'] }));
  payments.startFrom(
    Source.http('payments', {
      idempotencyKey: '{% $states.input.body.orderId %}',
      input: "{% {'detail': $states.input.body} %}",
    }),
  );
  // #endregion
}

/** A resource of an API of the app's own. */
export function startFromOwnApi(payments: IdempotentWorkflow, api: RestApi): void {
  // #region resource
  payments.startFrom(
    Source.http(api.root.addResource('charges'), {
      methodOptions: { authorizationType: AuthorizationType.IAM, apiKeyRequired: true },
    }),
  );
  // #endregion
}

/** What API Gateway answers itself, readable for a page. */
export function readableRejections(api: RestApi): void {
  // #region gateway
  const responseHeaders = { 'Access-Control-Allow-Origin': "'https://shop.example'" };
  api.addGatewayResponse('Rejected', { type: ResponseType.DEFAULT_4XX, responseHeaders });
  api.addGatewayResponse('NotAnswered', { type: ResponseType.DEFAULT_5XX, responseHeaders });
  // #endregion
}
