import type { ExecutionSnapshot } from './visits';

/**
 * State transitions that Step Functions bills for a Standard execution, as far as its history tells: each state that
 * was entered, and each retry. A call that AWS repeated on a redrive is one, too.
 */
export function billedTransitions({ visits }: Pick<ExecutionSnapshot, 'visits'>): number {
  return visits.reduce((sum, { calls }) => sum + Math.max(1, calls), 0);
}

/** Dollars, in most regions. */
const TRANSITION_PRICE = 0.000_025;

/** The price of an execution, for behind its status; empty for an Express execution, which is not billed by transition. */
export function costInWords(executionArn: string, snapshot: Pick<ExecutionSnapshot, 'visits'>): string {
  if (executionArn.includes(':express:')) return '';
  const count = billedTransitions(snapshot);
  const dollars = (count * TRANSITION_PRICE).toFixed(6).replace(/0+$/, '');
  return `, ${count} billed transitions: $${dollars} at $0.025 for a thousand`;
}
