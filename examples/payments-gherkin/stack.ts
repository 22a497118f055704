import path from 'node:path';
import { Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { IdempotentWorkflow, Source } from 'onceflow';

/** A shop: its orders come from an event bus, and each is charged to a card once. */
export class ShopStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const orders = new EventBus(this, 'Orders');
    const cards = new Table(this, 'Cards', {
      partitionKey: { name: 'card', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    });
    const chargeCard = new NodejsFunction(this, 'ChargeCard', {
      entry: path.join(__dirname, 'functions/charge-card/handler.ts'),
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(10),
      memorySize: 256,
      environment: { CARDS_TABLE: cards.tableName },
      bundling: { bundleAwsSDK: true, minify: true, target: 'node20' },
    });
    Validations.of(chargeCard).acknowledge({
      id: BASIC_EXECUTION,
      reason: 'it may write its own log; all else is granted table by table',
    });
    cards.grant(chargeCard, 'dynamodb:UpdateItem');

    const payments = new IdempotentWorkflow(this, 'Payments', {
      scope: 'Payments',
      idempotencyKey: '{% $states.input.detail.orderId %}',
      payload: "{% $states.input.detail.{'card': card, 'amountCents': amountCents} %}",
      step: chargeCard,
    });
    payments.startFrom(Source.eventBridge(orders, { source: ['shop'], detailType: ['OrderPlaced'] }));
  }
}

/** As cdk-nag writes the finding that a function's role has this managed policy. */
const BASIC_EXECUTION =
  'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]';
