import { Duration, Token } from 'aws-cdk-lib';
import type { IStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { IConstruct } from 'constructs';
import { SCOPE_BYTES_MAX } from '../../state-machine/contract/record';
import { FailureDestination } from '../../state-machine/options/failure-destination';
import { OnFailed } from '../../state-machine/options/on-failed';
import { OnInProgress } from '../../state-machine/options/on-in-progress';
import { Redrive } from '../../state-machine/options/redrive';
import { Results } from '../../state-machine/options/results';
import { StoreError } from '../../state-machine/options/store-error';
import { SuccessDestination } from '../../state-machine/options/success-destination';
import { describeValue } from '../../state-machine/words/describe-value';
import { documentation } from '../../state-machine/words/documentation';
import { requireOwn } from '../cdk/resource-bounds';

/** Rejects a value that is neither a function nor chainable. @throws Error with the remedy */
export function validateStep(step: unknown): void {
  const isStep = typeof step === 'object' && step !== null && ('functionArn' in step || 'startState' in step);
  if (isStep) return;
  // One that is called would be no step either.
  const got = typeof step === 'function' ? 'a JavaScript function' : describeValue(step);
  throw new Error(`\`step\` must be a Lambda function, a task or a chain of states, got ${got}`);
}

/** Rejects a state machine that is not defined by the construct of CDK in the app. @throws Error with the remedy */
export function requireStateMachine(method: string, given: StateMachine): void {
  if (typeof given?.stateMachineArn === 'string' && given.role !== undefined) return;
  throw new Error(`\`${method}\` takes a StateMachine of the app, got ${describeValue(given)}`);
}

/** Rejects a value that names no state machine of the stack's account and region. @throws Error with the remedy */
export function validateFormerStateMachines(given: unknown, scope: IConstruct): void {
  if (given === undefined) return;
  const wanted = '`formerStateMachines` must be a list of names, ARNs or constructs of state machines';
  if (!Array.isArray(given)) throw new Error(`${wanted}, got ${describeValue(given)}`);
  for (const one of given) {
    const arn: unknown =
      typeof one === 'string' ? one : (one as Partial<IStateMachine> | null)?.stateMachineArn;
    if (typeof arn !== 'string') throw new Error(`${wanted}, got one that is ${describeValue(one)}`);
    const isText = typeof one === 'string';
    if (isText && (Token.isUnresolved(arn) || !STATE_MACHINE.test(arn))) {
      throw new Error(`${wanted}, got '${arn}'`);
    }
    const isName = isText && !arn.startsWith('arn:');
    requireOwn('formerStateMachines', Object(one), arn, scope, isName ? undefined : 'stateMachine');
  }
}

/** A name of a state machine, or its ARN. */
const STATE_MACHINE =
  /^(arn:[\w-]+:states:[\w-]+:\d{12}:stateMachine:)?[^\s\p{Cc}\p{Surrogate}<>{}[\]?*"#%\\^|~`$&,;:/]{1,80}$/u;

/** Rejects a scope that could not be told from the key behind it. @throws Error with the remedy */
export function validateScope(scope: string): void {
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

/** Rejects an id that leaves no room for the names of the states within. @throws Error with the remedy */
export function validateFragmentId(id: string): void {
  if (id.length <= FRAGMENT_ID_MAX) return;
  throw new Error(
    `the id of an IdempotentFragment must have at most ${FRAGMENT_ID_MAX} characters, because the names of its states ` +
      `contain it; got ${id.length}. Use a shorter id and set \`scope\``,
  );
}

/** A state's name has 80 characters; the longest of ours, with what stands between, has 30. */
const FRAGMENT_ID_MAX = 50;

/** Rejects a value that is not a Duration. @throws Error with the remedy */
export function validateDuration(
  duration: Duration | undefined,
  prop: string,
  example = 'Duration.days(30)',
): void {
  if (duration === undefined || duration instanceof Duration) return;
  throw new Error(`\`${prop}\` must be a Duration such as ${example}, got ${describeValue(duration)}`);
}

/** Rejects a retention that keeps nothing. @throws Error with the remedy */
export function validateRetention(retention: Duration | undefined, prop: string): void {
  if (!retention || retention.isUnresolved() || retention.toSeconds() > 0) return;
  throw new Error(
    `\`${prop}\` must be at least one second, got 0. A record that expires at once deduplicates nothing`,
  );
}

/** Rejects a type, or a timeout, that its executions cannot have. @throws Error with the remedy */
export function validateType({ type, timeout, redrive, maxRedrives, onSuccess }: TypeProps): void {
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
 * Rejects a timeout that ends an execution before it can record how its step ended: it would be redriven into the
 * same end again and again. Also one that leaves a fragment no room to wait for the step of an owner that was deleted,
 * and one that is shorter than a duplicate's wait.
 *
 * @throws Error with the remedy
 */
export function validateTimeout(timeout: Duration, maxStepSeconds: number, wait: Duration | undefined): void {
  if (timeout.isUnresolved()) return;
  const needed = maxStepSeconds + RECORDING_SECONDS;
  if (timeout.toSeconds() < needed) {
    throw new Error(
      `\`timeout\` must be at least ${needed} seconds here, got ${timeout.toSeconds()}: ${maxStepSeconds} ` +
        `for the step with its retries and the grace period after it, and ${RECORDING_SECONDS} for recording the ` +
        'outcome. Use a longer `timeout` (more than 5 minutes ' +
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

const GUARANTEES = documentation('docs/guide/deliveries.md#not-guaranteed');

/** Rejects every delivery except the two there are. @throws Error with the remedy */
export function validateDelivery(delivery: unknown): void {
  if (delivery === undefined || delivery === 'at-least-once' || delivery === 'at-most-once') return;
  const promised =
    delivery === 'exactly-once' ? ` No workflow can guarantee exactly one call: ${GUARANTEES}` : '';
  throw new Error(
    `\`delivery\` must be 'at-least-once' or 'at-most-once', got ${describeValue(delivery)}.${promised}`,
  );
}

/** Rejects an unknown form of execution names. @throws Error with the remedy */
export function validateExecutionNames(names: unknown): void {
  if (names === undefined || names === 'readable' || names === 'hash') return;
  throw new Error(`\`executionNames\` must be 'readable' or 'hash', got ${describeValue(names)}`);
}

/** More redrives than an operator means to allow for one owner. */
const MAX_REDRIVES_MAX = 100;

function isCount(given: unknown, max: number): boolean {
  return Number.isInteger(given) && Number(given) >= 1 && Number(given) <= max;
}

/** The options whose value is made by a class: the class, and how a value of it is written. */
const MADE_BY = {
  onFailure: [FailureDestination, 'FailureDestination.queue(queue) or FailureDestination.eventBus(bus)'],
  onSuccess: [SuccessDestination, 'SuccessDestination.queue(queue) or SuccessDestination.eventBus(bus)'],
  storeError: [StoreError, 'StoreError.all(), StoreError.nameOnly() or StoreError.upTo(characters)'],
  redrive: [Redrive, 'Redrive.byFunction() or Redrive.direct()'],
  onDuplicateInProgress: [OnInProgress, 'OnInProgress.fail() or OnInProgress.wait(duration)'],
  onFailedBefore: [OnFailed, 'OnFailed.retry() or OnFailed.returnStoredFailure()'],
  results: [Results, 'Results.inBucket(bucket)'],
} as const;

/** Rejects a value of another class than its option has, as from JavaScript. @throws Error with the remedy */
export function validateChoices(
  props: { readonly [name in keyof typeof MADE_BY | 'maxRedrives']?: unknown },
): void {
  const { maxRedrives, results } = props;
  for (const [name, [madeBy, remedy]] of Object.entries(MADE_BY)) {
    const given = props[name as keyof typeof MADE_BY];
    if (given === undefined || given instanceof madeBy) continue;
    throw new Error(`\`${name}\` must be ${remedy}, got ${describeValue(given)}`);
  }
  (results as Results | undefined)?.validate();
  if (maxRedrives === undefined || isCount(maxRedrives, MAX_REDRIVES_MAX)) return;
  const bounds = `a whole number from 1 to ${MAX_REDRIVES_MAX}`;
  throw new Error(`\`maxRedrives\` must be ${bounds}, got ${describeValue(maxRedrives)}`);
}
