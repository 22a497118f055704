import path from 'node:path';
import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';

import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import { IdempotentWorkflow, Source } from 'onceflow';

/** An hourly report: one for each scheduled time, however often the schedule fires for it. */
export class ScheduledReportStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const sales = this.table('Sales', 'hour', 'saleId');
    // Room for several reports of one time: a step that ran twice would show.
    const reports = this.table('Reports', 'scheduledTime', 'reportId');

    const hourly = new IdempotentWorkflow(this, 'HourlyReport', {
      scope: 'HourlyReport',
      idempotencyKey: '{% $states.input.time %}',
      step: this.writeReportFunction(sales, reports),
    });
    hourly.startFrom(Source.schedule(ScheduleExpression.cron({ minute: '0' })));

    new CfnOutput(this, 'StateMachineArn', { value: hourly.stateMachine.stateMachineArn });
    new CfnOutput(this, 'SalesTableName', { value: sales.tableName });
    new CfnOutput(this, 'ReportsTableName', { value: reports.tableName });
  }

  private table(id: string, partitionKey: string, sortKey: string): Table {
    return new Table(this, id, {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      sortKey: { name: sortKey, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    });
  }

  private writeReportFunction(sales: Table, reports: Table): NodejsFunction {
    const writeReport = new NodejsFunction(this, 'WriteReportFunction', {
      entry: path.join(__dirname, 'functions/write-report/handler.ts'),
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(30),
      memorySize: 256,
      environment: { SALES_TABLE: sales.tableName, REPORTS_TABLE: reports.tableName },
      bundling: { bundleAwsSDK: true, minify: true, target: 'node20' },
    });
    sales.grant(writeReport, 'dynamodb:Query');
    reports.grant(writeReport, 'dynamodb:PutItem');
    Validations.of(writeReport).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      reason: 'it may write its own log; beside that it may read the sales and write reports',
    });
    return writeReport;
  }
}
