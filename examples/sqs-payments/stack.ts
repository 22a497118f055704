import path from 'node:path';
import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { IdempotentWorkflow, Source } from 'onceflow';

/** Payments from a queue: a message stays until its payment is made, or it goes to the dead-letter queue. */
export class SqsPaymentsStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const secure = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    const unpayable = new Queue(this, 'Unpayable', { ...secure, retentionPeriod: Duration.days(14) });
    const queue = new Queue(this, 'Payments', {
      ...secure,
      // Longer than a payment counts as in progress when its execution was interrupted: the workflow's timeout, and 40
      // seconds for the step. So the next receive finds it finished, failed, or free.
      visibilityTimeout: Duration.minutes(3),
      deadLetterQueue: { queue: unpayable, maxReceiveCount: 5 },
    });

    const accounts = new Table(this, 'Accounts', {
      partitionKey: { name: 'account', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    });
    const payments = new IdempotentWorkflow(this, 'Pay', {
      scope: 'Pay',
      idempotencyKey: '{% $states.input.paymentId %}',
      payload: "{% $states.input.{'account': account, 'amount': amount} %}",
      step: this.payFunction(accounts),
      // The queue's function waits for the end of an Express execution: only then does the message go.
      type: 'EXPRESS',
      timeout: Duration.minutes(2),
    });
    payments.startFrom(Source.queue(queue));

    new CfnOutput(this, 'QueueUrl', { value: queue.queueUrl });
    new CfnOutput(this, 'DeadLetterQueueUrl', { value: unpayable.queueUrl });
    new CfnOutput(this, 'AccountsTableName', { value: accounts.tableName });
  }

  private payFunction(accounts: Table): NodejsFunction {
    const pay = new NodejsFunction(this, 'PayFunction', {
      entry: path.join(__dirname, 'functions/pay/handler.ts'),
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(10),
      memorySize: 256,
      environment: { ACCOUNTS_TABLE: accounts.tableName },
      bundling: { bundleAwsSDK: true, minify: true, target: 'node20' },
    });
    accounts.grant(pay, 'dynamodb:UpdateItem');
    Validations.of(pay).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      reason: 'it may write its own log; beside that it may update the accounts and nothing else',
    });
    return pay;
  }
}
