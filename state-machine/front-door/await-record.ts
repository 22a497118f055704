import { Choice, type State, Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { DATA_TOO_LONG, NAME_TAKEN } from '../aws-error-names';
import { when } from '../choice';
import { toJsonata } from '../contract/condition-text';
import {
  IS_FAILED,
  IS_IN_PROGRESS,
  IS_OTHER_PAYLOAD,
  IS_RELEASED,
  isGone,
  isOfAnotherWorkflow,
  isReturnedFailure,
  isWithinTheStepsTime,
} from '../contract/conditions';
import { expression, literal, sourceIn } from '../contract/jsonata';
import { RECORD } from '../contract/record';
import { FRONT_DOOR_STATE } from '../contract/state-names';
import { attributeIn } from '../contract/table-schema';
import { StartTask } from '../dispatcher/dispatcher-states';
import { retryNameExpression } from '../jsonata/key';
import { OWN_SUFFIX } from '../jsonata/variables';
import { PASS_INPUT_ON } from '../settings';
import { readTheRecord } from '../tasks';
import type { Ends } from './ends';
import type { FrontDoorProps } from './front-door-props';
import { CALL_TIMEOUT, letItWork, retryBriefly } from './front-door-states';
import { storedAnswerRules } from './stored-answer';

/** The first states of the two ways to an answer: at once, or as long as the caller may wait. */
export interface AwaitStates {
  readonly read: State;
  readonly isTimeLeft: State;
  /** Where a request goes that has come while its first is at work. */
  readonly behindTheFirst: State;
}

/** Defines the states that read the record until it says how the request has ended, or the time is over. */
export function awaitRecord(scope: Construct, props: FrontDoorProps, ends: Ends): AwaitStates {
  const { problems, accepted } = ends;
  const read = readTheRecord(scope, FRONT_DOOR_STATE.readRecord, {
    comment: 'The record alone says what has become of the request',
    settings: props,
    key: expression('$recordKey'),
    assign: { replayed: expression('$not($states.result.Item.owner.S = $started.arn)') },
    taskTimeout: Timeout.duration(CALL_TIMEOUT),
  });
  const isTimeLeft = Choice.jsonata(scope, FRONT_DOOR_STATE.isTimeLeft, {
    comment: 'May the caller wait longer?',
  });
  when(isTimeLeft, 'It may', '$waitUntil - $millis() >= 500', letItWork(scope).next(read));
  isTimeLeft.otherwise(accepted);
  ends.whileOwnerEnds(isTimeLeft);

  // A started execution continues; a caller that has started none does not know.
  const wasStarted = Choice.jsonata(scope, FRONT_DOOR_STATE.wasStarted, {
    comment: 'The record cannot be read',
  });
  when(wasStarted, 'Nothing was', NOTHING_STARTED, problems.notStarted);
  wasStarted.otherwise(accepted);
  retryBriefly(read, 1);
  read.addCatch(problems.resultUnavailable, { errors: [DATA_TOO_LONG] });
  read.addCatch(wasStarted, { outputs: PASS_INPUT_ON });

  const behindTheFirst = props.waitsForFirst ? isTimeLeft : problems.inProgress;
  read.next(
    whatBecameOfIt(scope, props, ends, {
      isTimeLeft,
      behindTheFirst,
      startAnew: startAnew(scope, props, problems.notStarted, isTimeLeft),
    }),
  );
  return { read, isTimeLeft, behindTheFirst };
}

interface Targets extends Omit<AwaitStates, 'read'> {
  readonly startAnew: State;
}

/** The judgement of the record for a caller that waits for an answer. */
function whatBecameOfIt(scope: Construct, props: FrontDoorProps, ends: Ends, targets: Targets): Choice {
  const { problems } = ends;
  const { isTimeLeft, startAnew } = targets;
  const judge = Choice.jsonata(scope, FRONT_DOOR_STATE.whatBecame, {
    comment: 'The record decides: the first rule that holds',
  });
  const gone = toJsonata(isGone(attributeIn(props.table.schema, RECORD.expiry)));
  const stateMachineArn = literal(props.stateMachine.stateMachineArn);
  const foreign = toJsonata(isOfAnotherWorkflow(props.formerStateMachines, stateMachineArn));
  when(judge, 'Absent or expired, nothing started', `(${gone}) and ${NOTHING_STARTED}`, startAnew);
  when(judge, 'Absent or expired', gone, isTimeLeft);
  when(judge, 'Of another workflow', foreign, problems.foreignRecord);
  if (props.payload !== undefined) {
    when(judge, 'Another payload', toJsonata(IS_OTHER_PAYLOAD), problems.payloadMismatch);
  }
  storedAnswerRules(judge, props, ends);
  when(judge, 'Released', `${toJsonata(IS_RELEASED)} and ${NOTHING_STARTED}`, startAnew);
  when(judge, 'Released, and not taken over yet', toJsonata(IS_RELEASED), isTimeLeft);
  if (props.returnsStoredFailure) {
    const name = props.returnedErrors === undefined ? 'Failed' : 'Failed, its error is returned';
    when(judge, name, toJsonata(isReturnedFailure(props.returnedErrors)), problems.stepFailed);
  }
  if (!props.returnsStoredFailure || props.returnedErrors !== undefined) {
    when(judge, 'Failed before', `${toJsonata(IS_FAILED)} and ${NOTHING_STARTED}`, startAnew);
    when(judge, 'Failed', `${toJsonata(IS_FAILED)} and (${IS_NEWS})`, problems.stepFailed);
    when(judge, 'Not taken over yet', toJsonata(IS_FAILED), isTimeLeft);
  }
  const isOwn = `${toJsonata(IS_IN_PROGRESS)} and $record.owner.S = $started.arn`;
  when(judge, 'At work', isOwn, isTimeLeft);
  const isYoung = toJsonata(isWithinTheStepsTime(props.stepTimeout.count()));
  const isOld = `${toJsonata(IS_IN_PROGRESS)} and ${NOTHING_STARTED} and $not(${isYoung})`;
  when(judge, 'Its owner may have ended', isOld, startAnew);
  judge.otherwise(targets.behindTheFirst);
  return judge;
}

/** Starts the workflow under another name. The start that was made and whose answer was lost counts as well. */
function startAnew(scope: Construct, props: FrontDoorProps, notStarted: State, next: State): State {
  const { stateMachine } = props;
  const name = retryNameExpression(OWN_SUFFIX);
  const start = new StartTask(scope, {
    id: FRONT_DOOR_STATE.startAnew,
    comment: 'Under another name: the workflow decides what becomes of it',
    stateMachine,
    name,
    input: PASS_INPUT_ON,
    timeout: CALL_TIMEOUT,
    remembered: STARTED,
  });
  retryBriefly(start);
  start.next(next);
  const arn =
    `$replace(${literal(stateMachine.stateMachineArn)}, ':stateMachine:', ':execution:') & ':' & ` +
    sourceIn(name);
  const at = '$toMillis($states.context.Execution.StartTime)';
  start.addCatch(next, {
    errors: [...NAME_TAKEN],
    assign: { started: { arn: expression(arn), at: expression(at) } },
    outputs: PASS_INPUT_ON,
  });
  start.addCatch(notStarted);
  return start;
}

/** What a start leaves behind: its execution, and when that began, in epoch milliseconds. */
export const STARTED = {
  assign: {
    started: {
      arn: expression('$states.result.ExecutionArn'),
      at: expression(
        "$type($states.result.StartDate) = 'number' ? $states.result.StartDate : $toMillis($states.result.StartDate)",
      ),
    },
  },
  outputs: PASS_INPUT_ON,
};

const NOTHING_STARTED = '$not($exists($started.arn))';
/** A claim that was made after the start is its own, or that of a request which came at the same time. */
const IS_NEWS = '$record.owner.S = $started.arn or $toMillis($record.claimedAt.S) >= $started.at';
