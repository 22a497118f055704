import { Choice, Pass } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { expression, parsed } from '../../contract/jsonata';
import { STATE } from '../../contract/state-names';
import type { Settings } from '../../settings';
import { DATA_TOO_LONG, TABLE_ERROR } from '../../tasks/aws-error-names';
import { type DynamoTask, readTheRecord } from '../../tasks/dynamo-task';
import { retryPatiently, retryUntilVisible } from '../../tasks/retries';
import { SfnTask } from '../../tasks/sfn-task';

/**
 * Reads the record that rejected the claim.
 *
 * Strongly consistent: an eventually consistent read may still miss the very write that rejected it.
 * A record that is too long for a state, which attributes of a team's own can make it, ends the delivery at once.
 */
export function readRecord(scope: Construct, settings: Settings): DynamoTask {
  const task = readTheRecord(scope, STATE.read, {
    comment: 'Reads the record that rejected the claim',
    settings,
    key: expression('$idempotencyKey'),
  });
  retryPatiently(task, settings.patience, { denied: TABLE_ERROR, answers: [DATA_TOO_LONG] });
  return task;
}

/** The Choice over what the record says. Its rules are in `contract/judgement.ts`. */
export function whatDoesTheRecordSay(scope: Construct): Choice {
  return Choice.jsonata(scope, STATE.whatDoesRecordSay, {
    comment: 'The record decides what becomes of this delivery: the first rule that holds',
  });
}

/** Answers with the result that the record holds as text. */
export function returnStoredResult(scope: Construct): Pass {
  return Pass.jsonata(scope, STATE.returnResult, {
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
  const task = new SfnTask(scope, STATE.returnOwnersResult, {
    comment: 'The business step has run: answers with the output of the execution that ran it',
    operation: 'describeExecution',
    request: { ExecutionArn: expression('$record.owner.S') },
    outputs: RESULT_OF_OWNER,
  });
  retryUntilVisible(task);
  return task;
}

/** The result a record holds as text, as a value again. */
export const RESULT_OF_RECORD = expression(parsed('$record.result.S'));

/** The result out of DescribeExecution's answer for the owner. Fails while the owner's output is not visible yet. */
const RESULT_OF_OWNER = expression(parsed('$states.result.Output'));
