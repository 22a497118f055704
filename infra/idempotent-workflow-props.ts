import type { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { Delivery, OnFailed, OnInProgress } from '../state-machine/options';
import type { Step } from '../state-machine/workflow/states/business-step';
import type { RecordTable } from './record-table';

/** Settings of an {@link IdempotentWorkflow}. */
export interface IdempotentWorkflowProps {
  /**
   * The key of an event: one JSONata expression in `{% %}` over the execution's input, or the parts of a composite
   * key, each its own expression. A part must give a non-empty text or a whole number up to 2^53 - 1; anything else
   * ends the execution with `Idempotency.MissingKey`.
   */
  readonly idempotencyKey: string | readonly string[];
  /**
   * What must be equal when a key comes again: a JSONata expression in `{% %}`. A delivery with another payload ends
   * with `Idempotency.PayloadMismatch`, also after success.
   *
   * @default - payloads are not compared
   */
  readonly payload?: string;
  /**
   * What runs once per key, with `{idempotencyKey, attempt, input}` as its input: a Lambda function, or any task or
   * chain of JSONata states. Its result, up to about 256 KiB of JSON, is what every duplicate is answered with; a step
   * whose result is longer counts as failed, although it ran. The variables `idempotencyKey`, `attempt`, `redrives`,
   * `payloadHash`, `record`, `refusals`, `evaluation`, `failure`, `owner`, `redriveError`, `waitUntil`, `waits`,
   * `place`, `pageToken` and `doubt` are the workflow's: a chain cannot assign them, which is refused at synth.
   */
  readonly step: Step;
  /**
   * How long a finished record answers duplicates. A delivery that comes later counts as a new event and runs the
   * business step again.
   *
   * @default - 90 days, for as long as Step Functions keeps the execution's history
   */
  readonly retention?: Duration;
  /**
   * For how long a task or chain may still be working after it has failed, because a branch was cut off or an answer
   * was lost. A failure is recorded only then, so that no later delivery starts the step beside it; zero says that
   * nothing works on. Also for functions that are defined elsewhere; others know their timeout.
   *
   * @default - for a Lambda function its own timeout, for anything else 15 minutes, the longest a function may run
   */
  readonly stepTimeout?: Duration;
  /**
   * What stands before the key in the record, at most 255 bytes without `#`. Two workflows that share a table
   * need different ones. Keep it when you rename the construct: under another scope every key counts as new.
   *
   * @default - the id of this construct
   */
  readonly scope?: string;
  /**
   * What a delivery does while another execution owns its key.
   *
   * @default OnInProgress.fail()
   */
  readonly onDuplicateInProgress?: OnInProgress;
  /**
   * What a delivery does whose key has a record of a business step that failed.
   *
   * @default OnFailed.retry()
   */
  readonly onFailedBefore?: OnFailed;
  /**
   * What becomes of a key whose business step ended in a way that nobody knows: a timeout, a lost answer, an abort
   * while it ran. `at-least-once` runs the step again, never two at once; `at-most-once` parks the record as `FAILED`
   * with the error `Idempotency.InDoubt`, which later deliveries end with until a person frees the key.
   *
   * @default at-least-once
   */
  readonly delivery?: Delivery;
  /**
   * `EXPRESS` executions are cheaper, end within five minutes and answer StartSyncExecution; but a dead one cannot be
   * brought back. An Express workflow that is cut off between its step and its record runs the step again, as the next
   * attempt, when its claim's lease is over: after `timeout` and the step's own.
   *
   * @default STANDARD
   */
  readonly type?: 'STANDARD' | 'EXPRESS';
  /**
   * How long an execution may last. For Express at most five minutes.
   *
   * @default - Standard: Step Functions' year; Express: five minutes
   */
  readonly timeout?: Duration;
  /**
   * Redrives a dead owner by a small function instead of the direct integration `aws-sdk:sfn:redriveExecution`.
   *
   * @default false
   */
  readonly redriveByFunction?: boolean;
  /**
   * The table with the records: its partition key is the string `idempotencyKey`, its TTL attribute `expiry`.
   *
   * @default - a {@link RecordTable} of its own
   */
  readonly table?: ITable | RecordTable;
}
