import { type Condition, matches } from '../../../state-machine/contract/condition';
import { OWN_FAILURE } from '../../../state-machine/contract/judgement';
import { MAY_HAVE_RUN_OR_RUNS } from '../../../state-machine/contract/step-errors';
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

/** True if the step may have run by its own failure, by a pattern in which one text stands for another. */
export function hasRunAfter(from: string, to: string): Condition {
  const { source } = MAY_HAVE_RUN_OR_RUNS;
  if (!source.includes(from)) throw new Error(`the pattern has no ${from}`);
  return matches(OWN_FAILURE, new RegExp(source.replace(from, () => to)));
}
