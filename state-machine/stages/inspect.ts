import { Choice, Pass } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { expression } from '../contract/jsonata';
import { RECORD } from '../contract/record';
import { DynamoTask } from '../dynamo-task';
import { RECORD_READ } from '../expressions/record';
import { RESULT_OF_OWNER, RESULT_OF_RECORD } from '../expressions/result';
import { retryForMinutes, retryUntilVisible } from '../retries';
import { PASS_INPUT_ON, type Settings } from '../settings';
import { SfnTask } from '../sfn-task';

/**
 * Reads the record that refused the claim.
 *
 * Strongly consistent: an eventually consistent read may still miss the very write that refused us.
 */
export function readRecord(scope: Construct, settings: Settings): DynamoTask {
  const task = new DynamoTask(scope, 'Read record', {
    comment: 'Reads the record that refused this execution',
    operation: 'getItem',
    table: settings.table,
    request: {
      Key: { [RECORD.idempotencyKey]: { S: expression('$idempotencyKey') } },
      ConsistentRead: true,
    },
    assign: { record: RECORD_READ },
    outputs: PASS_INPUT_ON,
  });
  retryForMinutes(task);
  return task;
}

/** The Choice over what the record says. Its rules are in the fragment, where the whole flow is read. */
export function judgeRecord(scope: Construct): Choice {
  return Choice.jsonata(scope, 'Judge record', { comment: 'What the record says of this delivery' });
}

/** Answers with the result that the record holds as text. */
export function returnStoredResult(scope: Construct): Pass {
  return Pass.jsonata(scope, 'Return stored result', {
    comment: 'The business step has run: answers with its result',
    outputs: RESULT_OF_RECORD,
  });
}

/**
 * Answers with the output of the execution that ran the business step.
 *
 * For results that the record cannot hold exactly. DescribeExecution is eventually consistent, so an owner that has
 * just finished may still look unfinished: its output is then undefined, the evaluation fails and is retried.
 */
export function returnTheOwnersResult(scope: Construct): SfnTask {
  const task = new SfnTask(scope, "Return the owner's result", {
    comment: 'The business step has run: answers with the output of the execution that ran it',
    operation: 'describeExecution',
    request: { ExecutionArn: expression('$record.owner.S') },
    outputs: RESULT_OF_OWNER,
  });
  retryUntilVisible(task);
  return task;
}
