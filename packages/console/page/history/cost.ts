import type { ExecutionSnapshot } from './visits';

/**
 * State transitions that Step Functions bills for a Standard execution, as far as its history tells: each state that
 * was entered, and each retry. What was recorded of a call that AWS made anew on a redrive is one, too.
 */
export function billedTransitions({ visits }: Pick<ExecutionSnapshot, 'visits'>): number {
  return visits.reduce((sum, { calls }) => sum + Math.max(1, calls), 0);
}
