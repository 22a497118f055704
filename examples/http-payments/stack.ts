import path from 'node:path';
import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AuthorizationType } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { IdempotentWorkflow, Source } from 'onceflow';

/** Payments by HTTP, each made once. */
export class HttpPaymentsStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const ledger = new Table(this, 'Ledger', {
      partitionKey: { name: 'chargeId', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    });
    const charge = new NodejsFunction(this, 'Charge', {
      entry: path.join(__dirname, 'functions/charge/handler.ts'),
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(10),
      environment: { LEDGER: ledger.tableName },
      bundling: { bundleAwsSDK: true, minify: true, target: 'node20' },
    });
    ledger.grant(charge, 'dynamodb:PutItem');
    Validations.of(charge).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      reason: 'it may write its own log',
    });

    const payments = new IdempotentWorkflow(this, 'Payments', {
      scope: 'Payments',
      idempotencyKey: '{% $states.input.idempotencyKey %}',
      payload: '{% $states.input.body %}',
      step: charge,
    });
    const http = Source.http('payments', {
      // An example without a login.
      methodOptions: { authorizationType: AuthorizationType.NONE },
      errors: { CardDeclined: 402 },
      cors: { allowOrigins: ['https://shop.example', 'https://pay.example'] },
      response: { status: 201, headers: { ETag: `{% '"' & $result.chargeId & '"' %}` } },
    });
    payments.startFrom(http);
    // Any caller may pay here; an authorizer in `methodOptions` would name the caller, a firewall is the team's.
    for (const rule of ['APIG3', 'APIG4', 'COG4']) {
      Validations.of(http.api).acknowledge({
        id: `AwsSolutions::AwsSolutions-${rule}`,
        reason: 'an example',
      });
    }

    new CfnOutput(this, 'Url', { value: http.api.urlForPath('/payments') });
    new CfnOutput(this, 'LedgerName', { value: ledger.tableName });
    new CfnOutput(this, 'StateMachineArn', { value: payments.stateMachine.stateMachineArn });
  }
}
