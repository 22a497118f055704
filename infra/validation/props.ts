import { Duration, type Stack, Token } from 'aws-cdk-lib';
import { type IStateMachine, State } from 'aws-cdk-lib/aws-stepfunctions';
import { describeValue } from '../../state-machine/contract/describe-value';
import { SCOPE_BYTES_MAX } from '../../state-machine/contract/record';
import { FailureDestination } from '../../state-machine/options/failure-destination';
import { OnFailed } from '../../state-machine/options/on-failed';
import { OnInProgress } from '../../state-machine/options/on-in-progress';
import { Redrive } from '../../state-machine/options/redrive';
import { StoreError } from '../../state-machine/options/store-error';
import { SuccessDestination } from '../../state-machine/options/success-destination';
import { RETENTION_DEFAULT } from '../cdk/defaults';
import { type NamedState, type StateJson, statesIn } from '../cdk/definition';
import type { IdempotentFragmentProps } from '../idempotent-fragment-props';
import type { IdempotentWorkflowProps } from '../idempotent-workflow-props';
import { validateResults } from '../nested/keep-results';

/** Refuses options that no workflow of this stack can have. @throws Error with the remedy */
export function validateWorkflow(props: IdempotentWorkflowProps, scope: string, stack: Stack): void {
  validateFormerStateMachines(props.formerStateMachines, stack);
  validateScope(scope);
  validateStep(props.step);
  validateExecutionNames(props.executionNames);
  validateDurations(props);
  validateType(props);
  validateDelivery(props.delivery);
  validateChoices(props);
}

/** Refuses an id and options that no fragment of this stack can have. @throws Error with the remedy */
export function validateFragment(
  id: string,
  props: IdempotentFragmentProps,
  scope: string,
  stack: Stack,
): void {
  validateFragmentId(id);
  validateScope(scope);
  validateStep(props.step);
  validateChoices(props);
  validateFormerStateMachines(props.formerStateMachines, stack);
  validateDurations(props);
}

function validateDurations(props: Pick<IdempotentWorkflowProps, (typeof DURATIONS)[number]>): void {
  for (const name of DURATIONS) validateDuration(props[name], name);
  for (const name of RETENTIONS) validateRetention(props[name], name);
}

const RETENTIONS = ['retention', 'failedRetention'] as const;
const DURATIONS = [...RETENTIONS, 'stepTimeout', 'timeout'] as const;

/** Refuses what is neither a function nor chainable. @throws Error with the remedy */
function validateStep(step: unknown): void {
  const isStep = typeof step === 'object' && step !== null && ('functionArn' in step || 'startState' in step);
  if (isStep) return;
  // One that is called would be no step either.
  const got = typeof step === 'function' ? 'a JavaScript function' : describeValue(step);
  throw new Error(`\`step\` must be a Lambda function, a task or a chain of states, got ${got}`);
}

/** Refuses what names no state machine of the stack's account and region. @throws Error with the remedy */
function validateFormerStateMachines(given: unknown, stack: Stack): void {
  if (given === undefined) return;
  const wanted = '`formerStateMachines` must be a list of names, ARNs or constructs of state machines';
  if (!Array.isArray(given)) throw new Error(`${wanted}, got ${describeValue(given)}`);
  for (const one of given) {
    const arn: unknown =
      typeof one === 'string' ? one : (one as Partial<IStateMachine> | null)?.stateMachineArn;
    if (typeof arn !== 'string') throw new Error(`${wanted}, got one that is ${describeValue(one)}`);
    const isKnown = !Token.isUnresolved(arn);
    if (typeof one === 'string' ? !(isKnown && STATE_MACHINE.test(arn)) : isKnown && !IS_ARN.test(arn)) {
      throw new Error(`${wanted}, got '${arn}'`);
    }
    const elsewhere = isKnown ? elsewhereThan(stack, arn) : undefined;
    if (elsewhere !== undefined) {
      throw new Error(
        `\`formerStateMachines\` must be in the account and region of the stack, ${elsewhere}, because onceflow looks ` +
          `up their executions there; got '${arn}'. Leave it out: its records belong to another workflow`,
      );
    }
  }
}

/** Account and region of a stack, where an ARN is known to be of others; undefined where it is not. */
function elsewhereThan({ account, region }: Stack, arn: string): string | undefined {
  const [, , , itsRegion, itsAccount] = arn.split(':');
  const isOther = (own: string, its: string | undefined) =>
    its !== undefined && !Token.isUnresolved(own) && own !== its;
  return isOther(account, itsAccount) || isOther(region, itsRegion) ? `${account} and ${region}` : undefined;
}

const IS_ARN = /^arn:/;

/** A name of a state machine, or its ARN. */
const STATE_MACHINE =
  /^(arn:[\w-]+:states:[\w-]+:\d{12}:stateMachine:)?[^\s\p{Cc}\p{Surrogate}<>{}[\]?*"#%\\^|~`$&,;:/]{1,80}$/u;

/** Refuses a scope that could not be told from the key behind it. @throws Error with the remedy */
function validateScope(scope: string): void {
  if (Token.isUnresolved(scope)) return;
  const isText = typeof scope === 'string' && scope !== '' && !UNREADABLE.test(scope);
  if (isText && Buffer.byteLength(scope) <= SCOPE_BYTES_MAX) return;
  throw new Error(
    `\`scope\` must have 1 to ${SCOPE_BYTES_MAX} bytes, without '#', \${, control characters or halves of surrogate ` +
      `pairs; got ${JSON.stringify(scope)}. Set \`scope\` to a name such as 'orders'`,
  );
}

/** What ends a scope, what DynamoDB or a policy would not take as it is, and what CloudFormation would replace. */
const UNREADABLE = /#|\p{Cc}|\p{Surrogate}|\$\{/u;

/** Refuses an id that leaves no room for the names of the states within. @throws Error with the remedy */
function validateFragmentId(id: string): void {
  if (id.length <= FRAGMENT_ID_MAX) return;
  throw new Error(
    `the id of an IdempotentFragment must have at most ${FRAGMENT_ID_MAX} characters, because the names of its states ` +
      `contain it; got ${id.length}. Use a shorter id and set \`scope\``,
  );
}

/** A state's name has 80 characters; the longest of ours, with what stands between, has 30. */
const FRAGMENT_ID_MAX = 50;

/** Refuses what is no Duration. @throws Error with the remedy */
export function validateDuration(
  duration: Duration | undefined,
  prop: string,
  example = 'Duration.days(30)',
): void {
  if (duration === undefined || duration instanceof Duration) return;
  throw new Error(`\`${prop}\` must be a Duration such as ${example}, got ${describeValue(duration)}`);
}

/** Refuses a retention that keeps nothing. @throws Error with the remedy */
function validateRetention(retention: Duration | undefined, prop: string): void {
  if (!retention || retention.isUnresolved() || retention.toSeconds() > 0) return;
  throw new Error(
    `\`${prop}\` must be at least one second, got 0. A record that expires at once deduplicates nothing`,
  );
}

/**
 * How an event is delivered again whose step has failed; undefined: not at all.
 *
 * @throws Error where a delivery would not run the step again, or not as the next attempt
 */
export function redeliveryOf({ recovery, onFailedBefore, delivery, ...props }: IdempotentWorkflowProps) {
  const times = recovery?.redeliverFailed;
  if (!times) return undefined;
  if (onFailedBefore?.isReturned) {
    throw new Error(
      '`redeliverFailed` runs a failed step again, but OnFailed.returnStoredFailure() returns its failure instead. ' +
        'Leave one of them out',
    );
  }
  const { retention = RETENTION_DEFAULT, failedRetention = retention } = props;
  for (const [name, counts] of Object.entries({ failedRetention, retention })) {
    if (counts.isUnresolved() || counts.toSeconds() > times.maxDelay.toSeconds()) continue;
    throw new Error(
      `\`redeliverFailed\` waits up to ${times.maxDelay.toHumanString()}, but the record of the event expires after ` +
        `${counts.toHumanString()}. Use a longer \`${name}\`, or a shorter \`maxDelay\``,
    );
  }
  return { ...times, isAtMostOnce: delivery === 'at-most-once' };
}

/** Refuses a type, or a timeout, that its executions cannot have. @throws Error with the remedy */
function validateType({ type, timeout, redrive, maxRedrives, onSuccess }: TypeProps): void {
  if (type !== undefined && type !== 'STANDARD' && type !== 'EXPRESS') {
    throw new Error(`\`type\` must be STANDARD or EXPRESS, got ${describeValue(type)}`);
  }
  if (type !== 'EXPRESS') return;
  for (const [name, given] of Object.entries({ redrive, maxRedrives, onSuccess })) {
    if (given === undefined) continue;
    throw new Error(
      `\`${name}\` needs a STANDARD workflow, because an Express execution cannot be redriven. Leave it out`,
    );
  }
  if (timeout && !timeout.isUnresolved() && timeout.toSeconds() > EXPRESS_SECONDS_MAX) {
    throw new Error(
      `\`timeout\` of an Express workflow must be at most 5 minutes, got ${timeout.toHumanString()}. ` +
        'Use a STANDARD workflow for longer steps',
    );
  }
}

interface TypeProps {
  readonly type?: unknown;
  readonly timeout?: Duration;
  readonly redrive?: unknown;
  readonly maxRedrives?: unknown;
  readonly onSuccess?: unknown;
}

const EXPRESS_SECONDS_MAX = 300;

/**
 * Refuses a timeout that ends an execution before it can record how its step ended: it would be redriven into the
 * same end again and again. Also one that leaves a fragment no room to wait for the step of an owner that was deleted,
 * and one that is shorter than a duplicate's wait.
 *
 * @throws Error with the remedy
 */
export function validateTimeout(
  timeout: Duration,
  maxStepDuration: Duration,
  wait: Duration | undefined,
): void {
  if (timeout.isUnresolved()) return;
  const needed = maxStepDuration.toSeconds() + RECORDING_SECONDS;
  if (timeout.toSeconds() < needed) {
    throw new Error(
      `\`timeout\` must be at least ${needed} seconds here, got ${timeout.toSeconds()}: the time for the step, its ` +
        'retries, the grace period after it, and recording the outcome. Use a longer `timeout` (more than 5 minutes ' +
        'need a STANDARD workflow), or a shorter timeout of the function, a shorter `stepTimeout`, or fewer retries',
    );
  }
  if (!wait || wait.toSeconds() < timeout.toSeconds()) return;
  throw new Error(
    `\`OnInProgress.wait\` must be shorter than \`timeout\`, which is ${timeout.toHumanString()}, got ` +
      `${wait.toHumanString()}. Use a shorter wait, or a longer \`timeout\``,
  );
}

/** Time to claim and to finalize, with some retries. */
const RECORDING_SECONDS = 30;

const GUARANTEES = 'https://github.com/onceflow/onceflow/blob/main/docs/guide/deliveries.md#not-guaranteed';

/** Rejects every delivery except the two there are. @throws Error with the remedy */
function validateDelivery(delivery: unknown): void {
  if (delivery === undefined || delivery === 'at-least-once' || delivery === 'at-most-once') return;
  const promised =
    delivery === 'exactly-once' ? ` No workflow can guarantee exactly one call: ${GUARANTEES}` : '';
  throw new Error(
    `\`delivery\` must be 'at-least-once' or 'at-most-once', got ${describeValue(delivery)}.${promised}`,
  );
}

/** Refuses other names than there are. @throws Error with the remedy */
function validateExecutionNames(names: unknown): void {
  if (names === undefined || names === 'readable' || names === 'hash') return;
  throw new Error(`\`executionNames\` must be 'readable' or 'hash', got ${describeValue(names)}`);
}

/** More redrives than of an owner that somebody means to bring back. */
const MAX_REDRIVES_MAX = 100;

function isCount(given: unknown, max: number): boolean {
  return Number.isInteger(given) && Number(given) >= 1 && Number(given) <= max;
}

/** Refuses what is no {@link OnInProgress} or {@link OnFailed}, as from JavaScript. @throws Error with the remedy */
function validateChoices({
  onDuplicateInProgress,
  onFailedBefore,
  redrive,
  maxRedrives,
  storeError,
  onFailure,
  onSuccess,
  results,
}: {
  readonly onDuplicateInProgress?: unknown;
  readonly onFailedBefore?: unknown;
  readonly redrive?: unknown;
  readonly maxRedrives?: unknown;
  readonly storeError?: unknown;
  readonly onFailure?: unknown;
  readonly onSuccess?: unknown;
  readonly results?: unknown;
}): void {
  validateResults(results);
  if (maxRedrives !== undefined && !isCount(maxRedrives, MAX_REDRIVES_MAX)) {
    const bounds = `a whole number from 1 to ${MAX_REDRIVES_MAX}`;
    throw new Error(`\`maxRedrives\` must be ${bounds}, got ${describeValue(maxRedrives)}`);
  }
  if (onFailure !== undefined && !(onFailure instanceof FailureDestination)) {
    const remedy = 'FailureDestination.queue(queue) or FailureDestination.eventBus(bus)';
    throw new Error(`\`onFailure\` must be ${remedy}, got ${describeValue(onFailure)}`);
  }
  if (onSuccess !== undefined && !(onSuccess instanceof SuccessDestination)) {
    const remedy = 'SuccessDestination.queue(queue) or SuccessDestination.eventBus(bus)';
    throw new Error(`\`onSuccess\` must be ${remedy}, got ${describeValue(onSuccess)}`);
  }
  if (storeError !== undefined && !(storeError instanceof StoreError)) {
    const remedy = 'StoreError.all(), StoreError.nameOnly() or StoreError.upTo(characters)';
    throw new Error(`\`storeError\` must be ${remedy}, got ${describeValue(storeError)}`);
  }
  if (redrive !== undefined && !(redrive instanceof Redrive)) {
    throw new Error(
      `\`redrive\` must be Redrive.byFunction() or Redrive.direct(), got ${describeValue(redrive)}`,
    );
  }
  if (onDuplicateInProgress !== undefined && !(onDuplicateInProgress instanceof OnInProgress)) {
    const remedy = 'OnInProgress.fail() or OnInProgress.wait(duration)';
    throw new Error(
      `\`onDuplicateInProgress\` must be ${remedy}, got ${describeValue(onDuplicateInProgress)}`,
    );
  }
  if (onFailedBefore === undefined || onFailedBefore instanceof OnFailed) return;
  const remedy = 'OnFailed.retry() or OnFailed.returnStoredFailure()';
  throw new Error(`\`onFailedBefore\` must be ${remedy}, got ${describeValue(onFailedBefore)}`);
}

/** Refuses, at most once, a step whose own retries may run it again. @throws Error with the remedy */
export function validateNoRetries(step: unknown): void {
  const retrying = statesOf(step).find(([, state]) => hasRetries(state));
  if (!retrying) return;
  throw new Error(
    `\`delivery: 'at-most-once'\` needs a step without retries, but state '${retrying[0]}' has retries. ` +
      'Remove them (for Lambda tasks of CDK: retryOnServiceExceptions: false)',
  );
}

function statesOf(step: unknown): NamedState[] {
  const start = (step as { readonly startState?: State }).startState;
  const states = start ? State.findReachableStates(start, { includeErrorHandlers: true }) : [];
  return states.map(state => [state.stateId, state.toStateJson() as StateJson]);
}

/** Whether a state, or one within it, is tried again. */
function hasRetries(state: StateJson): boolean {
  return [state, ...statesIn(state).map(([, inner]) => inner)].some(({ Retry }) => Retry !== undefined);
}
