import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Map as MapState,
  Pass,
  ProvideItems,
  type TaskStateBase,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { ownersStepSeconds } from '../contract/conditions';
import {
  NAME_LENGTH_MAX,
  RECOVERY_SUFFIX,
  RECOVERY_SUFFIX_LENGTH,
  SUFFIX_LENGTH,
} from '../contract/execution-name';
import { beginning, expression, numberIn } from '../contract/jsonata';
import { RECOVERY_STATE } from '../contract/state-names';
import type { FailureDestination } from '../failure-destination';
import { keyExpression } from '../jsonata/key';
import { redriveExecution } from '../redrive';
import { NAME_TAKEN_SDK, PASS_INPUT_ON, type Settings } from '../settings';
import type { SuccessDestination } from '../success-destination';
import { type DynamoTask, readTheRecord, retryUnless, SfnTask } from '../tasks';

// The variables of a recovery: `execution`, the one that has died, of which `stopDate` is in epoch milliseconds, and
// `error` is there if it is known; `input`, its input as text; `record`, what its key's record says; `deliveries`, how
// often this recovery has delivered the input again, and `deliveredAt`, when it did so last; `end`, when the execution
// had ended as it was first asked; `isAskedForAll`, true if the next question is for all of its data.

/** What recovery goes by. */
export type RecoverySettings = Pick<Settings, 'table' | 'scope' | 'key'> & {
  /** The workflow whose executions are recovered. */
  readonly stateMachineArn: string;
  /** For how long the business step may still be running after its execution has ended. */
  readonly stepTimeoutSeconds: number;
  /** For how long the record of a key is kept when it is finished, by each outcome. */
  readonly retentionSeconds: readonly number[];
  /** How unsent notices are sent; undefined: the workflow has no destination. */
  readonly notices: Notices | undefined;
};

/** What decides when something is due. */
export type Timing = Pick<RecoverySettings, 'stepTimeoutSeconds'>;

/** How unsent notices come to be sent: by a redrive of the execution that has to send. */
export interface Notices {
  /** Where failures are sent, and what is given up is told; undefined: nowhere. */
  readonly onFailure: FailureDestination | undefined;
  /** Where results are sent; undefined: nowhere. */
  readonly onSuccess: SuccessDestination | undefined;
  /** The function that redrives; undefined: recovery does, by the direct integration. */
  readonly redriveFunction: IFunction | undefined;
}

/** How often an event is delivered again, redrives of its execution included, before recovery gives it up. */
const DELIVERIES_MAX = 8;

/** How long after the end of a step, in seconds, an event is delivered again for the first time. */
export const DELAY_FIRST = 10;
const DELAY = 60;
const DELAY_MAX = 3600;

/** How long the delays between all of these are together. */
export const RECOVERY_LASTS = Duration.seconds(
  Array.from({ length: DELIVERIES_MAX }, (_, tries) => delayAfter(tries)).reduce((sum, one) => sum + one, 0),
);

/** How long after the step has certainly ended it delivers for the first time. */
export const FIRST_DELAY = Duration.seconds(DELAY_FIRST);

/** The delay, in seconds, behind so many deliveries: ten seconds, a minute, two, and so on up to an hour. */
function delayAfter(tries: number): number {
  return tries === 0 ? DELAY_FIRST : Math.min(DELAY * 2 ** (tries - 1), DELAY_MAX);
}

/** Reads the record of the execution's key, which is out of its own input. */
export function readRecord(
  scope: Construct,
  settings: Pick<RecoverySettings, 'table' | 'scope' | 'key'>,
): DynamoTask {
  const key = keyExpression(settings.scope, settings.key);
  const task = readTheRecord(scope, RECOVERY_STATE.read, {
    comment: 'What has become of the key of the execution that has ended?',
    settings,
    key,
    assign: { idempotencyKey: key },
  });
  retryUnless(task, []);
  return task;
}

/** Waits until the execution's step has certainly ended, and after each delivery for longer. */
export function letItsTimePass(scope: Construct, settings: Timing): Wait {
  return Wait.jsonata(scope, RECOVERY_STATE.letItsTimePass, {
    comment: 'Its step may be running on, or what was delivered is at work: looks again after that',
    time: WaitTime.timestamp(expression(`$fromMillis(${dueAt(settings)})`)),
    assign: { hasWaited: true },
  });
}

/**
 * Starts the workflow with the very input of the execution, under a name that is the same for all who do so for one
 * end of it: an event that comes twice starts nothing twice.
 */
export function deliverAgain(scope: Construct, { stateMachineArn }: RecoverySettings): SfnTask {
  const task = new SfnTask(scope, RECOVERY_STATE.deliver, {
    comment: "The same input once more: the workflow's own rules decide what becomes of it",
    operation: 'startExecution',
    request: { StateMachineArn: stateMachineArn, Name: expression(NAME), Input: expression('$input') },
    assign: ONE_MORE,
    outputs: PASS_INPUT_ON,
  });
  retryUnless(task, [...NAME_TAKEN_SDK]);
  return task;
}

/** The variables when the event has been delivered once more, or its execution redriven. */
export const ONE_MORE = {
  deliveries: expression('$deliveries + 1'),
  deliveredAt: expression('$millis()'),
} as const;

/**
 * Redrives the execution that has to send the notice of its key's record: it goes on behind the write that finished
 * it. A delivery would run a failed step again, and be answered with a result. The token is the same for all who do so
 * for one end.
 */
export function redriveForTheNotice(scope: Construct, notices: Notices): TaskStateBase {
  const end = "$execution.executionArn & '#' & $formatBase($execution.redriveCount, 10)";
  return redriveExecution(scope, RECOVERY_STATE.sendNotice, {
    comment: notices.onSuccess ? SENDS_WHAT_IS_UNSENT : SENDS_THE_FAILURE,
    executionArn: expression('$execution.executionArn'),
    clientToken: expression(`$hash(${end}, 'SHA-256')`),
    redriveFunction: notices.redriveFunction,
    assign: ONE_MORE,
  });
}

const SENDS_THE_FAILURE =
  'The record says FAILED, and nobody was told: it goes on where it has to send its notice';
const SENDS_WHAT_IS_UNSENT =
  'The record is finished, and nobody was told: it goes on where it has to send its notice';

/** Starts a recovery for each of several executions, under a name that is the same whenever this end of it is found. */
export function recoverEach(scope: Construct): MapState {
  const end = "$states.input.executionArn & '#' & $states.input.stopDate";
  const found = (name: string) => `'${name}': $states.input.${name}`;
  const start = new SfnTask(scope, RECOVERY_STATE.recover, {
    comment: 'One execution, one recovery',
    operation: 'startExecution',
    request: {
      StateMachineArn: expression('$states.context.StateMachine.Id'),
      Name: expression(`$substring($hash(${end}, 'SHA-256'), 0, 32)`),
      Input: expression(`$string({${found('executionArn')}, ${found('redriveCount')}})`),
    },
    outputs: {},
  });
  retryUnless(start, [...NAME_TAKEN_SDK]);
  const before = Pass.jsonata(scope, RECOVERY_STATE.begunBefore, {
    comment: 'An earlier search has found it',
    outputs: {},
  });
  start.addCatch(before, { errors: [...NAME_TAKEN_SDK] });
  return MapState.jsonata(scope, RECOVERY_STATE.recoverEach, {
    comment: 'Those that a search has found',
    items: ProvideItems.jsonata(expression('$states.input.executions')),
    maxConcurrency: STARTED_AT_ONCE,
    outputs: {},
  }).itemProcessor(start);
}

const STARTED_AT_ONCE = 5;

/** True where the execution has ended otherwise than well. */
export const HAS_DIED = "$execution.status in ['FAILED', 'TIMED_OUT', 'ABORTED']";

/** True where it has ended once more since it was first asked about: that end has a recovery of its own. */
export const HAS_ENDED_ANEW = '$exists($execution.stopDate) and $not($execution.stopDate = $end)';

/** How often the event had been delivered again when the execution was started: 0 where recovery has not started it. */
export const EARLIER =
  // Its own ending alone: what stands before may be any key, such as `account-recovery-4711-mail`.
  numberIn('$execution.name', RECOVERY_SUFFIX);

/** True where it has been delivered again as often as it may be. */
export const IS_TRIED_TOO_OFTEN = `(${tries()}) >= ${DELIVERIES_MAX}`;

/** True where it is too early to deliver: the step may be running, or the last delivery is at work. */
export function isTooEarly(settings: Timing): string {
  return `$millis() < ${dueAt(settings)}`;
}

/**
 * How often the event has been delivered again so far: by this recovery; by redrives of its execution, each of which a
 * delivery has led to; and by recoveries before, where the execution is itself one that recovery has started.
 */
function tries(): string {
  return `$deliveries + ($type($execution.redriveCount) = 'number' ? $execution.redriveCount : 0) + ${EARLIER}`;
}

/** When the next delivery is due, by the same delays. */
function dueAt({ stepTimeoutSeconds }: Timing): string {
  const graceMs = `${ownersStepSeconds(stepTimeoutSeconds)} * 1000`;
  const growing = `$min([${DELAY} * $power(2, $min([$tries - 1, ${DELIVERIES_MAX}])), ${DELAY_MAX}])`;
  const delay = `( $tries := ${tries()}; $tries = 0 ? ${DELAY_FIRST} : ${growing} )`;
  return `$max([$execution.stopDate + ${graceMs}, $deliveredAt]) + ${delay} * 1000`;
}

const FRONT =
  `( $own := $replace($execution.name, /(?:${RECOVERY_SUFFIX}|-[0-9a-f]{${SUFFIX_LENGTH}})$/, ''); ` +
  `${beginning('$own', NAME_LENGTH_MAX - RECOVERY_SUFFIX_LENGTH)} )`;
const END = "$execution.executionArn & '#' & $formatBase($execution.stopDate, 10)";
/** JSONata of the name under which the input is delivered next. */
export const NAME =
  `${FRONT} & '-recovery-' & $string(${tries()} + 1) & '-' & ` +
  `$substring($hash(${END}, 'SHA-256'), 0, ${SUFFIX_LENGTH})`;
