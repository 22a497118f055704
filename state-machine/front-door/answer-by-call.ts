import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Choice, Errors, type State, Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { when } from '../choice';
import { toJsonata } from '../contract/condition-text';
import { IS_FAILED, IS_IN_PROGRESS, isReturnedFailure } from '../contract/conditions';
import { expression } from '../contract/jsonata';
import { FRONT_DOOR_STATE } from '../contract/state-names';
import { PASS_INPUT_ON } from '../settings';
import { DATA_TOO_LONG } from '../tasks/aws-error-names';
import { readTheRecord } from '../tasks/dynamo-task';
import { ServiceTask } from '../tasks/service-task';
import { recordRules, storedAnswerRules } from './await-record';
import type { Ends } from './ends';
import type { FrontDoorProps } from './front-door-props';
import { CALL_TIMEOUT, retryBriefly } from './front-door-states';

// An Express workflow is called: the front door waits for its end, and then reads the record once. The answer of the
// call decides nothing, because it can be lost. The execution has the name of this one, so the record says whose it is.

/**
 * The state that calls the workflow, once: a second call would be another execution, which the first rejects. Whatever
 * becomes of the call, `read` is next. The variable `text` is the output of an execution that has succeeded.
 */
export function callWorkflow(
  scope: Construct,
  { stateMachine, waitUpTo }: FrontDoorProps,
  read: State,
): State {
  const { stateMachineArn } = stateMachine;
  const call = new ServiceTask(scope, FRONT_DOOR_STATE.startRequest, {
    comment: 'Both of two requests at once start: the claim lets one of them run',
    integration: 'aws-sdk:sfn:startSyncExecution',
    request: { StateMachineArn: stateMachineArn, Name: OWN_NAME, Input: PASS_INPUT_ON },
    policies: [new PolicyStatement({ actions: ['states:StartSyncExecution'], resources: [stateMachineArn] })],
    taskTimeout: Timeout.duration(waitUpTo),
    assign: { text: expression("$states.result.Status = 'SUCCEEDED' ? $states.result.Output : ''") },
    outputs: PASS_INPUT_ON,
  });
  // Input and output are in the answer; `States.ALL` does not have to cover that they are too long together.
  for (const error of [DATA_TOO_LONG, Errors.ALL]) {
    call.addCatch(read, { errors: [error], assign: { text: '' }, outputs: PASS_INPUT_ON });
  }
  call.next(read);
  return call;
}

/** The read of the record when the call is over, and the judgement of what it says. */
export function readOnce(scope: Construct, props: FrontDoorProps, ends: Ends): State {
  const { problems, accepted } = ends;
  const read = readTheRecord(scope, FRONT_DOOR_STATE.readRecord, {
    comment: 'The record alone says what has become of the request',
    settings: props,
    key: expression('$recordKey'),
    assign: { replayed: expression(`$not(${isOwn('$states.result.Item')})`) },
    taskTimeout: Timeout.duration(CALL_TIMEOUT),
  });
  retryBriefly(read, 1);
  read.addCatch(problems.resultUnavailable, { errors: [DATA_TOO_LONG] });
  read.addCatch(accepted, { outputs: PASS_INPUT_ON });

  const judge = Choice.jsonata(scope, FRONT_DOOR_STATE.whatBecame, {
    comment: 'The record decides: the first rule that holds',
  });
  const { gone, foreign, otherPayload } = recordRules(props);
  when(judge, 'Absent or expired', gone, problems.notStarted);
  when(judge, 'Of another workflow', foreign, problems.foreignRecord);
  if (otherPayload !== undefined) when(judge, 'Another payload', otherPayload, problems.payloadMismatch);
  storedAnswerRules(judge, props, ends);
  if (props.returnsStoredFailure) {
    const failure = toJsonata(isReturnedFailure(props.returnedErrors));
    when(judge, 'Failed, its error is returned', failure, problems.stepFailed);
  }
  when(judge, 'Failed', `${toJsonata(IS_FAILED)} and ${isOwn('$record')}`, problems.stepFailed);
  when(judge, 'At work, and its own', `${toJsonata(IS_IN_PROGRESS)} and ${isOwn('$record')}`, accepted);
  when(judge, 'At work', toJsonata(IS_IN_PROGRESS), problems.inProgress);
  // Failed before, or released: this request has not taken it over.
  judge.otherwise(problems.notStarted);
  return read.next(judge).startState;
}

/** The name of this execution, which Step Functions makes up: no other request has it. */
const OWN_NAME = expression('$states.context.Execution.Name');

/** The place of an execution's name in the ARN of an Express execution. */
const NAME_IN_ARN = 7;

/** JSONata: whether the execution that this one has called owns a record. */
function isOwn(record: string): string {
  return `$split(${record}.owner.S, ':')[${NAME_IN_ARN}] = $states.context.Execution.Name`;
}
