import type { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { OnFailed, OnInProgress } from '../state-machine/options';
import type { Step } from '../state-machine/workflow/states/business-step';
import type { RecordTable } from './record-table';

/** Settings of an {@link IdempotentFragment}. */
export interface IdempotentFragmentProps {
  /**
   * The table with the records: its partition key is the string `idempotencyKey`, its TTL attribute `expiry`. The
   * fragments of a state machine may share one, and share it with workflows, each under its own scope.
   */
  readonly table: ITable | RecordTable;
  /**
   * The key of this step's work: one JSONata expression in `{% %}` over the fragment's input, or the parts of a
   * composite key. A part must give a non-empty text or a whole number up to 2^53 - 1; anything else fails with
   * `Idempotency.MissingKey`.
   */
  readonly idempotencyKey: string | readonly string[];
  /**
   * What must be equal when a key comes again: a JSONata expression in `{% %}` over the fragment's input. Another
   * payload fails with `Idempotency.PayloadMismatch`, also after success.
   *
   * @default - payloads are not compared
   */
  readonly payload?: string;
  /**
   * What runs once per key, with `{idempotencyKey, attempt, input}` as its input: a Lambda function, or any task or
   * chain of JSONata states, but no IdempotentFragment. The variables `idempotencyKey`, `attempt`, `redrives`,
   * `claimId`, `payloadHash`, `record`, `refusals`, `evaluation`, `failure`, `owner`, `redriveError`, `waitUntil` and
   * `waits` are the fragment's: a chain cannot assign them, nor can the states before the fragment, which is refused at
   * synth.
   */
  readonly step: Step;
  /**
   * How long a finished record answers duplicates; a later one runs the step again.
   *
   * @default - 90 days
   */
  readonly retention?: Duration;
  /**
   * For how long a task or chain may still be working after it has failed; a failure is recorded only then, so that
   * nobody starts the step beside it. Also for functions that are defined elsewhere; others know their timeout.
   *
   * @default - for a Lambda function its own timeout, for anything else 15 minutes
   */
  readonly stepTimeout?: Duration;
  /**
   * What stands before the key in the record, at most 255 bytes without `#`; one for each step. Under another scope
   * every key counts as new.
   *
   * @default - the id of this construct
   */
  readonly scope?: string;
  /**
   * What happens while another execution, or another part of this one, owns the key. Where items of one Map may have
   * the same key, wait for longer than the step takes: one that fails would cut the others off.
   *
   * @default OnInProgress.fail()
   */
  readonly onDuplicateInProgress?: OnInProgress;
  /**
   * What happens when the step has failed before under this key, also in this execution. Where a failure leads to
   * compensation, return it: a step that has been undone must not run again.
   *
   * @default OnFailed.retry()
   */
  readonly onFailedBefore?: OnFailed;
}
