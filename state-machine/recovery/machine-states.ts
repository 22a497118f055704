import { Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { LEFT_TO_THE_OWNER } from '../contract/error-names';
import { and, expression, literals } from '../contract/jsonata';
import {
  MACHINE_RECOVERY_STATE,
  RESULTS_AFTER_THE_STEP,
  RESULTS_BEFORE_THE_STEP,
  STATE,
  type StateName,
} from '../contract/state-names';
import { PASS_INPUT_ON } from '../settings';
import { DATA_TOO_LONG, OWNER_UNKNOWN } from '../tasks/aws-error-names';
import { retryForHours } from '../tasks/retries';
import { SfnTask } from '../tasks/sfn-task';
import { NAME, ONE_MORE } from './recovery-states';

// The variables of a recovery, beside those of every recovery. `requests` has the states of a fragment that make one.
// `failedState` is that of the execution: its name, empty for an error of another sort, a number while it is not
// known. `pageToken` and `pages` are the progress in its history. `deliveryArn` is the last started delivery,
// `delivery` has its facts, and `checks` counts the checks of it.

export interface MachineRecoverySettings {
  /** For how long something of it may still be working after its execution has ended. */
  readonly stepTimeoutSeconds: number;
  /** The names of the states that its fragments are. */
  readonly fragments: readonly string[];
  /** True where one of them keeps results in a bucket. */
  readonly storesResults: boolean;
  /** For how long their records are kept when they are finished, by each outcome. */
  readonly retentionSeconds: readonly number[];
}

/** A page holds 256 KiB at most, and an event may have a cause of 32 KiB. */
const PAGE_SIZE = 5;

/** Nothing is known yet of where it failed. The newest event decides what is looked for. */
export const FAILED_STATE_UNKNOWN = {
  failedState: -1,
  pageToken: expression("''"),
  pages: 0,
};

export const NO_DELIVERY = { delivery: expression("''"), deliveryArn: expression("''"), checks: 0 };

/**
 * Reads from the end of the history in which state the execution failed: an event tells of which one it is a
 * consequence, and so back to the one that entered the state. Others may lie between, of a Map or a Parallel.
 */
export function readItsHistory(scope: Construct): SfnTask {
  const request =
    "$merge([{'ExecutionArn': $owner.executionArn, 'ReverseOrder': true, 'IncludeExecutionData': false, " +
    `'MaxResults': ${PAGE_SIZE}}, $pageToken = '' ? {} : {'NextToken': $pageToken}])`;
  const task = new SfnTask(scope, MACHINE_RECOVERY_STATE.readHistory, {
    comment: 'In which state did it fail? An error outside of the fragments is not recovered',
    operation: 'getExecutionHistory',
    request: expression(request),
    assign: {
      failedState: expression(`$reduce([$states.result.Events], ${WALK}, $failedState)`),
      pageToken: expression("$exists($states.result.NextToken) ? $states.result.NextToken : ''"),
      pages: expression('$pages + 1'),
    },
    outputs: PASS_INPUT_ON,
  });
  retryForHours(task, [...OWNER_UNKNOWN, DATA_TOO_LONG]);
  return task;
}

// A number is the event that is looked for, -1 the one that the execution failed by. A text ends the search.
const IS_BOOKKEEPING = '$contains($one.Type, /^(Execution|Parallel|Map)|Aborted$/)';
const IS_FAILED_TASK = '$contains($one.Type, /^Task((Start|Submit)?Failed|TimedOut)$/)';
const WALK =
  "function($at, $one) { $type($at) = 'string' ? $at : " +
  `($at < 0 ? ${IS_BOOKKEEPING} : $not($one.Id = $at)) ? $at : ` +
  `$at < 0 and $not(${IS_FAILED_TASK}) ? '' : ` +
  '$exists($one.StateEnteredEventDetails) ? $one.StateEnteredEventDetails.Name : $one.PreviousEventId }';

/**
 * True where it failed in a request of one of the fragments: the service had rejected it for hours. Not where it was to
 * send a notice: the record says how the step has ended, and a delivery would run that again.
 */
export function hasFailedInAFragment({ fragments }: Pick<MachineRecoverySettings, 'fragments'>): string {
  // The name of a fragment may have a colon itself, as CDK's `toSingleState` and `prefixStates` put one into it.
  const isOneOf = and(
    "$substringBefore($string($failedState), $fragment & ': ') = ''",
    "$substringAfter($string($failedState), $fragment & ': ') in $requests",
  );
  return `$exists($filter(${literals(fragments)}, function($fragment) { ${isOneOf} }))`;
}

/** The variable `requests`: the states of a fragment that make a request. */
export function requestsOf({ storesResults }: Pick<MachineRecoverySettings, 'storesResults'>) {
  const others = [STATE.step, STATE.nameFields, ...NOTICES, ...(storesResults ? [] : OF_RESULTS)];
  return { requests: Object.values(STATE).filter(name => !others.includes(name)) };
}

const OF_RESULTS = [...RESULTS_BEFORE_THE_STEP, ...RESULTS_AFTER_THE_STEP];

const NOTICES: readonly StateName[] = [
  STATE.sendResult,
  STATE.sendPlaceOfResult,
  STATE.sendFailure,
  STATE.sendDoubt,
  STATE.sendOwnersDoubt,
  STATE.sendInvalidEvent,
  STATE.sendForeignRecord,
  STATE.sendPayloadMismatch,
];

const FRONT_OF_ARN = "$replace($owner.executionArn, /[^:]+$/, '')";

/** The variables when it was delivered, by this recovery or by another one of the same end. */
export const DELIVERED = {
  ...ONE_MORE,
  deliveryArn: expression(`${FRONT_OF_ARN} & ${NAME}`),
  deliveries: expression('$deliveries + 1'),
  delivery: expression("'STARTED'"),
  checks: 0,
};

/** Asks what has become of the last delivery: no event says that it has left the event to an owner that has ended. */
export function askAboutTheDelivery(scope: Construct): SfnTask {
  const [status, error] = ['$states.result.Status', '$states.result.Error'];
  const isLeft = and(`$exists(${error})`, `${error} in ${literals(LEFT_TO_THE_OWNER)}`);
  const task = new SfnTask(scope, MACHINE_RECOVERY_STATE.askAboutDelivery, {
    comment: 'Has it handled the event, or left it to an execution that has ended?',
    operation: 'describeExecution',
    request: { ExecutionArn: expression('$deliveryArn') },
    assign: { delivery: expression(`${isLeft} ? 'LEFT' : ${status}`) },
    outputs: PASS_INPUT_ON,
  });
  retryForHours(task, [...OWNER_UNKNOWN, DATA_TOO_LONG]);
  return task;
}

/** Lets the last delivery work, each time for longer: a minute, two, and so on up to an hour. */
export function letTheDeliveryWork(scope: Construct): Wait {
  const due = '$millis() + $min([60 * $power(2, $checks), 3600]) * 1000';
  return Wait.jsonata(scope, MACHINE_RECOVERY_STATE.letItWork, {
    comment: 'If it fails, it has a recovery of its own',
    time: WaitTime.timestamp(expression(`$fromMillis(${due})`)),
    assign: { checks: expression('$checks + 1') },
  });
}
