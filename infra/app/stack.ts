import path from 'node:path';
import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { IdempotentWorkflow, Source } from '../index';

/** The reference deployment: orders from an event bus, each charged once. */
export class PaymentsStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const orders = new EventBus(this, 'Orders');
    const charges = new Table(this, 'Charges', {
      partitionKey: { name: 'idempotencyKey', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    });
    const chargePayment = new NodejsFunction(this, 'ChargePaymentFunction', {
      entry: path.join(__dirname, '../../functions/charge-payment/handler.ts'),
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(10),
      memorySize: 256,
      environment: { CHARGES_TABLE: charges.tableName },
      // The SDK goes into the bundle: what was tested is what is deployed.
      bundling: { bundleAwsSDK: true, minify: true, target: 'node20' },
    });
    Validations.of(chargePayment).acknowledge({
      id: BASIC_EXECUTION,
      reason: 'it may write its own log; all else is granted table by table',
    });
    charges.grant(chargePayment, 'dynamodb:UpdateItem');

    const payments = new IdempotentWorkflow(this, 'ChargePayment', {
      scope: 'ChargePayment',
      idempotencyKey: '{% $states.input.detail.orderId %}',
      payload: "{% $states.input.detail.{'amount': amount, 'currency': currency} %}",
      step: chargePayment,
    });
    payments.startFrom(Source.eventBridge(orders, { source: ['shop.orders'], detailType: ['OrderPlaced'] }));
    const { queue, unreadable } = this.ordersQueue();
    payments.startFrom(Source.queue(queue));

    new CfnOutput(this, 'StateMachineArn', { value: payments.stateMachine.stateMachineArn });
    if (payments.recovery) {
      new CfnOutput(this, 'RecoveryArn', { value: payments.recovery.stateMachine.stateMachineArn });
    }
    new CfnOutput(this, 'RecordTableName', { value: payments.table.tableName });
    new CfnOutput(this, 'ChargesTableName', { value: charges.tableName });
    new CfnOutput(this, 'EventBusName', { value: orders.eventBusName });
    new CfnOutput(this, 'QueueUrl', { value: queue.queueUrl });
    new CfnOutput(this, 'DeadLetterQueueUrl', { value: unreadable.queueUrl });
    new CfnOutput(this, 'RecordScope', { value: payments.recordScope });
  }

  /**
   * The same orders, for shops that send messages instead of events. A message that cannot be read five times is set
   * aside.
   */
  private ordersQueue(): { readonly queue: Queue; readonly unreadable: Queue } {
    const secure = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    const unreadable = new Queue(this, 'UnreadableOrders', { ...secure, retentionPeriod: Duration.days(14) });
    const queue = new Queue(this, 'OrdersQueue', {
      ...secure,
      visibilityTimeout: Duration.minutes(3),
      deadLetterQueue: { queue: unreadable, maxReceiveCount: 5 },
    });
    return { queue, unreadable };
  }
}

/** As cdk-nag writes the finding that a function's role has this managed policy. */
const BASIC_EXECUTION =
  'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]';
