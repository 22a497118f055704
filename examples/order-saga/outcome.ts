import { Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import {
  DynamoAttributeValue,
  DynamoReturnValues,
  DynamoUpdateItem,
} from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';

/** The error of a decision that is rejected: it has been taken before, the other way. */
export const DECIDED_OTHERWISE = 'DynamoDB.ConditionalCheckFailedException';

/**
 * Decides what becomes of the order: `DONE` or `UNDONE`, once for all its executions and forever. The variable `error`
 * is the reason of the first who decides for `UNDONE`, in every execution; while it decides, this execution's own.
 *
 * Fails with {@link DECIDED_OTHERWISE} where the other has been decided. A decision whose answer was lost is taken
 * again, and admitted.
 */
export function decide(scope: Construct, outcome: 'DONE' | 'UNDONE', orders: Table): DynamoUpdateItem {
  const isUndone = outcome === 'UNDONE';
  const decision = DynamoUpdateItem.jsonata(scope, isUndone ? 'Decide: undone' : 'Decide: done', {
    comment: 'One conditional write decides for all executions of the order',
    table: orders,
    key: {
      orderId: DynamoAttributeValue.fromString('{% $states.input.orderId %}'),
      part: DynamoAttributeValue.fromString('outcome'),
    },
    updateExpression: `SET #outcome = :outcome${isUndone ? ', #reason = if_not_exists(#reason, :reason)' : ''}`,
    conditionExpression: 'attribute_not_exists(#outcome) OR #outcome = :outcome',
    expressionAttributeNames: { '#outcome': 'outcome', ...(isUndone && { '#reason': 'reason' }) },
    expressionAttributeValues: {
      ':outcome': DynamoAttributeValue.fromString(outcome),
      ...(isUndone && { ':reason': DynamoAttributeValue.fromString('{% $error %}') }),
    },
    ...(isUndone && {
      returnValues: DynamoReturnValues.ALL_NEW,
      assign: { error: '{% $states.result.Attributes.reason.S %}' },
    }),
    outputs: '{% $states.input %}',
  });
  decision.addRetry({ errors: [DECIDED_OTHERWISE], maxAttempts: 0 });
  decision.addRetry({
    interval: Duration.seconds(1),
    backoffRate: 2,
    maxAttempts: 12,
    maxDelay: Duration.minutes(1),
  });
  return decision;
}
