import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type INextable, type State, StateMachineFragment } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { DeployedWorkflow } from '../contract/deployed-settings';
import { RECORD } from '../contract/record';
import { attributeIn } from '../contract/table-schema';
import type { Variant } from '../contract/variant';
import { deployedWorkflow } from '../deployed-comment';
import { adviseKey, parseKeyExpressions } from '../expression/key-expressions';
import { parsePayloadExpression } from '../expression/payload-expression';
import type { KeyAndPayload } from '../expression/same-in-each-delivery';
import { adviseExactness, stepInputOf, stepResultOf } from '../expression/step-input-and-result';
import { keptPayloadOf } from '../options/keep-payload';
import { Key } from '../options/key';
import { OnInProgress } from '../options/on-in-progress';
import type { Delivery, IdempotencyProps } from '../options/options';
import type { SuccessDestination } from '../options/success-destination';
import type { IRecordTable, Settings } from '../settings';
import { stepRetries } from '../tasks/step-retries';
import { ResolvedTime } from '../template/resolved-time';
import { namesOfStateMachines } from '../template/state-machine-names';
import { connectDuplicate } from './duplicate';
import { connectBusinessStep, connectClaim } from './first-delivery';
import { defineSharedStates } from './shared-states';
import {
  type BusinessStep,
  businessStep,
  isFunction,
  retryRejections,
  type Step,
  stepTimeProblems,
  worksOn,
} from './states/business-step';
import { makeClaimId } from './states/claim';

/** Settings of {@link IdempotentStates}. */
export interface IdempotentStatesProps extends IdempotencyProps {
  /** The table with the records. */
  readonly table: IRecordTable;
  readonly scope: string;
  readonly retention: Duration;
  /** What runs once per key. */
  readonly step: Step;
  /** @default at-least-once */
  readonly delivery?: Delivery;
  /**
   * In an Express workflow: how long an execution lasts at most. Its owner can be neither asked about nor resumed, so
   * its claim counts for this time and the further time of the step.
   *
   * @default - a Standard workflow
   */
  readonly expressTimeout?: Duration;
  /**
   * How long an execution lasts at most.
   *
   * @default - no limit of its own
   */
  readonly timeout?: Duration;
  /**
   * Where results are sent.
   *
   * @default - nowhere
   */
  readonly onSuccess?: SuccessDestination;
  /**
   * A function that redrives an execution, given `{executionArn, clientToken}`.
   *
   * @default - the state machine itself
   */
  readonly redriveFunction?: IFunction;
  /**
   * The ARN of the state machine that recovers owners.
   *
   * @default - deliveries start no recovery
   */
  readonly recoveryArn?: string;
  /**
   * True where the states are a part of a state machine that does more than this.
   *
   * @default false
   */
  readonly isFragment?: boolean;
}

/**
 * The states that run a step once per idempotency key: claim, business step, finalize, and what duplicates meet.
 *
 * Of all executions with one key, one at a time owns the record and runs the step; those that succeed end with its
 * result. The conditions that hold this are with the states, each beside its reason; the two flows connect them.
 */
export class IdempotentStates extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[];
  /** The state that runs the step: a Task, or a Parallel of one branch around a task or chain. */
  readonly businessStep: State;
  /** For how long the step may go on when its execution has ended: a function's invocation, a chain's states. */
  readonly gracePeriod: ResolvedTime;
  /** How long the step takes at most, with all its retries, without the way to it and back. */
  readonly runTime: ResolvedTime;
  /** For how long the step of a living execution may be at work: as long, and with all its retries. */
  readonly stepTimeout: ResolvedTime;
  /**
   * The longest known time of an execution for the step. It begins with its start and ends with the record of its end.
   * Before that comes the time in which the step of an unknown owner may be running.
   */
  readonly maxStepDuration: ResolvedTime;
  /** How long an execution takes at most if no service delays it: its step with all retries, or its wait for an owner. */
  readonly usualDuration: ResolvedTime;
  /** What names the work, and what must be equal when it comes again: parsed here, once. */
  readonly keyAndPayload: KeyAndPayload;
  /** What distinguishes its judgement of records: recovery judges by the same. */
  readonly variant: Variant;
  /** What travels of its settings in the definition. */
  readonly deployed: DeployedWorkflow;

  constructor(scope: Construct, id: string, props: IdempotentStatesProps) {
    super(scope, id);
    const retries = stepRetries(props.retry, {
      workingOn: isFunction(props.step) ? undefined : worksOn(props.stepTimeout),
      isAtMostOnce: props.delivery === 'at-most-once',
    });
    const step = businessStep(this, props.step, props.stepTimeout, {
      retries,
      input: stepInputOf(props.stepInput, retries !== undefined),
    });
    this.node.addValidation({ validate: () => stepTimeProblems(props.step, props.stepTimeout) });
    const onInProgress = props.onDuplicateInProgress ?? OnInProgress.fail();
    const retrying = step.gracePeriod.map(seconds => retries?.lasting(seconds) ?? 0);
    this.gracePeriod = step.gracePeriod;
    this.runTime = step.runTime.map(seconds => seconds + (retries?.lasting(seconds) ?? 0));
    this.stepTimeout = step.gracePeriod.plus(retrying);
    this.maxStepDuration = maxStepDuration(step, props).plus(retrying);
    this.usualDuration = ResolvedTime.longest([
      this.runTime,
      ResolvedTime.of(onInProgress.total ?? Duration.seconds(0)),
    ]);
    const patience = patienceWithin(props.timeout ?? props.expressTimeout, this.maxStepDuration);
    retryRejections(step, patience);
    this.keyAndPayload = {
      key: parseKeyExpressions(props.idempotencyKey),
      payload: parsePayloadExpression(props.payload),
    };
    const settings = { ...settingsOf(props, step, this.keyAndPayload), patience };
    this.variant = settings.variant;
    const states = defineSharedStates(this, settings, onInProgress, step);
    connectClaim(states);
    const results = connectBusinessStep(states);
    const { stepInput, stepResult, payload, idempotencyKey } = props;
    const hashed = idempotencyKey instanceof Key ? idempotencyKey.payload : undefined;
    adviseExactness(this, { stepInput, stepResult, payload, idempotencyKey: hashed });
    adviseKey(this, this.keyAndPayload.key);
    const answers = connectDuplicate(states, props.redriveFunction);

    this.businessStep = step.state;
    this.deployed = deployedWorkflow(settings, onInProgress);
    this.startState = props.isFragment
      ? makeClaimId(this, this.deployed).next(states.claim).startState
      : states.claim;
    this.endStates = [...results, ...answers] as unknown as INextable[];
  }
}

function maxStepDuration({ gracePeriod, answersForItself }: BusinessStep, props: IdempotentStatesProps) {
  // A step that answers for itself has a timeout of its own; the time of a chain before it fails is unknown.
  const own = answersForItself ? gracePeriod.plus(gracePeriod) : gracePeriod;
  // A fragment waits for the step of an unknown owner before it runs its own.
  return props.isFragment ? own.plus(gracePeriod) : own;
}

/**
 * How long an execution tries a rejected request again: half of the time that its step leaves, because the claim and
 * the step may both be rejected. Undefined, so for hours, if it has all the time.
 */
function patienceWithin(
  timeout: Duration | undefined,
  maxStepDuration: ResolvedTime,
): ResolvedTime | undefined {
  if (timeout === undefined) return undefined;
  return maxStepDuration.map(seconds => Math.max(Math.floor((timeout.toSeconds() - seconds) / 2), 1));
}

function settingsOf(
  props: IdempotentStatesProps,
  step: BusinessStep,
  { key, payload }: KeyAndPayload,
): Omit<Settings, 'patience'> {
  return {
    table: props.table,
    scope: props.scope,
    key,
    payload: payload?.jsonata,
    keptPayload: keptPayloadOf(props.keepPayload, payload?.jsonata, key),
    retention: props.retention,
    failedRetention: props.failedRetention ?? props.retention,
    lease: props.expressTimeout && step.gracePeriod.plus(props.expressTimeout),
    stepTimeout: step.gracePeriod,
    stepResult: stepResultOf(props.stepResult),
    causeCharacters: props.storeError?.causeCharacters,
    recoveryArn: props.recoveryArn,
    results: props.results,
    failureDestination: props.onFailure,
    successDestination: props.onSuccess?.target,
    variant: {
      hasPayload: props.payload !== undefined,
      isAtMostOnce: props.delivery === 'at-most-once',
      returnsStoredFailure: props.onFailedBefore?.isReturned ?? false,
      returnedErrors: props.onFailedBefore?.errors,
      isExpress: props.expressTimeout !== undefined,
      isFragment: props.isFragment ?? false,
      hasRecovery: props.recoveryArn !== undefined,
      storesResults: props.results !== undefined,
      stepTimeoutSeconds: step.gracePeriod.count(),
      maxRedrives: props.maxRedrives ?? MAX_REDRIVES_DEFAULT,
      formerStateMachines: namesOfStateMachines(props.formerStateMachines),
      timeToLiveAttribute: attributeIn(props.table.schema, RECORD.expiry),
    },
  };
}

/** How often deliveries redrive one owner by default. */
const MAX_REDRIVES_DEFAULT = 3;
