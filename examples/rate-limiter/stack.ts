import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Fail, JitterType, Pass } from 'aws-cdk-lib/aws-stepfunctions';
import {
  DynamoAttributeValue,
  DynamoReturnValues,
  DynamoUpdateItem,
} from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { IdempotentWorkflow, Source } from 'onceflow';
import { dayOf, userOf } from './request';

/** Settings of a {@link RateLimiterStack}. */
export interface RateLimiterStackProps extends StackProps {
  /** How many requests a user may make on one day (UTC): 1 to 200, so that the ids fit into one item, however long. */
  readonly requestsPerDay: number;
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
 * Lets at most so many requests of a user and day pass, each counted once however often it is delivered.
 *
 * A request that passes is answered with `{ user, day, used }`. One that does not ends with
 * `RateLimiter.QuotaExceeded`, and is judged anew when it is delivered again.
 */
export class RateLimiterStack extends Stack {
  constructor(scope: Construct, id: string, props: RateLimiterStackProps) {
    super(scope, id, props);
    const { requestsPerDay, answer = 'failure' } = props;
    if (!Number.isInteger(requestsPerDay) || requestsPerDay < 1 || requestsPerDay > 200) {
      throw new Error(`\`requestsPerDay\` must be a whole number from 1 to 200, got ${requestsPerDay}`);
    }
    const requests = new EventBus(this, 'Requests');
    const quotas = new Table(this, 'Quotas', {
      partitionKey: { name: 'userAndDay', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiry',
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    });
    const limiter = new IdempotentWorkflow(this, 'RateLimiter', {
      scope: 'RateLimiter',
      idempotencyKey: `{% ${REQUEST}.requestId %}`,
      payload: `{% { 'user': ${userOf(REQUEST)}, 'day': ${dayOf(REQUEST)} } %}`,
      step: countRequest(this, quotas, requestsPerDay, answer),
      // The one thing the step does is idempotent: an update that still comes when the step has failed counts the same
      // request on the same day, which is what the next attempt does, too. So no request waits for it.
      stepTimeout: Duration.seconds(0),
    });
    limiter.startFrom(Source.eventBridge(requests, { source: ['api'], detailType: ['RequestMade'] }));

    new CfnOutput(this, 'EventBusName', { value: requests.eventBusName });
    new CfnOutput(this, 'StateMachineArn', { value: limiter.stateMachine.stateMachineArn });
    new CfnOutput(this, 'RecordTableName', { value: limiter.table.tableName });
    new CfnOutput(this, 'QuotaTableName', { value: quotas.tableName });
  }
}

/** The step: one conditional update, straight from the state machine. */
function countRequest(
  scope: Construct,
  quotas: Table,
  requestsPerDay: number,
  answer: 'failure' | 'limited',
): DynamoUpdateItem {
  const count = DynamoUpdateItem.jsonata(scope, 'Count request', {
    comment: 'Adds the request to those of its user and day, unless there are too many',
    table: quotas,
    key: { userAndDay: DynamoAttributeValue.fromString(`{% ${USER} & '#' & ${DAY} %}`) },
    updateExpression: 'ADD requestIds :requestIds SET expiry = :expiry',
    // A request that is there already passes: it is the same one, whose answer was lost or whose execution was stopped.
    conditionExpression:
      'attribute_not_exists(requestIds) OR contains(requestIds, :requestId) ' +
      'OR size(requestIds) < :requestsPerDay OR size(requestIds) < raisedTo',
    expressionAttributeValues: {
      ':requestIds': DynamoAttributeValue.fromStringSet([REQUEST_ID]),
      ':requestId': DynamoAttributeValue.fromString(REQUEST_ID),
      ':requestsPerDay': DynamoAttributeValue.fromNumber(requestsPerDay),
      ':expiry': DynamoAttributeValue.numberFromString(EXPIRY),
    },
    returnValues: DynamoReturnValues.UPDATED_NEW,
    outputs: answer === 'limited' ? { limited: false } : COUNTED,
  });
  const exceeded = answer === 'limited' ? limited(scope) : quotaExceeded(scope, requestsPerDay);
  count.addRetry({ errors: [CONDITION_FAILED, 'States.QueryEvaluationError'], maxAttempts: 0 });
  // Safe, because the condition lets a request that was counted pass.
  count.addRetry({
    interval: Duration.seconds(1),
    backoffRate: 2,
    maxAttempts: 8,
    maxDelay: Duration.seconds(30),
    jitterStrategy: JitterType.FULL,
  });
  count.addCatch(exceeded, { errors: [CONDITION_FAILED], outputs: '{% $states.input %}' });
  return count;
}

function limited(scope: Construct): Pass {
  return Pass.jsonata(scope, 'Limited', { outputs: { limited: true } });
}

function quotaExceeded(scope: Construct, requestsPerDay: number): Fail {
  return Fail.jsonata(scope, 'Quota exceeded', {
    error: 'RateLimiter.QuotaExceeded',
    cause:
      "{% $string({ 'message': 'the user has no request left on this day', " +
      `'user': ${USER}, 'day': ${DAY}, 'requestsPerDay': ${requestsPerDay} }) %}`,
  });
}

const CONDITION_FAILED = 'DynamoDB.ConditionalCheckFailedException';
/** The request, in the workflow's input. */
const REQUEST = '$states.input.detail';
/** User and day of the request, in the step's input. */
const USER = userOf('$states.input.input.detail');
const DAY = dayOf('$states.input.input.detail');
/** The answer to a request that passes. */
const COUNTED = `{% { 'user': ${USER}, 'day': ${DAY}, 'used': $count($states.result.Attributes.requestIds.SS) } %}`;
/** The record's key without its scope: the number 7 and the text "7" are two requests here, too. */
const REQUEST_ID = "{% $substringAfter($states.input.idempotencyKey, '#') %}";
/** 100 days after the day, epoch seconds: later than the last delivery that the workflow knows as a duplicate. */
const EXPIRY = `{% $string($toMillis(${DAY}) / 1000 + 100 * 24 * 3600) %}`;
