import path from 'node:path';
import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { IdempotentWorkflow, Source } from 'onceflow';
import { userOf, windowOf } from './request';

/** Settings of a {@link WindowedRateLimiterStack}. */
export interface WindowedRateLimiterStackProps extends StackProps {
  /** How many requests of a user pass in a window: 1 to 10^9. */
  readonly limit: number;
  /** The length of a window, in whole seconds, up to 31 days. Windows follow each other; they do not slide. */
  readonly window: Duration;
  /**
   * Over how many counters a user's window is spread, 1 to 50, and not more than the limit: one counter takes some
   * hundred requests a second.
   *
   * @default 1
   */
  readonly shards?: number;
  /**
   * The way in which a request over the quota is rejected. `failure`: its execution fails with
   * `RateLimiter.QuotaExceeded`, and it is judged anew when it comes again. `limited`: every request is answered with
   * `{ limited: true }` or `{ limited: false }`, and keeps its answer.
   *
   * @default failure
   */
  readonly answer?: 'failure' | 'limited';
}

/**
 * Lets at most so many requests of a user and window pass, each counted once however often it is delivered: an item for
 * each request, and a number beside, written together in one transaction.
 */
export class WindowedRateLimiterStack extends Stack {
  constructor(scope: Construct, id: string, props: WindowedRateLimiterStackProps) {
    super(scope, id, props);
    const { limit, shards = 1, answer = 'failure' } = props;
    const seconds = props.window.toSeconds();
    requireWhole('limit', limit, 1_000_000_000);
    requireWhole('shards', shards, Math.min(50, limit));
    requireWhole('window', seconds, 31 * 24 * 3600);

    const bus = new EventBus(this, 'Requests');
    const [counted, counters] = [this.table('Counted', 'requestId'), this.table('Counters', 'counter')];
    const count = this.countFunction(counted, counters, {
      ...{ LIMIT: String(limit), SHARDS: String(shards), WINDOW_SECONDS: String(seconds) },
      ANSWER: answer,
    });
    const request = '$states.input.detail';
    const limiter = new IdempotentWorkflow(this, 'RateLimiter', {
      scope: 'RateLimiter',
      idempotencyKey: `{% ${request}.requestId %}`,
      payload: `{% { 'user': ${userOf(request)}, 'window': ${windowOf(request, seconds)} } %}`,
      step: count,
      stepInput: {
        requestId: '{% $idempotencyKey %}',
        user: `{% ${userOf(request)} %}`,
        window: `{% ${windowOf(request, seconds)} %}`,
      },
      // Safe for any error: a request that is counted is not counted again.
      retry: { errors: ['CounterBusy'], interval: Duration.seconds(1), backoffRate: 2, maxAttempts: 6 },
      retention: Duration.days(7),
    });
    limiter.startFrom(Source.eventBridge(bus, { source: ['api'], detailType: ['RequestMade'] }));

    new CfnOutput(this, 'EventBusName', { value: bus.eventBusName });
    new CfnOutput(this, 'StateMachineArn', { value: limiter.stateMachine.stateMachineArn });
    new CfnOutput(this, 'CountersTableName', { value: counters.tableName });
    new CfnOutput(this, 'CountedTableName', { value: counted.tableName });
  }

  private table(id: string, key: string): Table {
    return new Table(this, id, {
      partitionKey: { name: key, type: AttributeType.STRING },
      timeToLiveAttribute: 'expiry',
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    });
  }

  private countFunction(counted: Table, counters: Table, settings: Record<string, string>): NodejsFunction {
    const count = new NodejsFunction(this, 'CountRequest', {
      entry: path.join(__dirname, 'functions/count-request/handler.ts'),
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(10),
      memorySize: 256,
      environment: { COUNTED_TABLE: counted.tableName, COUNTERS_TABLE: counters.tableName, ...settings },
      bundling: { bundleAwsSDK: true, minify: true, target: 'node20' },
    });
    counted.grant(count, 'dynamodb:PutItem');
    counters.grant(count, 'dynamodb:UpdateItem');
    Validations.of(count).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      reason: 'it may write its own log; beside that it may count requests and nothing else',
    });
    return count;
  }
}

function requireWhole(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  const unit = name === 'window' ? 'number of seconds' : 'number';
  throw new Error(`\`${name}\` must be a whole ${unit} from 1 to ${max}, got ${value}`);
}
