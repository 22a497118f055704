import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { IDEMPOTENCY_PROPS, type IdempotencyProps } from '../state-machine/options/options';
import type { IRecordTable } from '../state-machine/settings';
import type { Step } from '../state-machine/workflow/states/business-step';

/**
 * Settings of an {@link IdempotentFragment}.
 *
 * @example
 * new IdempotentFragment(this, 'Charge', {
 *   idempotencyKey: '{% $states.input.orderId %}',
 *   table: records,
 *   step: chargeFunction,
 * })
 */
export interface IdempotentFragmentProps extends IdempotencyProps {
  /**
   * The table with the records: a `RecordTable`, a table with the same key and TTL attribute (`idempotencyKey`, a
   * string, and `expiry`), or with `RecordTable.fromTable` one whose attributes have other names. The fragments of a
   * state machine may share one, and share it with workflows, each under its own scope.
   *
   * @see https://github.com/onceflow/onceflow/blob/main/docs/reference/record.md
   */
  readonly table: ITable | IRecordTable;
  /**
   * The work that runs once per key, with a `StepEvent` (`{idempotencyKey, attempt, input}`) as its input. It is a
   * Lambda function, or any task or chain of states, except an IdempotentFragment. A chain in JSONPath needs a state
   * machine in JSONPath, which CDK's are unless they say `QueryLanguage.JSONATA`.
   *
   * The fragment assigns the variables `idempotencyKey`, `attempt`, `redrives`, `claimId`, `payloadHash`, `record`,
   * `rejections`, `evaluationError`, `failure`, `owner`, `redriveError`, `serviceError`, `waitUntil`, `waits`,
   * `includedData`, `resultLocation`, `resultHash`, `isReadable` and `differing`. A chain cannot assign them, and
   * states before the fragment cannot either: both are rejected at synthesis.
   *
   * @see https://github.com/onceflow/onceflow/blob/main/docs/guide/fragments.md
   */
  readonly step: Step;
}

/** The name of every option of an {@link IdempotentFragment}. */
export const FRAGMENT_PROPS: Readonly<Record<keyof IdempotentFragmentProps, true>> = {
  ...IDEMPOTENCY_PROPS,
  table: true,
  step: true,
};
