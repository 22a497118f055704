import { Choice, Pass, type State, Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { DATA_TOO_LONG } from '../aws-error-names';
import { when } from '../choice';
import { toJsonata } from '../contract/condition-text';
import { IS_FAILED, isGone, isOfAnotherWorkflow, isReturnedFailure } from '../contract/conditions';
import { expression, literal } from '../contract/jsonata';
import { RECORD } from '../contract/record';
import { FRONT_DOOR_STATE } from '../contract/state-names';
import { attributeIn } from '../contract/table-schema';
import { evaluate } from '../evaluate';
import { PASS_INPUT_ON } from '../settings';
import { readTheRecord } from '../tasks';
import type { Ends } from './ends';
import type { FrontDoorProps } from './front-door-props';
import { CALL_TIMEOUT, retryBriefly } from './front-door-states';
import { CALLER } from './request';
import { ASKED_AT, IS_ANOTHER_REQUEST, IS_FROM_BEFORE, IS_YOUNG, readLocation } from './result-location';
import { storedAnswerRules } from './stored-answer';

/** Defines the states that answer a question at the location of an answer: one read, and nothing is started. */
export function answerQuestion(scope: Construct, props: FrontDoorProps, ends: Ends): State {
  const { problems, accepted } = ends;
  const begin = Pass.jsonata(scope, FRONT_DOOR_STATE.readQuestion, {
    comment: 'Who asks, and where',
    assign: { caller: CALLER, location: ASKED_AT },
  });
  const find = evaluate(scope, FRONT_DOOR_STATE.findRecord, {
    comment: 'The location holds the key without its caller; any other text is no location',
    steps: readLocation(props.input === undefined),
    assign: {
      recordKey: expression(`${literal(`${props.scope}#`)} & $states.result[0].key`),
      question: expression('$states.result[0]'),
    },
    outputs: PASS_INPUT_ON,
  });
  find.addCatch(problems.notFound);
  const read = readTheRecord(scope, FRONT_DOOR_STATE.readAsked, {
    comment: 'The record alone says what has become of the request',
    settings: props,
    key: expression('$recordKey'),
    taskTimeout: Timeout.duration(CALL_TIMEOUT),
  });
  retryBriefly(read, 2);
  read.addCatch(problems.resultUnavailable, { errors: [DATA_TOO_LONG] });
  read.addCatch(accepted);
  begin
    .next(find)
    .next(read)
    .next(whatIsKnown(scope, props, ends));
  return begin;
}

function whatIsKnown(scope: Construct, props: FrontDoorProps, ends: Ends): Choice {
  const { problems, accepted } = ends;
  const known = Choice.jsonata(scope, FRONT_DOOR_STATE.whatIsKnown, {
    comment: 'The record decides: the first rule that holds',
  });
  const gone = toJsonata(isGone(attributeIn(props.table.schema, RECORD.expiry)));
  const stateMachineArn = literal(props.stateMachine.stateMachineArn);
  const foreign = toJsonata(isOfAnotherWorkflow(props.formerStateMachines, stateMachineArn));
  // Absent and of another request are one answer at each time. Otherwise a made-up check would tell which keys exist.
  const unknown = `${gone} or (${foreign}) or ${IS_ANOTHER_REQUEST}`;
  when(known, 'Not known yet', `${IS_YOUNG} and (${unknown})`, accepted);
  when(known, 'Not known', unknown, problems.notFound);
  storedAnswerRules(known, props, ends);
  if (props.returnedErrors !== undefined) {
    const returned = toJsonata(isReturnedFailure(props.returnedErrors));
    when(known, 'Failed, its error is returned', returned, problems.stepFailed);
  }
  // Otherwise the failure of an earlier attempt would be told while this one is about to be made.
  if (!props.returnsStoredFailure || props.returnedErrors !== undefined) {
    when(known, 'Not taken over yet', `${toJsonata(IS_FAILED)} and ${IS_FROM_BEFORE}`, accepted);
  }
  when(known, 'Failed', toJsonata(IS_FAILED), problems.stepFailed);
  known.otherwise(accepted);
  return known;
}
