import path from 'node:path';
import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { IdempotentWorkflow, Source } from 'onceflow';

/** Settings of a {@link ProviderKeyStack}. */
export interface ProviderKeyStackProps extends StackProps {
  /** The URL of the payment provider, without a slash at the end. */
  readonly providerUrl: string;
}

/** Orders that are charged at a payment provider, which gets the workflow's key. */
export class ProviderKeyStack extends Stack {
  constructor(scope: Construct, id: string, { providerUrl, ...props }: ProviderKeyStackProps) {
    super(scope, id, props);
    const orders = new EventBus(this, 'Orders');
    const charge = new NodejsFunction(this, 'Charge', {
      entry: path.join(__dirname, 'functions/charge/handler.ts'),
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(20),
      memorySize: 256,
      environment: { PROVIDER_URL: providerUrl },
      bundling: { minify: true, target: 'node20' },
    });
    Validations.of(charge).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      reason: 'it may write its own log and nothing else',
    });
    const payments = new IdempotentWorkflow(this, 'ChargeOrder', {
      scope: 'ChargeOrder',
      idempotencyKey: '{% $states.input.detail.orderId %}',
      payload: "{% $states.input.detail.{'card': card, 'amountCents': amountCents} %}",
      step: charge,
      // A charge with an unknown end is requested again, under the same key: the provider knows.
      retry: {
        errors: ['ProviderBusy', 'ProviderUnreachable'],
        interval: Duration.seconds(5),
        backoffRate: 2,
        maxAttempts: 6,
        maxDelay: Duration.minutes(1),
      },
    });
    payments.startFrom(Source.eventBridge(orders, { source: ['shop'], detailType: ['OrderPlaced'] }));

    new CfnOutput(this, 'EventBusName', { value: orders.eventBusName });
    new CfnOutput(this, 'StateMachineArn', { value: payments.stateMachine.stateMachineArn });
    new CfnOutput(this, 'RecordTableName', { value: payments.table.tableName });
  }
}
