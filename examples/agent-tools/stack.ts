import path from 'node:path';
import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { type IdempotencyProps, IdempotentWorkflow, Key, OnFailed, RecordTable } from 'onceflow';

/**
 * The tools of an agent, each call of which has its effect once: a call is known by its run, its tool and its
 * arguments, however often and by whomever it is made.
 */
export class AgentToolsStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const effects = new Table(this, 'Effects', {
      partitionKey: { name: 'effectId', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    });
    const records = new RecordTable(this, 'Records');
    const shared = { ...TOOL_CALL, table: records, step: this.runTool(effects) };

    // A failure that may pass: the call is made again when the agent, or its replay, asks again.
    const retried = new IdempotentWorkflow(this, 'Retried', { ...shared, scope: 'Retried' });
    // A failure that is the answer: a caller that asks again gets the same, also if the tool would agree by now.
    const decided = new IdempotentWorkflow(this, 'Decided', {
      ...shared,
      scope: 'Decided',
      onFailedBefore: OnFailed.returnStoredFailure(),
    });

    new CfnOutput(this, 'RetriedArn', { value: retried.stateMachine.stateMachineArn });
    new CfnOutput(this, 'DecidedArn', { value: decided.stateMachine.stateMachineArn });
    new CfnOutput(this, 'RecordTableName', { value: records.tableName });
    new CfnOutput(this, 'EffectsTableName', { value: effects.tableName });
  }

  private runTool(effects: Table): NodejsFunction {
    const runTool = new NodejsFunction(this, 'RunTool', {
      entry: path.join(__dirname, 'functions/run-tool/handler.ts'),
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(10),
      memorySize: 256,
      environment: { EFFECTS_TABLE: effects.tableName },
      bundling: { bundleAwsSDK: true, minify: true, target: 'node20' },
    });
    effects.grant(runTool, 'dynamodb:PutItem');
    Validations.of(runTool).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      reason: 'it may write its own log; beside that it may write effects and nothing else',
    });
    return runTool;
  }
}

/** What a tool call is: `requestId` is another in each try, and no part of it. */
const TOOL_CALL: Pick<IdempotencyProps, 'idempotencyKey'> = {
  idempotencyKey: Key.ofPayload("{% $states.input.{'run': run, 'tool': tool, 'arguments': arguments} %}"),
};
