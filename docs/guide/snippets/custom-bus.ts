import { Duration, Stack } from 'aws-cdk-lib';
import { CfnEventBus, CfnSubscriber } from 'aws-cdk-lib/aws-eventsv2';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type IdempotentWorkflow, Source } from 'onceflow';

/** A subscriber of the bus with this ARN writes to a queue, from which the workflow starts. */
export function startFromCustomBus(
  scope: Construct,
  eventBusArn: string,
  payments: IdempotentWorkflow,
): void {
  // #region subscriber
  const failed = new Queue(scope, 'FailedOrders', { retentionPeriod: Duration.days(14) });
  const orders = new Queue(scope, 'PublishedOrders', {
    visibilityTimeout: Duration.minutes(5),
    deadLetterQueue: { queue: failed, maxReceiveCount: 5 },
  });
  const undelivered = new Queue(scope, 'UndeliveredOrders', { retentionPeriod: Duration.days(14) });
  const { account, region, partition } = Stack.of(scope);
  const role = new Role(scope, 'DeliveryRole', {
    assumedBy: new ServicePrincipal('events.amazonaws.com', {
      conditions: {
        StringEquals: { 'aws:SourceAccount': account },
        ArnLike: { 'aws:SourceArn': `arn:${partition}:events:${region}:${account}:subscriber/*` },
      },
    }),
  });
  orders.grantSendMessages(role);
  undelivered.grantSendMessages(role);
  const subscriber = new CfnSubscriber(scope, 'Subscriber', {
    name: 'orders-to-payments',
    eventBusArn,
    filterConfiguration: {
      filters: [{ scope: 'DATA', pattern: JSON.stringify({ source: ['shop.orders'] }) }],
    },
    invokeConfiguration: { targetArn: orders.queueArn, roleArn: role.roleArn, sqsParameters: {} },
    transformer: { type: 'RAW' },
    // The defaults are 5 retries within 5 minutes, also where the role may not send yet.
    retryPolicy: { maxRetryAttempts: 185, maxEventAgeInSeconds: 86_400 },
    onFailureConfiguration: { arn: undelivered.queueArn },
  });
  subscriber.node.addDependency(role);
  payments.startFrom(Source.queue(orders));
  // #endregion
}

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
