import type { Duration } from 'aws-cdk-lib';
import { Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { REDELIVERY_FRONT_MAX, SUFFIX, SUFFIX_LENGTH } from '../contract/execution-name';
import { and, beginning, expression, numberIn, or } from '../contract/jsonata';
import { RECORD } from '../contract/record';
import { REDELIVERY_STATE } from '../contract/state-names';
import type { NoticeTarget } from '../options/notice-target';
import { PASS_INPUT_ON, type Settings } from '../settings';
import { NAME_TAKEN_SDK } from '../tasks/aws-error-names';
import { retryForHours } from '../tasks/retries';
import { SfnTask } from '../tasks/sfn-task';

// The variables of a redelivery. `owner` is the execution whose step has failed, and `input` its input as text. `front`
// is the prefix of the names of deliveries. `deliveries` counts the deliveries of the input by this redelivery, and by
// those before if one of their executions was interrupted. `seconds` is the wait before the next check.

/** How often a failed event is delivered again, and when. */
export interface RedeliveryTimes {
  /** How often at most. */
  readonly maxAttempts: number;
  /** The first delay; each next one is twice as long. */
  readonly delay: Duration;
  /** The longest delay. */
  readonly maxDelay: Duration;
}

export type RedeliverySettings = Pick<Settings, 'table' | 'scope' | 'key'> &
  RedeliveryTimes & {
    /** The workflow whose failed events are delivered again. */
    readonly stateMachineArn: string;
    /** Whether a failure is left alone after which the step may have run. */
    readonly isAtMostOnce: boolean;
    /** The destination of abandoned events; undefined: none. */
    readonly destination: NoticeTarget | undefined;
  };

export function waitForTheNext(scope: Construct): Wait {
  return Wait.jsonata(scope, REDELIVERY_STATE.wait, {
    comment: 'What the step calls may be away for hours',
    time: WaitTime.timestamp(expression('$fromMillis($millis() + $seconds * 1000)')),
    assign: { hasWaited: true },
  });
}

/** Starts the workflow with the very input, under a name that is the same for all who do so for this failure. */
export function redeliverFailedInput(scope: Construct, settings: RedeliverySettings): SfnTask {
  const task = new SfnTask(scope, REDELIVERY_STATE.deliver, {
    comment: 'The same input once more: the workflow runs the step as its next attempt',
    operation: 'startExecution',
    request: {
      StateMachineArn: settings.stateMachineArn,
      Name: expression(NAME),
      Input: expression('$input'),
    },
    assign: delivered(settings),
    outputs: PASS_INPUT_ON,
  });
  retryForHours(task, [...NAME_TAKEN_SDK]);
  return task;
}

/** The variables when the input has been delivered once more, by this redelivery or another one. */
export function delivered(settings: RedeliveryTimes) {
  return { deliveries: expression('$deliveries + 1'), seconds: secondsAfter('$deliveries + 1', settings) };
}

/** How long is waited, as an expression, when so many deliveries have been made. */
export function secondsAfter(tries: string, { delay, maxDelay }: RedeliveryTimes): string {
  const growing = `${delay.toSeconds()} * $power(2, $min([${tries}, ${DOUBLINGS_MAX}]))`;
  return expression(`$min([${growing}, ${maxDelay.toSeconds()}])`);
}

/** A delay of a second is longer than a year then. */
const DOUBLINGS_MAX = 25;

/**
 * A delivery that takes long is checked ever more rarely, and while the record of its failure would be there. If the
 * failed execution itself still owns an unfinished record, nothing has been waited for yet: the first delay counts.
 */
export function checkLater({ delay, maxDelay }: RedeliveryTimes) {
  return {
    seconds: expression(`$min([$max([$seconds * 2, ${delay.toSeconds()}]), ${maxDelay.toSeconds()}])`),
  };
}

/** The mark behind the number of a redelivery: the redelivery may have been interrupted, and have been recovered. */
const BEHIND = `(?:-recovery-[0-9]+)?-[0-9a-f]{${SUFFIX_LENGTH}}`;

const NAME_TOLD = "$replace($states.input.detail.executionArn, /^.*:/, '')";

/** The facts of the failed execution, by its own ending alone: the part before may be any key. */
export const KNOWN = {
  owner: expression("{'executionArn': $states.input.detail.executionArn}"),
  input: expression('$states.input.detail.input'),
  front: expression(
    `( $own := $replace(${NAME_TOLD}, /(?:${SUFFIX})$/, ''); ${beginning('$own', REDELIVERY_FRONT_MAX)} )`,
  ),
  deliveries: expression(numberIn(NAME_TOLD, `-redelivery-[0-9]+${BEHIND}`)),
  seconds: 0,
  hasWaited: false,
};

const HASH = `$substring($hash($owner.executionArn, 'SHA-256'), 0, ${SUFFIX_LENGTH})`;
const NAME = `$front & '-redelivery-' & $string($deliveries + 1) & '-' & ${HASH}`;

const OWNER = `$record.${RECORD.owner}.S`;
const IS_OWN_DELIVERY = and(
  `$contains(${OWNER}, ':' & $front & '-redelivery-')`,
  `$replace(${OWNER}, /^.*-/, '') = ${HASH}`,
);

/** Whether the failed execution, or one that was delivered for it, owns the record that was read. */
export const FACTS_OF_THE_RECORD = {
  isOurs: expression(
    `( $record := $states.result.Item; ${or(`${OWNER} = $owner.executionArn`, IS_OWN_DELIVERY)} )`,
  ),
};
