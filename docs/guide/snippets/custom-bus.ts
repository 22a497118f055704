import { CfnEventBus, CfnSubscriber } from 'aws-cdk-lib/aws-eventsv2';
import type { Construct } from 'constructs';
import { type IdempotentWorkflow, Source } from 'onceflow';

/** The custom bus of orders starts the workflow. */
export function startFromOrders(scope: Construct, payments: IdempotentWorkflow): void {
  // #region source
  const orders = new CfnEventBus(scope, 'Orders', {
    name: 'orders',
    storageConfiguration: { retentionPeriodInDays: 3 },
  });
  payments.startFrom(
    Source.customEventBus(orders, { data: { source: ['shop.orders'], 'detail-type': ['OrderPlaced'] } }),
  );
  // #endregion
}

/** Delivers events of which only ids are known, as the subscriber of a source does. */
export function getBack(
  scope: Construct,
  source: { eventBusArn: string; targetArn: string; roleArn: string },
): void {
  const { eventBusArn, targetArn, roleArn } = source;
  // #region get-back
  const eventIds = ['0b1c2d3e-0000-4000-8000-000000000001'];
  new CfnSubscriber(scope, 'GetBack', {
    name: 'get-back',
    eventBusArn,
    startingPosition: 'POINT_IN_TIME',
    pointInTimeConfiguration: {
      pointType: 'TIMESTAMP',
      startingPoint: 1_791_122_400,
      endPoint: 1_791_126_000,
    },
    filterConfiguration: {
      filters: [{ scope: 'SYSTEM_METADATA', pattern: JSON.stringify({ 'aws:EventId': eventIds }) }],
    },
    invokeConfiguration: {
      targetArn,
      roleArn,
      stepFunctionsParameters: { invocationType: 'REQUEST_RESPONSE', invocationTimeoutSeconds: '30' },
    },
    batchConfiguration: { maxBatchSize: 1 },
  });
  // #endregion
}
