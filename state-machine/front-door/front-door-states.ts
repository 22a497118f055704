import { Duration } from 'aws-cdk-lib';
import { JitterType, type TaskStateBase, Timeout, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { expression } from '../contract/jsonata';
import { FRONT_DOOR_STATE } from '../contract/state-names';
import { OBJECT_GONE, OBJECT_OF_RECORD, textOfObject } from '../contract/stored-result';
import type { Results } from '../options/results';
import { PASS_INPUT_ON } from '../settings';
import { DATA_TOO_LONG, EVALUATION_FAILED, NAME_TAKEN, OWNER_UNKNOWN } from '../tasks/aws-error-names';
import { S3Task } from '../tasks/s3-task';
import { SfnTask } from '../tasks/sfn-task';
import type { FrontDoorProps } from './front-door-props';

/** How long one try of a call may take: all of them must be over before API Gateway times out after 29 seconds. */
export const CALL_TIMEOUT = Duration.seconds(3);
const START_ATTEMPTS = 3;

/**
 * Tries a call again for some seconds. A name taken, a failed evaluation, an unknown execution and data that is too
 * long are answers.
 */
export function retryBriefly(task: TaskStateBase, maxAttempts: number = START_ATTEMPTS): void {
  const answers = [...NAME_TAKEN, EVALUATION_FAILED, ...OWNER_UNKNOWN, DATA_TOO_LONG];
  task.addRetry({ errors: answers, maxAttempts: 0 });
  task.addRetry({
    interval: Duration.seconds(1),
    backoffRate: 2,
    maxAttempts,
    maxDelay: Duration.seconds(4),
    jitterStrategy: JitterType.FULL,
  });
}

/**
 * How many reads follow the first at once: with it $1.50 for a million requests. A read of 4 KB that need not be
 * consistent costs half a read unit, $0.0625.
 */
export const READS_AT_ONCE = 23;

/** Lets the workflow work for a second, the shortest wait of Step Functions. */
export function letItWork(scope: Construct): Wait {
  return Wait.jsonata(scope, FRONT_DOOR_STATE.letItWork, {
    comment: 'The step takes longer: the record is read once a second',
    time: WaitTime.duration(Duration.seconds(1)),
  });
}

/** How it ends to read an object that is not there, not the one, or too long; without `s3:ListBucket` S3 denies it. */
export const OBJECT_UNUSABLE = [...OBJECT_GONE, 'S3.S3Exception', DATA_TOO_LONG, EVALUATION_FAILED];

/** Reads the object that the record names into the variable `text`, if S3 tells the hash that the record has. */
export function readStoredResult(
  scope: Construct,
  { scope: recordScope }: FrontDoorProps,
  results: Results,
): S3Task {
  const task = new S3Task(scope, FRONT_DOOR_STATE.readStored, {
    comment: 'The record does not hold the result: the bucket does',
    operation: 'getObject',
    results,
    recordScope,
    request: { ...OBJECT_OF_RECORD, ChecksumMode: 'ENABLED' },
    taskTimeout: Timeout.duration(CALL_TIMEOUT),
    assign: { text: expression(textOfObject('$states.result.Body')) },
    outputs: PASS_INPUT_ON,
  });
  task.addRetry({ errors: OBJECT_GONE, maxAttempts: 0 });
  retryBriefly(task, 1);
  return task;
}

/** Reads what the execution that owns the record has ended with: its status, and its output where there is one. */
export function readOwnersEnd(scope: Construct): SfnTask {
  return new SfnTask(scope, FRONT_DOOR_STATE.readOwner, {
    comment: 'The record does not hold the result: the execution that ran the step does',
    operation: 'describeExecution',
    request: { ExecutionArn: expression('$record.owner.S') },
    taskTimeout: Timeout.duration(CALL_TIMEOUT),
    assign: {
      ownerStatus: expression('$states.result.Status'),
      text: expression("$exists($states.result.Output) ? $states.result.Output : ''"),
    },
    outputs: PASS_INPUT_ON,
  });
}
