import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { LogOptions } from 'aws-cdk-lib/aws-stepfunctions';
import type { ExecutionNames } from '../state-machine/contract/execution-name';
import { type Delivery, IDEMPOTENCY_PROPS, type IdempotencyProps } from '../state-machine/options/options';
import type { SuccessDestination } from '../state-machine/options/success-destination';
import type { IRecordTable } from '../state-machine/settings';
import type { Step } from '../state-machine/workflow/states/business-step';
import type { Recovery } from './recovery';

/**
 * Settings of an {@link IdempotentWorkflow}.
 *
 * @example
 * new IdempotentWorkflow(this, 'ChargePayment', {
 *   idempotencyKey: '{% $states.input.detail.orderId %}',
 *   payload: '{% $states.input.detail.amount %}',
 *   step: chargeFunction,
 * })
 */
export interface IdempotentWorkflowProps extends IdempotencyProps {
  /**
   * What runs once per key, with a `StepEvent` (`{idempotencyKey, attempt, input}`) as its input: a Lambda function,
   * or any task or chain of states, in JSONata or JSONPath. Every duplicate gets its result, which can have up to about
   * 256 KiB of JSON. If the result is longer, the step counts as failed, although it ran.
   *
   * The workflow assigns the variables `idempotencyKey`, `attempt`, `redrives`, `payloadHash`, `record`, `rejections`,
   * `evaluationError`, `serviceError`, `failure`, `doubt`, `doubtCause`, `recoveryCalled`, `waitUntil`, `waits`,
   * `differing`, `resultLocation`, `resultHash` and `isReadable`. A chain cannot assign them: it is rejected at
   * synthesis.
   *
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/business-step.md
   */
  readonly step: Step;
  /**
   * The end of a key whose business step ended in an unknown way: a timeout, a lost answer, an abort while it ran.
   * `at-least-once` runs the step again, never two at once; `at-most-once` holds the record (status `HELD`) with the
   * error `Idempotency.InDoubt`, which later deliveries end with until an operator releases the key.
   *
   * @default at-least-once
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/at-most-once.md
   */
  readonly delivery?: Delivery;
  /**
   * `EXPRESS` executions are cheaper, end within five minutes and answer StartSyncExecution; but an interrupted one
   * cannot be resumed. An Express workflow that is interrupted between its step and its record runs the step again, as
   * the next attempt, when its claim's lease is over: after `timeout` and the step's own.
   *
   * @default STANDARD
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/express.md
   * @see https://docs.aws.amazon.com/step-functions/latest/dg/choosing-workflow-type.html
   */
  readonly type?: 'STANDARD' | 'EXPRESS';
  /**
   * How long an execution may last. For Express at most five minutes. One that is too short for the step is rejected.
   * If the step had a longer timeout before, leave room for that as well, until the records from then have ended.
   *
   * @default - Standard: Step Functions' year; Express: five minutes
   * @see https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
   */
  readonly timeout?: Duration;
  /**
   * Who decides what becomes of an execution that ended before its record was finished. An Express workflow has none,
   * because its executions cannot be asked about. A key or payload out of `$states.context`, which is another in
   * another execution, needs `Recovery.none()`. That is a warning at synthesis, and an error with a queue as a
   * source.
   *
   * @default - Recovery.automatic(); of an Express workflow Recovery.none()
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/recovery.md
   */
  readonly recovery?: Recovery;
  /**
   * The destination of the result of each step that has succeeded. It gets the key, the attempt and the execution's
   * ARN, at least once, when the record has the result. Not for an Express workflow, which has no time to be sure of
   * it.
   *
   * @default - nowhere
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/waiting-and-failures.md
   */
  readonly onSuccess?: SuccessDestination;
  /**
   * The table with the records: a {@link RecordTable}, a table with the same key and TTL attribute (`idempotencyKey`, a
   * string, and `expiry`), or with `RecordTable.fromTable` one whose attributes have other names.
   *
   * @default - a {@link RecordTable} of its own
   * @see https://github.com/onceflow/onceflow/blob/main/docs/reference/record.md
   */
  readonly table?: ITable | IRecordTable;
  /**
   * The name of the state machine, up to 80 characters. A change that needs another state machine, such as another
   * `type`, then needs another name as well, or CloudFormation rejects it.
   *
   * @default - CloudFormation makes one
   * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-name.html
   */
  readonly stateMachineName?: string;
  /**
   * The part of the key that an execution's name shows to every reader of its ARN, in events, logs and CloudTrail. It
   * is up to 80 `readable` characters, or with `hash` 32 hexadecimal digits of the key's SHA-256. It holds for every
   * source; code that calls `startOnce` says the same there. Once changed, a delivery of a key whose execution still
   * has the other name starts one more, which the record answers.
   *
   * @default readable
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/keys-and-payloads.md
   */
  readonly executionNames?: ExecutionNames;
  /**
   * What becomes of the state machines, their roles and policies, the queues, the functions, the log groups and a table
   * of its own when they leave the stack, or are replaced. A state machine that is deleted ends its executions between
   * the step and its record; a queue that is deleted takes the events in it along.
   *
   * @default RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE: retained, unless the deployment that creates them is rolled back
   * @see https://github.com/onceflow/onceflow/blob/main/docs/operations/deployments.md
   */
  readonly removalPolicy?: RemovalPolicy;
  /**
   * The role of the state machine. It is given what the workflow needs.
   *
   * @default - a role of its own
   */
  readonly role?: IRole;
  /**
   * Where the state machine logs.
   *
   * With `metrics` the level is `ALL`.
   *
   * @default - Standard: nowhere, as Step Functions keeps the history of each execution for 90 days. Express: errors,
   * without data, in a log group of its own, kept for a month
   * @see https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html
   */
  readonly logs?: LogOptions;
  /**
   * Whether the log of the workflow is counted, for the metrics that no service has: in progress, in doubt, steps that
   * failed, and so on. The state machine then logs all that happens, without the data of events, to a log group of its
   * own unless `logs` names one, which then nothing else may log to. That costs about $4 for a million events, and
   * $0.30 a month for each metric that has data.
   *
   * @default false
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/monitoring.md
   */
  readonly metrics?: boolean;
  /**
   * Whether X-Ray traces the executions.
   *
   * @default false
   */
  readonly tracingEnabled?: boolean;
  /**
   * A key of your own for what the workflow keeps of events: its state machines, queues, log groups and a table of its
   * own. The key itself, not an alias. Not encrypted with it: the names of executions (see `executionNames`), and what
   * you bring, such as `table` or `logs`. The policy of a `Key` of the app gets what it must permit.
   *
   * @default - keys that AWS owns, and for the table the one that AWS manages for DynamoDB in the account
   * @see https://github.com/onceflow/onceflow/blob/main/docs/operations/encryption.md
   */
  readonly encryptionKey?: IKey;
}

/** The name of every option of an {@link IdempotentWorkflow}. */
export const WORKFLOW_PROPS: Readonly<Record<keyof IdempotentWorkflowProps, true>> = {
  ...IDEMPOTENCY_PROPS,
  step: true,
  delivery: true,
  type: true,
  timeout: true,
  recovery: true,
  onSuccess: true,
  table: true,
  stateMachineName: true,
  executionNames: true,
  removalPolicy: true,
  role: true,
  logs: true,
  metrics: true,
  tracingEnabled: true,
  encryptionKey: true,
};
