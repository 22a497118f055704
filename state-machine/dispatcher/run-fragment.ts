import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  Choice,
  Fail,
  type INextable,
  type IStateMachine,
  type State,
  StateMachineFragment,
  Succeed,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { decide } from '../choice';
import { dispatchRules, runRules } from '../contract/dispatch-rules';
import { ERROR } from '../contract/error-names';
import { expression } from '../contract/jsonata';
import { RECORD } from '../contract/record';
import { DISPATCHER_STATE } from '../contract/state-names';
import { attributeIn } from '../contract/table-schema';
import type { DispatchVariant } from '../contract/variant';
import { keyTextExpression } from '../jsonata/key';
import { PASS_INPUT_ON, type Settings } from '../settings';
import { DATA_TOO_LONG, EVALUATION_FAILED } from '../tasks/aws-error-names';
import { evaluate } from '../tasks/evaluate';
import { ServiceTask } from '../tasks/service-task';
import { hasItBeenDone, RETRIES, readRecordOfName, retryStart } from './dispatcher-states';

/** What decides, beside the record, whether the failure of an Express workflow is its answer. */
export type RunVariant = Pick<DispatchVariant, 'returnsStoredFailure' | 'returnedErrors'>;

/** Settings of a {@link RunFragment}. */
export interface RunFragmentProps extends Pick<Settings, 'table' | 'scope' | 'key' | 'payload'>, RunVariant {
  /** The Express workflow that is run. */
  readonly stateMachine: IStateMachine;
  /** The names of the state machines that the workflow has had before. */
  readonly formerStateMachines: readonly string[];
}

/**
 * The states that run an Express workflow for one delivery of a source that waits, and that delivers again what fails.
 *
 * A delivery succeeds if no other one would change its outcome. The record says that: the answer to an execution that
 * has run can be too long, or lost. The error of an execution counts only if the record leaves nothing to do for the
 * event, because a step can fail by any name. Everything else fails, and the source delivers again.
 */
export class RunFragment extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[] = [];

  constructor(scope: Construct, id: string, props: RunFragmentProps) {
    super(scope, id);
    const { stateMachine, key, payload, table, formerStateMachines } = props;
    const run = runTheWorkflow(this, stateMachine);
    const isFinal = Choice.jsonata(this, DISPATCHER_STATE.isFinal, {
      comment: 'Of any other end, the record says what it means',
    });
    const readKey = evaluate(this, DISPATCHER_STATE.readKey, {
      comment: 'Its execution does not say what has become of the key: the record does',
      steps: [{ outputs: keyTextExpression(key) }],
      assign: { key: expression('$states.result[0]') },
      outputs: PASS_INPUT_ON,
    });
    const read = readRecordOfName(this, props, 'Strongly consistent: the answer to an execution can be lost');
    const isDone = hasItBeenDone(this, 'Only an outcome that stays ends a delivery');
    const notFinished = Fail.jsonata(this, DISPATCHER_STATE.notFinished, {
      comment: 'The source delivers the event again',
      error: ERROR.notFinished,
      cause: expression("$string({'message': 'the key is not finished', 'error': $run.error})"),
    });

    run.next(isFinal);
    const failed = { assign: { run: FAILED_CALL, record: {} }, outputs: PASS_INPUT_ON };
    run.addCatch(readKey, { errors: [DATA_TOO_LONG], ...failed });
    run.addCatch(readKey, failed);
    const delivered = Succeed.jsonata(this, DISPATCHER_STATE.delivered, {
      comment: 'The key has its outcome, or the event was rejected for good',
      outputs: {},
    });
    decide(isFinal, runRules(), { delivered: () => delivered, readRecord: () => readKey });
    // Without a key, or a payload, no step has run: the error says what the end means.
    readKey.next(read);
    readKey.addCatch(isDone, { errors: [DATA_TOO_LONG], outputs: PASS_INPUT_ON });
    readKey.addCatch(isDone, { outputs: PASS_INPUT_ON });
    retryStart(read, RETRIES.read);
    read.next(isDone);
    read.addCatch(isDone, { errors: [EVALUATION_FAILED], outputs: PASS_INPUT_ON });
    read.addCatch(notFinished, { errors: [DATA_TOO_LONG] });
    read.addCatch(notFinished);
    const rules = dispatchRules({
      ...props,
      hasPayload: payload !== undefined,
      isExpress: true,
      hasRecovery: false,
      formerStateMachines,
      stateMachineArn: stateMachine.stateMachineArn,
      timeToLiveAttribute: attributeIn(table.schema, RECORD.expiry),
    });
    decide(isDone, rules, {
      duplicate: () => delivered,
      leave: undefined,
      startAgain: () => notFinished,
    });
    this.startState = run;
  }
}

/** A call that has failed says nothing of the execution. */
const FAILED_CALL = expression(
  "{'status': 'UNKNOWN', 'error': $type($states.errorOutput.Error) = 'string' ? $states.errorOutput.Error : 'States.TaskFailed'}",
);

/** Runs the workflow, and waits for its end. It is not retried here, because the source does that. */
function runTheWorkflow(scope: Construct, { stateMachineArn }: IStateMachine): ServiceTask {
  return new ServiceTask(scope, DISPATCHER_STATE.run, {
    comment: 'Waits for the end of the execution',
    integration: 'aws-sdk:sfn:startSyncExecution',
    request: { StateMachineArn: stateMachineArn, Input: expression('$states.input') },
    policies: [new PolicyStatement({ actions: ['states:StartSyncExecution'], resources: [stateMachineArn] })],
    assign: {
      run: expression(
        "$merge([{'status': $states.result.Status}, " +
          "$exists($states.result.Error) ? {'error': $states.result.Error} : {}])",
      ),
      record: {},
    },
    outputs: PASS_INPUT_ON,
  });
}
