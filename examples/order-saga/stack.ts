import path from 'node:path';
import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, LogLevel, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { RecordTable, Recovery } from 'onceflow';
import { saga } from './saga';

/** Orders from an event bus: each is reserved, charged and shipped, or nothing of it. */
export class OrderSagaStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const orders = new Table(this, 'Orders', {
      partitionKey: { name: 'orderId', type: AttributeType.STRING },
      sortKey: { name: 'part', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    });
    const step = (part: string, name: string) => this.stepFunction(part, name, orders);
    const { start, fragments } = saga(this, {
      orders,
      records: new RecordTable(this, 'Records'),
      stock: { forward: step('stock', 'reserve'), undo: step('stock', 'release') },
      payment: { forward: step('payment', 'charge'), undo: step('payment', 'refund') },
      shipping: { forward: step('shipping', 'ship'), undo: step('shipping', 'recall') },
    });

    const stateMachine = new StateMachine(this, 'Saga', {
      queryLanguage: QueryLanguage.JSONATA,
      definitionBody: DefinitionBody.fromChainable(start),
      tracingEnabled: true,
      logs: {
        level: LogLevel.ALL,
        destination: new LogGroup(this, 'Log', { retention: RetentionDays.ONE_MONTH }),
      },
    });
    for (const fragment of fragments) fragment.grantTo(stateMachine);
    Recovery.of(stateMachine);
    Validations.of(stateMachine).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason: 'to write its log and its traces, which IAM allows for all resources only',
    });

    const bus = new EventBus(this, 'Bus');
    new Rule(this, 'OrderPlaced', {
      eventBus: bus,
      eventPattern: { source: ['shop.orders'], detailType: ['OrderPlaced'] },
      targets: [
        new SfnStateMachine(stateMachine, {
          input: RuleTargetInput.fromEventPath('$.detail'),
          deadLetterQueue: this.undelivered(),
        }),
      ],
    });

    new CfnOutput(this, 'EventBusName', { value: bus.eventBusName });
    new CfnOutput(this, 'StateMachineArn', { value: stateMachine.stateMachineArn });
    new CfnOutput(this, 'OrdersTableName', { value: orders.tableName });
  }

  /** For events that the rule could not deliver within a day. */
  private undelivered(): Queue {
    const undelivered = new Queue(this, 'Undelivered', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(undelivered).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SQS3',
      reason: 'it is the dead-letter queue of a rule',
    });
    return undelivered;
  }

  private stepFunction(part: string, name: string, orders: Table): NodejsFunction {
    const step = new NodejsFunction(this, name, {
      entry: path.join(__dirname, `functions/${part}/handler.ts`),
      handler: name,
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(10),
      memorySize: 256,
      environment: { ORDERS_TABLE: orders.tableName },
      bundling: { bundleAwsSDK: true, minify: true, target: 'node20' },
    });
    orders.grant(step, 'dynamodb:UpdateItem');
    Validations.of(step).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      reason: 'it may write its own log; beside that it may update the orders and nothing else',
    });
    return step;
  }
}
