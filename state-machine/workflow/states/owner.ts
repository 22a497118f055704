import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Choice, type TaskStateBase, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { OWNER_NOT_FOUND, ownersStepSeconds } from '../../contract/conditions';
import { expression } from '../../contract/jsonata';
import { STATE } from '../../contract/state-names';
import { REDRIVE_COUNT } from '../../jsonata/variables';
import { PASS_INPUT_ON, type Settings } from '../../settings';
import { DATA_TOO_LONG, OWNER_UNKNOWN, SFN_ERROR } from '../../tasks/aws-error-names';
import { redriveExecution } from '../../tasks/redrive-execution';
import { retryPatiently } from '../../tasks/retries';
import { SfnTask } from '../../tasks/sfn-task';

/**
 * The request leaves out the owner's input and output, which need not be in the history of each duplicate. AWS does not
 * document whether the answer has its error then; if the error is missing, the same state asks once more, for
 * everything.
 */
const INCLUDED_DATA = "($exists($includedData) ? $includedData : 'METADATA_ONLY')";

/** The variables that make the next question one for everything. */
export const ASK_FOR_EVERYTHING = { includedData: 'ALL_DATA' } as const;

/** The variables that make the next question one without the owner's input and output, as the first one is. */
export const ASK_FOR_LITTLE = { includedData: 'METADATA_ONLY' } as const;

/**
 * What DescribeExecution says of the owner, in the variable `owner`; what it does not say is absent. An error that is
 * not told although everything was asked for is empty.
 */
const OWNER_SEEN = expression(
  "{'status': $states.result.Status, 'stopDate': $states.result.StopDate, " +
    `'error': $exists($states.result.Error) ? $states.result.Error : ${INCLUDED_DATA} = 'ALL_DATA' ? '', ` +
    "'redriveCount': $states.result.RedriveCount, 'redriveStatus': $states.result.RedriveStatus, " +
    `'lookedIn': ${REDRIVE_COUNT}}`,
);

/** The same for an owner that Step Functions does not know. */
export const NO_OWNER_SEEN = { status: OWNER_NOT_FOUND } as const;

/**
 * Asks Step Functions about the execution that owns the record.
 *
 * The answer is eventually consistent, so it never decides about success, which the record does; only about whether an
 * unfinished owner is still running. Without an answer its catchers take it for running: the next delivery asks again.
 */
export function askAboutTheOwner(scope: Construct, { patience }: Settings): SfnTask {
  const task = new SfnTask(scope, STATE.askAboutOwner, {
    comment: 'The record has no end yet: is the execution that owns it still running?',
    operation: 'describeExecution',
    request: { ExecutionArn: expression('$record.owner.S'), IncludedData: expression(INCLUDED_DATA) },
    assign: { owner: OWNER_SEEN, ...ASK_FOR_LITTLE },
    outputs: PASS_INPUT_ON,
  });
  retryPatiently(task, patience, { denied: SFN_ERROR, answers: [...OWNER_UNKNOWN, DATA_TOO_LONG] });
  return task;
}

/** The Choice over the state of the owner. Its rules are in `contract/judgement.ts`. */
export function isTheOwnerRunning(scope: Construct): Choice {
  return Choice.jsonata(scope, STATE.isOwnerRunning, {
    comment: 'An ended owner resumes where it stopped; only an owner that cannot is taken over',
  });
}

/**
 * Waits for as long as the step of an owner may be running that Step Functions does not know any more. It may have been
 * deleted a moment ago, with its state machine: then its step is given its time from this look on. A state after this
 * one changes the record only if it is still as it was read.
 */
export function letTheOwnersStepEnd(scope: Construct, { variant }: Settings): Wait {
  return Wait.jsonata(scope, STATE.letOwnersStepEnd, {
    comment: 'Nothing says when the owner ended: waits until its step has certainly ended',
    time: WaitTime.seconds(expression(ownersStepSeconds(variant.stepTimeoutSeconds))),
  });
}

/**
 * The token of the redrive: the same for all who saw the owner in the same state, so that they redrive it once. 64
 * characters, the most the operation takes. Fails in an execution that was itself redriven since it asked: what it saw
 * is old, and the service knows a token for fifteen minutes only.
 */
const REDRIVE_TOKEN = expression(
  `${REDRIVE_COUNT} = $owner.lookedIn ` +
    "? $hash($record.owner.S & '#' & $formatBase($owner.redriveCount, 10), 'SHA-256') " +
    ": $error('this execution has been redriven since it asked about the owner')",
);

/**
 * Redrives an ended owner where it stopped: if it had finished the business step, only its record is written.
 *
 * Duplicates that saw the same owner use the same token, and redrive it once. If Lambda rejects the function that
 * redrives, the next delivery calls it again.
 */
export function redriveTheOwner(scope: Construct, redriveFunction: IFunction | undefined): TaskStateBase {
  return redriveExecution(scope, STATE.redrive, {
    comment: 'The owner has ended: it resumes in its own execution, in the state that stopped',
    executionArn: expression('$record.owner.S'),
    clientToken: REDRIVE_TOKEN,
    redriveFunction,
  });
}
