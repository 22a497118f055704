import type { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import {
  type Choice,
  Condition,
  Errors,
  type INextable,
  type State,
  StateMachineFragment,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { STEP_FAILURE } from './expressions/cause';
import { expression } from './expressions/jsonata';
import * as is from './expressions/record';
import {
  CONDITION_FAILED,
  EVALUATION_FAILED,
  EVALUATIONS_MAX,
  PASS_INPUT_ON,
  REFUSALS_MAX,
  type Settings,
} from './settings';
import * as claiming from './stages/claim';
import * as failing from './stages/fail';
import * as finalizing from './stages/finalize';
import * as inspecting from './stages/inspect';
import * as running from './stages/run';
import { keySource, payloadSource } from './user-expression';

/** Settings of an {@link IdempotentFragment}. */
export interface IdempotentFragmentProps {
  /** The table with the records; its partition key is the string `idempotencyKey`, its TTL attribute `expiry`. */
  readonly table: ITable;
  /** What stands before the key in the record. Keep it when you rename things: another scope forgets every key. */
  readonly scope: string;
  /** The key of an event: one JSONata expression in `{% %}`, or the parts of a composite key. */
  readonly idempotencyKey: string | readonly string[];
  /**
   * What must be equal when a key comes again: a JSONata expression in `{% %}`.
   *
   * @default - payloads are not compared
   */
  readonly payload?: string;
  /** What runs once per key. */
  readonly step: running.Step;
  /**
   * For how long the step may work on after its state has ended with an error: so long nobody else starts it.
   *
   * @default - for a Lambda function its own timeout, for anything else 15 minutes, the longest a function may run
   */
  readonly stepTimeout?: Duration;
  /** How long a finished record counts. */
  readonly retention: Duration;
}

/**
 * The states that run a step once per idempotency key: claim, business step, finalize, and what duplicates meet.
 *
 * Of all executions with one key, one at a time owns the record and runs the step; those that succeed end with its
 * result. The conditions that hold this are in the stages, each beside its reason.
 */
export class IdempotentFragment extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[];

  constructor(scope: Construct, id: string, props: IdempotentFragmentProps) {
    super(scope, id);
    const states = defineStates(this, props);

    connectClaim(states);
    connectBusinessStep(states);
    connectJudgement(states);

    this.startState = states.claim;
    this.endStates = [states.completed, states.returnStored, states.returnOwners];
  }
}

type States = ReturnType<typeof defineStates>;

function defineStates(scope: Construct, props: IdempotentFragmentProps) {
  const settings: Settings = {
    table: props.table,
    scope: props.scope,
    key: keySource(props.idempotencyKey),
    payload: payloadSource(props.payload),
    retention: props.retention,
  };
  const step = running.businessStep(scope, props.step, props.stepTimeout);
  return {
    scope,
    settings,
    claim: claiming.claimRecord(scope, settings),
    readable: claiming.keyReadable(scope),
    takeOver: claiming.takeOver(scope, settings),
    step,
    letStepEnd: running.letTheStepEnd(scope, step),
    completed: finalizing.finalizeCompleted(scope, settings),
    failed: finalizing.finalizeFailed(scope, settings),
    stepFailed: failing.businessStepFailed(scope),
    read: inspecting.readRecord(scope, settings),
    judge: inspecting.judgeRecord(scope),
    returnStored: inspecting.returnStoredResult(scope),
    returnOwners: new inspecting.ReturnOwnersResult(scope),
    contended: failing.claimContended(scope),
  };
}

function connectClaim({ claim, readable, read, takeOver, step, contended, scope, settings }: States): void {
  claim.next(step.state);
  claim.addCatch(read, {
    errors: [CONDITION_FAILED],
    assign: claiming.knowledgeOfRefused(settings),
    outputs: PASS_INPUT_ON,
  });
  claim.addCatch(readable, {
    errors: [EVALUATION_FAILED],
    assign: { evaluation: expression('$states.errorOutput.Cause'), refusals: is.REFUSALS },
    outputs: PASS_INPUT_ON,
  });

  // Claiming again is safe whether or not the put was made: the claim admits its own record.
  const isTooOften = is.isRefusedTooOften(EVALUATIONS_MAX);
  when(readable, both(either(claiming.FAILED_AFTER_CLAIM, claiming.MET_A_LIMIT), not(isTooOften)), claim);
  when(readable, claiming.FAILED_AFTER_CLAIM, contended);
  if (settings.payload !== undefined) when(readable, claiming.PAYLOAD_FAILED, failing.invalidPayload(scope));
  readable.otherwise(failing.missingKey(scope));

  takeOver.next(step.state);
  takeOver.addCatch(read, {
    errors: [CONDITION_FAILED],
    assign: { refusals: is.REFUSALS },
    outputs: PASS_INPUT_ON,
  });
}

function connectBusinessStep({ step, letStepEnd, completed, failed, stepFailed, scope }: States): void {
  step.state.next(completed);
  completed.addCatch(failing.claimLost(scope), { errors: [CONDITION_FAILED] });

  const failure = { assign: { failure: STEP_FAILURE }, outputs: PASS_INPUT_ON };
  step.state.addCatch(letStepEnd, { errors: [...step.uncertainErrors], ...failure });
  if (!step.uncertainErrors.includes(Errors.ALL)) step.state.addCatch(failed, failure);
  letStepEnd.next(failed);
  failed.next(stepFailed);
  // Somebody else owns the record already. What becomes of it is theirs; our step has failed all the same.
  failed.addCatch(stepFailed, { errors: [CONDITION_FAILED], outputs: PASS_INPUT_ON });
}

// The order of the rules is the protocol's: a record that no longer counts is nobody's, another payload is refused
// whatever became of the first, and only then does the status decide.
function connectJudgement(states: States): void {
  const { read, judge, claim, takeOver, returnStored, returnOwners, contended, scope, settings } = states;
  read.next(judge);
  when(judge, both(is.IS_GONE, is.isRefusedTooOften(REFUSALS_MAX)), contended);
  when(judge, is.IS_GONE, claim);
  if (settings.payload !== undefined) when(judge, is.IS_OTHER_PAYLOAD, failing.payloadMismatch(scope));
  when(judge, both(is.IS_COMPLETED, is.HAS_RESULT_TEXT), returnStored);
  when(judge, is.IS_COMPLETED, returnOwners);
  when(judge, both(is.IS_FAILED, is.isRefusedTooOften(REFUSALS_MAX)), contended);
  when(judge, is.IS_FAILED, takeOver);
  judge.otherwise(failing.inProgress(scope));
  returnOwners.addCatch(failing.resultUnavailable(scope));
}

function when(choice: Choice, jsonata: string, next: State): void {
  choice.when(Condition.jsonata(expression(jsonata)), next);
}

function both(one: string, other: string): string {
  return `(${one}) and ${other}`;
}

function either(one: string, other: string): string {
  return `${one} or ${other}`;
}

function not(condition: string): string {
  return `$not(${condition})`;
}
