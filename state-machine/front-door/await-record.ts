import { Choice, type State, Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { when } from '../choice';
import { all } from '../contract/condition';
import { toJsonata } from '../contract/condition-text';
import {
  HAS_RESULT_TEXT,
  HAS_STORED_RESULT,
  IS_COMPLETED,
  IS_FAILED,
  IS_HELD,
  IS_IN_DOUBT,
  IS_IN_PROGRESS,
  IS_OTHER_PAYLOAD,
  IS_RELEASED,
  isGone,
  isOfAnotherWorkflow,
  isReturnedFailure,
  isWithinTheStepsTime,
} from '../contract/conditions';
import { CLAIM_WITHIN_MS } from '../contract/dispatch-rules';
import { expression, jsonataIn, literal } from '../contract/jsonata';
import { RECORD } from '../contract/record';
import { FRONT_DOOR_STATE } from '../contract/state-names';
import { attributeIn } from '../contract/table-schema';
import { IS_RETRIED, START_DATE, StartTask } from '../dispatcher/dispatcher-states';
import { retryNameExpression } from '../jsonata/key';
import { OWN_SUFFIX } from '../jsonata/variables';
import { PASS_INPUT_ON } from '../settings';
import { DATA_TOO_LONG, NAME_TAKEN } from '../tasks/aws-error-names';
import { readTheRecord } from '../tasks/dynamo-task';
import type { Ends } from './ends';
import type { FrontDoorProps } from './front-door-props';
import { CALL_TIMEOUT, letItWork, retryBriefly } from './front-door-states';
import { IS_ANOTHER_REQUEST, IS_YOUNG } from './result-location';

/**
 * Defines the states that read the record until it says how the request has ended, or the time is over: at once, then
 * once a second. Returns the read.
 *
 * While the own execution is at work, a read costs half: it need not be consistent. Of such a read only the own record
 * counts, completed or in progress; anything else is read once more, consistently.
 */
export function awaitRecord(scope: Construct, props: FrontDoorProps, ends: Ends): State {
  const { problems, accepted } = ends;
  const read = readTheRecord(scope, FRONT_DOOR_STATE.readRecord, {
    comment: 'The record alone says what has become of the request',
    settings: props,
    key: expression('$recordKey'),
    isConsistent: expression('$sure'),
    assign: { replayed: expression('$not($states.result.Item.owner.S = $started.arn)') },
    taskTimeout: Timeout.duration(CALL_TIMEOUT),
  });
  const isTimeLeft = Choice.jsonata(scope, FRONT_DOOR_STATE.isTimeLeft, {
    comment: 'May the caller wait longer?',
  });
  when(isTimeLeft, 'At once', `$reads < ${props.readsAtOnce} and $millis() < $waitUntil`, read, {
    assign: { reads: expression(READS) },
  });
  when(isTimeLeft, 'It may', `$waitUntil - $millis() >= ${SHORT_WAIT_MS}`, letItWork(scope).next(read));
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
      read,
      isTimeLeft,
      behindTheFirst,
      startAnew: startAnew(scope, props, problems.notStarted, isTimeLeft),
    }),
  );
  return read;
}

interface Targets {
  readonly read: State;
  readonly isTimeLeft: State;
  /** Where a request goes that has come while its first is at work. */
  readonly behindTheFirst: State;
  readonly startAnew: State;
}

/** What the reads at once have cost, in those of 4 KB that need not be consistent. A character has up to three bytes. */
const READS = '$reads + ($sure ? 2 : 1) * $ceil(3 * $length($string($record)) / 4096)';
/** A second is waited for only if so much of it is left: what comes before it takes some milliseconds. */
const SHORT_WAIT_MS = 900;

/** The judgement of the record for a caller that waits for an answer. */
function whatBecameOfIt(scope: Construct, props: FrontDoorProps, ends: Ends, targets: Targets): Choice {
  const { problems } = ends;
  const { isTimeLeft, startAnew } = targets;
  const judge = Choice.jsonata(scope, FRONT_DOOR_STATE.whatBecame, {
    comment: 'The record decides: the first rule that holds',
  });
  const { gone, foreign, otherPayload } = recordRules(props);
  // Absent and of another request are one answer at each time. Otherwise a made-up check would tell which keys exist.
  const asked = '$exists($question)';
  const unknown = `((${gone}) or (${foreign}) or ${IS_ANOTHER_REQUEST})`;
  const notYet = `${asked} and ${IS_YOUNG}`;
  when(judge, 'Asked for, and not known yet', `${notYet} and ((${gone}) or (${foreign}))`, ends.accepted);
  when(judge, 'Asked for, and of another request', `${notYet} and ${IS_ANOTHER_REQUEST}`, ends.accepted);
  when(judge, 'Asked for, and not known', `${asked} and ${unknown}`, problems.notFound);
  when(judge, 'Absent or expired, nothing started', `(${gone}) and ${NOTHING_STARTED}`, startAnew);
  when(judge, 'Absent or expired', gone, isTimeLeft);
  when(judge, 'It may have been so before', MAY_BE_OLD, targets.read, { assign: { sure: true } });
  when(judge, 'Of another workflow', foreign, problems.foreignRecord);
  if (otherPayload !== undefined) when(judge, 'Another payload', otherPayload, problems.payloadMismatch);
  storedAnswerRules(judge, props, ends);
  when(judge, 'Released', `${toJsonata(IS_RELEASED)} and ${NOTHING_STARTED}`, startAnew);
  when(judge, 'Released, and not taken over yet', toJsonata(IS_RELEASED), isTimeLeft);
  if (props.returnsStoredFailure) {
    const name = props.returnedErrors === undefined ? 'Failed' : 'Failed, its error is returned';
    when(judge, name, toJsonata(isReturnedFailure(props.returnedErrors)), problems.stepFailed);
  }
  if (!props.returnsStoredFailure || props.returnedErrors !== undefined) {
    const isBefore = `${toJsonata(IS_FAILED)} and ${NOTHING_STARTED}`;
    when(judge, 'Failed before', isBefore, startAnew, {
      assign: { failed: expression('$record.attempt.N') },
    });
    when(judge, 'Failed', `${toJsonata(IS_FAILED)} and (${IS_NEWS})`, problems.stepFailed);
    when(judge, 'Not taken over yet', toJsonata(IS_FAILED), isTimeLeft);
  }
  const isYoung = toJsonata(isWithinTheStepsTime(props.stepTimeout.count()));
  const isAtWork = toJsonata(IS_IN_PROGRESS);
  const isOld = `${isAtWork} and ${NOTHING_STARTED} and $not(${isYoung})`;
  const isAwaited = `${isAtWork} and ($exists($question) or $record.owner.S = $started.arn or $not(${isYoung}))`;
  when(judge, 'Its owner may have ended', isOld, startAnew);
  when(judge, 'At work, or in recovery', isAwaited, isTimeLeft);
  when(judge, 'Asked for, and not done', asked, ends.accepted);
  judge.otherwise(targets.behindTheFirst);
  return judge;
}

/** JSONata of whether the record is another's than that of this request, or none; `otherPayload` if payloads count. */
export function recordRules({ table, formerStateMachines, stateMachine, payload }: FrontDoorProps) {
  const own = literal(stateMachine.stateMachineArn);
  return {
    gone: toJsonata(isGone(attributeIn(table.schema, RECORD.expiry))),
    foreign: toJsonata(isOfAnotherWorkflow(formerStateMachines, own)),
    otherPayload: payload === undefined ? undefined : toJsonata(IS_OTHER_PAYLOAD),
  };
}

/** Adds the rules for a record that has an answer for every request: its step has succeeded, or the record is held. */
export function storedAnswerRules(choice: Choice, props: FrontDoorProps, ends: Ends): void {
  const { problems } = ends;
  const text = { assign: { text: expression('$record.result.S') } };
  when(choice, 'Completed, with the result', HAS_TEXT, ends.result, text);
  if (ends.readStored) when(choice, 'Completed, in the bucket', IS_STORED, ends.readStored);
  when(choice, 'Completed', toJsonata(IS_COMPLETED), ends.readOwner);
  when(choice, 'Held, its result lost', IS_LOST, problems.resultUnavailable);
  when(choice, 'Held for review', toJsonata(IS_HELD), problems.inDoubt);
  if (props.isAtMostOnce) when(choice, 'In doubt', toJsonata(all(IS_FAILED, IS_IN_DOUBT)), problems.inDoubt);
}

const HAS_TEXT = toJsonata(all(IS_COMPLETED, HAS_RESULT_TEXT));
const IS_STORED = toJsonata(all(IS_COMPLETED, HAS_STORED_RESULT));
/** Its step has run, and its result cannot be returned. */
const IS_LOST = `${toJsonata(IS_HELD)} and $exists($record.${RECORD.finishedAt})`;

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
    remembered: STARTED_ANEW,
  });
  retryBriefly(start);
  start.next(next);
  const arn =
    `$replace(${literal(stateMachine.stateMachineArn)}, ':stateMachine:', ':execution:') & ':' & ` +
    jsonataIn(name);
  const at = '$toMillis($states.context.Execution.StartTime)';
  start.addCatch(next, {
    errors: [...NAME_TAKEN],
    assign: { started: { arn: expression(arn), at: expression(at) } },
    outputs: PASS_INPUT_ON,
  });
  start.addCatch(notStarted);
  return start;
}

const IS_LATE = `$millis() >= $started.at + ${CLAIM_WITHIN_MS}`;
/**
 * Without an ARN, a start was answered with the execution of another request. After its time to claim, that execution
 * may only be sending its notice: then this request has started nothing. A question never starts.
 */
const NOTHING_STARTED = `($not($exists($started.at)) or $not($exists($question) or $exists($started.arn)) and ${IS_LATE})`;

/**
 * What a start leaves behind: when its execution began, in epoch milliseconds, and its ARN. A start under the name and
 * with the input of a running execution is answered with that one: it is another request's, and stays without ARN. An
 * execution that began since the call serves this request, also if another request has started it. If the start was
 * tried again, the record is read as it is now.
 */
export const STARTED = {
  assign: {
    started: expression(
      `( ${START_DATE}; $merge([{'at': $at}, $wasRunning ? {} : {'arn': $states.result.ExecutionArn}]) )`,
    ),
    sure: expression(`( ${START_DATE}; $wasRunning or ${IS_RETRIED} )`),
  },
  outputs: PASS_INPUT_ON,
};

/** The same of a start under a name that no other request has. */
const STARTED_ANEW = {
  assign: {
    started: expression(`( ${START_DATE}; {'at': $at, 'arn': $states.result.ExecutionArn} )`),
    sure: false,
  },
  outputs: PASS_INPUT_ON,
};

/** A read that need not be consistent tells of the own record only: a step forward is never taken back. */
const MAY_BE_OLD = `$not($sure or $record.owner.S = $started.arn and (${toJsonata(IS_COMPLETED)} or ${toJsonata(IS_IN_PROGRESS)}))`;
/**
 * A claim that was made after the start is its own, or that of a request which came at the same time. Later, at a
 * question, a failure is the answer whichever it is.
 */
const IS_NEWS =
  '$record.owner.S = $started.arn or $toMillis($record.claimedAt.S) >= $started.at and $not($record.attempt.N = $failed) ' +
  `or ${IS_LATE}`;
