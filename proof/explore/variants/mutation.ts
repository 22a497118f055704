import type { Mutation } from '../mutations/mutation';
import type { BUDGETS } from '../mutations/run';
import type { VariantName } from './variants';

/** A guard that only one variant has, taken away. */
export interface VariantMutation extends Mutation {
  readonly variant: VariantName;
  /** The budgets that it is explored with; undefined: those of all mutants. */
  readonly budgets?: typeof BUDGETS;
  /** A schedule that misses it, replayed instead of a search that takes minutes. */
  readonly schedule?: string;
}

/** A mutation of a variant's workflow. */
export function of(
  variant: VariantName,
  name: string,
  says: string,
  change: Mutation['change'],
): VariantMutation {
  return { variant, name: `${variant}-${name}`, says, of: 'workflow', change };
}

/** A mutation of what recovers a variant's executions. */
export function ofRecovery(
  variant: VariantName,
  name: string,
  says: string,
  change: Mutation['change'],
): VariantMutation {
  return { ...of(variant, name, says, change), of: 'recovery' };
}
