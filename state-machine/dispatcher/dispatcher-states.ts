import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  Choice,
  Fail,
  type IStateMachine,
  JitterType,
  Succeed,
  type TaskStateBase,
  type TaskStateJsonataBaseProps,
  Timeout,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { CLOCKS_DIFFER_MS } from '../contract/dispatch-rules';
import { ERROR } from '../contract/error-names';
import { expression, literals } from '../contract/jsonata';
import { DISPATCHER_STATE, type DispatcherStateName, type FrontDoorStateName } from '../contract/state-names';
import { recordKeyExpression } from '../jsonata/key';
import { payloadHashExpression } from '../jsonata/payload';
import type { Settings } from '../settings';
import { DATA_TOO_LONG, EVALUATION_FAILED, NAME_TAKEN } from '../tasks/aws-error-names';
import { readTheRecord } from '../tasks/dynamo-task';
import { ServiceTask } from '../tasks/service-task';

/** How long one try of a step of the dispatcher may take: what is tried again must not use up the time of the rest. */
export const START_TIMEOUT = Duration.seconds(5);
const DELAY_MAX = Duration.seconds(10);

/**
 * How often each step of the dispatcher is tried again. One start, the read, another start and the dead-letter queue
 * stay within the five minutes of an Express execution even if every try takes its whole time. An execution whose time
 * is over keeps no event. A start for a waiting caller has less time; a waiting caller has the event.
 */
export const RETRIES = { start: 9, awaitedStart: 4, read: 1, keep: 3 } as const;

/** Retries a step of the dispatcher so often. A name taken, a failed evaluation and data that is too long are answers. */
export function retryStart(task: TaskStateBase, maxAttempts: number): void {
  task.addRetry({ errors: [...NAME_TAKEN, EVALUATION_FAILED, DATA_TOO_LONG], maxAttempts: 0 });
  task.addRetry({
    interval: Duration.seconds(1),
    backoffRate: 2,
    maxAttempts,
    maxDelay: DELAY_MAX,
    jitterStrategy: JitterType.FULL,
  });
}

/** One way to start the workflow. */
export interface StartProps {
  readonly id: DispatcherStateName | FrontDoorStateName;
  readonly comment: string;
  readonly stateMachine: IStateMachine;
  /** The execution's name, an expression: the same in each try, because the answer to a start can be lost. */
  readonly name: string;
  /** The execution's input, an expression. */
  readonly input: string;
  /** The partition key of the key's record, an expression: part of the output if a caller waits for the end. */
  readonly recordKey?: string | undefined;
  /** What it remembers of the start, and what it passes on, in place of the ARN. @default - its output is the ARN */
  readonly remembered?: Pick<TaskStateJsonataBaseProps, 'assign' | 'outputs'>;
  /** How long one try may take. @default - {@link START_TIMEOUT} */
  readonly timeout?: Duration;
}

/** Starts an execution of the workflow without waiting for it. Its output is the ARN, and the key if one is given. */
export class StartTask extends ServiceTask {
  constructor(scope: Construct, props: StartProps) {
    const { id, comment, name, input, recordKey, timeout = START_TIMEOUT } = props;
    const { stateMachineArn } = props.stateMachine;
    super(scope, id, {
      comment,
      integration: 'states:startExecution',
      request: { StateMachineArn: stateMachineArn, Name: name, Input: input },
      policies: [new PolicyStatement({ actions: ['states:StartExecution'], resources: [stateMachineArn] })],
      taskTimeout: Timeout.duration(timeout),
      ...(props.remembered ?? {
        outputs: {
          executionArn: expression('$states.result.ExecutionArn'),
          ...(recordKey !== undefined && { recordKey }),
        },
      }),
    });
  }
}

/** A text of which `$toMillis` makes a number, or none. */
const DATE_TEXT = '/^20\\d\\d-[01]\\d-[0-3]\\dT[0-2]\\d:[0-5]\\d:[0-5]\\d(\\.\\d+)?Z$/';
/**
 * JSONata statements over the answer to a start, which fail for none. `$at` is when its execution began, in epoch
 * milliseconds. The pages of AWS do not say whether the date is a text, seconds or milliseconds. If it is none of them,
 * or more than a year off, `$at` is the time of the call, and the record decides.
 *
 * `$wasRunning` says whether the execution can be that of another delivery: a start with the name and the input of a
 * running execution is answered with that execution. `$callsAt` is the time before the first try.
 */
export const START_DATE =
  '$date := $states.result.StartDate; ' +
  "$ms := $type($date) = 'number' ? ($abs($date) < 1e11 ? $date * 1000 : $date) " +
  `: $type($date) = 'string' and $contains($date, ${DATE_TEXT}) ? $toMillis($date) : 0; ` +
  // Not by a difference: a text of no day can be read as no number, which compares and does not subtract.
  '$at := $ms > $callsAt - 4e10 and $ms < $callsAt + 4e10 ? $ms : $callsAt; ' +
  `$wasRunning := $not($at = $ms) or $ms < $callsAt - ${CLOCKS_DIFFER_MS}`;

/**
 * JSONata: the start was tried more than once. Then the execution can be that of an earlier try, or of another delivery
 * that came since the call.
 */
export const IS_RETRIED = '$states.context.State.RetryCount > 0';

/** What a start remembers: its answer to the caller, and the execution that was running before. It passes `event` on. */
export function rememberStart(event: string, recordKey: string | undefined): StartProps['remembered'] {
  const executionArn = expression('$states.result.ExecutionArn');
  return {
    assign: {
      started: { executionArn, ...(recordKey !== undefined && { recordKey }) },
      joined: expression(
        `( ${START_DATE}; $wasRunning or ${IS_RETRIED} ` +
          "? {'executionArn': $states.result.ExecutionArn, 'since': $at} : {} )",
      ),
    },
    outputs: event,
  };
}

/** The Choice over the execution that a start was answered with. Its rules are in `contract/judgement.ts`. */
export function wasItRunning(scope: Construct): Choice {
  return Choice.jsonata(scope, DISPATCHER_STATE.wasRunning, {
    comment: 'An execution can run for hours under the name of its key, only to send its notice',
  });
}

/** The end of a delivery that an execution takes care of: its own one, or one that is at work. */
export function started(scope: Construct): Succeed {
  return Succeed.jsonata(scope, DISPATCHER_STATE.started, {
    comment: 'An execution takes care of this delivery',
    outputs: expression('$started'),
  });
}

/** Reads the record of a key whose name is in use. Strongly consistent: the name says nothing about success. */
export function readRecordOfName(
  scope: Construct,
  settings: Pick<Settings, 'table' | 'scope' | 'payload'>,
  comment = 'The name is in use, which says nothing about success: the record does',
) {
  const { payload } = settings;
  return readTheRecord(scope, DISPATCHER_STATE.read, {
    comment,
    settings,
    key: recordKeyExpression(settings.scope),
    ...(payload !== undefined && { assign: { payloadHash: payloadHashExpression(payload) } }),
    taskTimeout: Timeout.duration(START_TIMEOUT),
  });
}

/** The Choice over the record of a key whose name is in use. Its rules are in `contract/judgement.ts`. */
export function hasItBeenDone(
  scope: Construct,
  comment = 'Only a finished record, or an execution that is at work, stops a delivery',
): Choice {
  return Choice.jsonata(scope, DISPATCHER_STATE.isDone, { comment });
}

/** The end of a delivery that a finished record answers: no execution of the workflow. */
export function duplicate(scope: Construct): Succeed {
  return Succeed.jsonata(scope, DISPATCHER_STATE.duplicate, {
    comment: 'The business step has run for this key: nothing is started',
    outputs: { duplicateOf: expression('$record.owner.S') },
  });
}

/** The end of a delivery whose start was made although its answer was lost. */
export function startedBefore(scope: Construct): Succeed {
  return Succeed.jsonata(scope, DISPATCHER_STATE.startedBefore, {
    comment: 'This very start was made, and only its answer was lost',
    outputs: {},
  });
}

/** The end of a delivery that could not be started. */
export function notStarted(scope: Construct): Fail {
  return Fail.jsonata(scope, DISPATCHER_STATE.notStarted, {
    comment: 'Step Functions or DynamoDB did not answer',
    error: ERROR.notStarted,
    cause: expression("$string({'message': 'the workflow could not be started', 'error': $failure.Error})"),
  });
}

/** The end of a delivery of which the source's `input` makes nothing that the workflow could be started with. */
export function notValid(scope: Construct): Fail {
  return Fail.jsonata(scope, DISPATCHER_STATE.notValid, {
    comment: 'Nothing is started: the event would be rejected again',
    error: ERROR.invalidEvent,
    cause: 'the `input` of the source cannot be evaluated for this event, or does not give an object',
  });
}

/**
 * The event without what differs between its deliveries: an EventBridge event without the members `volatile`, anything
 * else as it came. Step Functions compares inputs to know the same start again.
 */
export function canonicalEvent(volatile: readonly string[]): string {
  if (volatile.length === 0) return expression('$states.input');
  return expression(canonical('$states.input', volatile));
}

/** JSONata of the same for the event in a variable or path. */
export function canonical(event: string, volatile: readonly string[]): string {
  const isVolatile = `$name in ${literals(volatile)}`;
  return (
    `$exists($lookup(${event}, 'detail-type')) ` +
    `? $sift(${event}, function($value, $name) { $not(${isVolatile}) }) : ${event}`
  );
}
