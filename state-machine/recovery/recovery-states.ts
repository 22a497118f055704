import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type TaskStateBase, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { times, type Value } from '../contract/condition';
import { valueToJsonata } from '../contract/condition-text';
import { SUFFIX_LENGTH } from '../contract/execution-name';
import { expression } from '../contract/jsonata';
import { RECORD } from '../contract/record';
import { DELAY_SECONDS, quietAt } from '../contract/recovery-rules';
import { JITTER, RECOVERY_SECONDS, REDRIVE_WITHIN_MS } from '../contract/recovery-timing';
import { RECOVERY_STATE } from '../contract/state-names';
import { PASS_INPUT_ON } from '../settings';
import { NAME_TAKEN_SDK } from '../tasks/aws-error-names';
import { redriveExecution } from '../tasks/redrive-execution';
import { retryForHours } from '../tasks/retries';
import { SfnTask } from '../tasks/sfn-task';

// The variables of a recovery. `owner` has the facts of the ended execution, with dates in epoch milliseconds. `input`
// is its input as text, and `workflowArn` the machine that gets it again. `endedAt` is the time of its end, 0 if that
// is not known. `unknownAt` is the time at which Step Functions first did not know it, or 0. `isAsked` is true when
// Step Functions was asked about it. `record` has the record of its key, and `readAt` the time of that read. `acts`
// counts the actions of recovery, and `actedAt` is the time of the last one. `deliveries` counts its deliveries of the
// input, `earlier` those of recoveries before, and `front` is the prefix of their names.

/** What decides when something is due. */
export interface Timing {
  /** For how long the business step may still be running after its execution has ended. */
  readonly stepTimeoutSeconds: number;
}

/** How long the delays between all acts are together, without jitter. */
export const RECOVERY_LASTS = Duration.seconds(RECOVERY_SECONDS);

/**
 * Waits until nothing of the execution can act any more: its step has certainly ended, and a request of it has arrived
 * or never will. After each act for longer. Up to half of the delay is added at random, so that the recoveries of many
 * executions that ended at once do not ask at once.
 */
export function waitUntilNothingCanAct(scope: Construct, { stepTimeoutSeconds }: Timing): Wait {
  const [delay, quiet] = [DELAY_SECONDS, quietAt(stepTimeoutSeconds)].map(valueToJsonata);
  const time = `$fromMillis(${quiet} + $floor(${delay} * (1000 + $random() * ${JITTER * 1000})))`;
  return Wait.jsonata(scope, RECOVERY_STATE.wait, {
    comment: 'Its step may be running, or a request of it may be on its way: decides after that',
    time: WaitTime.timestamp(expression(time)),
  });
}

/** How recovery delivers an event again. */
export interface DeliverAgainProps {
  /** Variables that are set when it has been delivered. */
  readonly assign: Readonly<Record<string, unknown>>;
  /** How many seconds after the record was read it may be delivered; undefined: no record was read. */
  readonly withinSeconds: Value | undefined;
}

/**
 * Starts the workflow with the very input of the execution, under a name that is the same for all recoveries of one end
 * of it: two of them deliver it once.
 *
 * What the record said counts for a time that is shorter than any retention: after that its work may have been done,
 * and the record deleted. Each retry looks at the time, and so does a recovery that was redriven.
 */
export function deliverAgain(scope: Construct, { assign, withinSeconds }: DeliverAgainProps): SfnTask {
  const isFresh = (within: Value) => `$millis() - $readAt < ${valueToJsonata(times(within, 1000))}`;
  const task = new SfnTask(scope, RECOVERY_STATE.deliver, {
    comment: 'The same input once more: the rules of the workflow decide what becomes of it',
    operation: 'startExecution',
    request: {
      StateMachineArn: expression('$workflowArn'),
      Name: expression(
        withinSeconds === undefined
          ? NAME
          : `${isFresh(withinSeconds)} ? (${NAME}) : $error('the record was read too long ago')`,
      ),
      Input: expression('$input'),
    },
    assign,
    outputs: PASS_INPUT_ON,
  });
  retryForHours(task, [...NAME_TAKEN_SDK]);
  return task;
}

/** The variables when recovery has acted once more. */
export const ONE_MORE = {
  acts: expression('$acts + 1'),
  actedAt: expression('$millis()'),
} as const;

/**
 * Redrives the owner: it resumes in the state in which it stopped. The token is the same for all recoveries that saw
 * the same number of redrives, so that one of them redrives it.
 *
 * Not if the record was read more than a minute ago: `onceflow release` holds a record for longer than that before it
 * releases it, and so knows that no redrive is on its way. The same guards a recovery that was itself redriven.
 */
export function redriveTheOwner(scope: Construct, redriveFunction: IFunction | undefined): TaskStateBase {
  const end = "$owner.executionArn & '#' & $formatBase($owner.redriveCount, 10)";
  const isFresh = `$millis() - $readAt < ${REDRIVE_WITHIN_MS}`;
  return redriveExecution(scope, RECOVERY_STATE.redrive, {
    comment: 'The owner resumes where it stopped: what it has done is not done again',
    executionArn: expression('$owner.executionArn'),
    clientToken: expression(
      `${isFresh} ? $hash(${end}, 'SHA-256') : $error('the record was read too long ago')`,
    ),
    redriveFunction,
    assign: ONE_MORE,
  });
}

/** Starts a recovery for the first execution of a list, under a name that is the same whenever this end is found. */
export function recoverTheFirst(scope: Construct, outputs: string): SfnTask {
  const first = '$states.input.executions[0]';
  const end = `${first}.executionArn & '#' & ${first}.stopDate`;
  const detail = `{'executionArn': ${first}.executionArn, 'redriveCount': ${first}.redriveCount}`;
  const task = new SfnTask(scope, RECOVERY_STATE.recoverFirst, {
    comment: 'One execution, one recovery: one start after the other leaves room for fresh events',
    operation: 'startExecution',
    request: {
      StateMachineArn: expression('$states.context.StateMachine.Id'),
      Name: expression(`$substring($hash(${end}, 'SHA-256'), 0, 32)`),
      Input: expression(`$string({'detail': ${detail}, 'workflowArn': $states.input.workflowArn})`),
    },
    outputs,
  });
  retryForHours(task, [...NAME_TAKEN_SDK]);
  return task;
}

/** JSONata of how often the event had been delivered again when the execution was started. */
const EARLIER = '$earlier';

// If Step Functions does not know the execution, the attempt of its record tells its end from others.
const END =
  "$owner.executionArn & '#' & " +
  `($exists($owner.stopDate) ? $formatBase($owner.stopDate, 10) : $record.${RECORD.attempt}.N)`;
/**
 * JSONata of the name under which the input is delivered next. Recovery of a team's machine may deliver one end several
 * times: a delivery may have left the event to the execution that ended.
 */
export const NAME =
  `$front & '-recovery-' & $string($deliveries + ${EARLIER} + 1) & '-' & ` +
  `$substring($hash(${END}, 'SHA-256'), 0, ${SUFFIX_LENGTH})`;
