import type { CostRow } from './cost';

const WHAT = 'aws-samples idempotent workflow (not run)';

/**
 * What a delivery takes of the `idempotent-workflow` of aws-samples/step-functions-workflows-collection, read from its
 * definition. Its claim is a transaction, billed as two writes, its read is eventually consistent, billed as half.
 */
export const AWS_SAMPLES: readonly CostRow[] = [
  row('fresh', { invocations: 2, writes: 3, reads: 0 }),
  row('duplicate of a finished one', { invocations: 1, writes: 2, reads: 0.5 }),
];

function row(
  delivery: CostRow['delivery'],
  counted: Pick<CostRow, 'invocations' | 'writes' | 'reads'>,
): CostRow {
  const none = { expressExecutions: 0, describeExecutions: 0, awaitedInFunction: 0, logBytes: 0 };
  return { what: WHAT, delivery, transitions: 8, ...none, ...counted };
}
