import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Choice, TaskInput } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { expression } from '../contract/jsonata';
import { OWNER_SEEN, REDRIVE_TOKEN } from '../expressions/owner';
import { retryForMinutes } from '../retries';
import { OWNER_UNKNOWN, PASS_INPUT_ON } from '../settings';
import { SfnTask } from '../sfn-task';

/**
 * Asks Step Functions what became of the execution that owns the record.
 *
 * The answer is eventually consistent, so it never decides about success, which the record does; only about whether an
 * unfinished owner is still alive.
 */
export function askAboutTheOwner(scope: Construct): SfnTask {
  const task = new SfnTask(scope, 'Ask about the owner', {
    comment: 'The record has no end yet: is the execution that owns it still running?',
    operation: 'describeExecution',
    request: { ExecutionArn: expression('$record.owner.S') },
    assign: { owner: OWNER_SEEN },
    outputs: PASS_INPUT_ON,
  });
  retryForMinutes(task, OWNER_UNKNOWN);
  return task;
}

/** The Choice over what became of the owner. Its rules are in the flow. */
export function isTheOwnerAlive(scope: Construct): Choice {
  return Choice.jsonata(scope, 'Is the owner alive?', {
    comment: 'A dead owner goes on where it stopped; only one that cannot is taken over from',
  });
}

const COMMENT = 'The owner died: it goes on in its own execution, where it stopped';

/** The redrive by a function, for where the direct integration is not to be had. The same request, the same errors. */
export function redriveByFunction(scope: Construct, redriveFunction: IFunction): LambdaInvoke {
  return LambdaInvoke.jsonata(scope, 'Redrive the owner', {
    comment: COMMENT,
    lambdaFunction: redriveFunction,
    payload: TaskInput.fromObject({
      executionArn: expression('$record.owner.S'),
      clientToken: REDRIVE_TOKEN,
    }),
    outputs: PASS_INPUT_ON,
    retryOnServiceExceptions: false,
  });
}

/**
 * Brings a dead owner back where it stopped: if it had finished the business step, only its record is written.
 *
 * Duplicates that saw the same dead owner use the same token, and redrive it once. It is not retried: whoever was
 * refused or not answered decides again on what it sees then.
 */
export function redriveTheOwner(scope: Construct): SfnTask {
  return new SfnTask(scope, 'Redrive the owner', {
    comment: COMMENT,
    operation: 'redriveExecution',
    request: { ExecutionArn: expression('$record.owner.S'), ClientToken: REDRIVE_TOKEN },
    outputs: PASS_INPUT_ON,
  });
}
