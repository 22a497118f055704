import type { Subject } from '../subject';
import type { SpareGuard } from './mutation';
import { MUTATIONS, type MutantFate, SPARE_GUARDS, tryMutation } from './run';

/** What became of a mutant without a spare guard: it should show no violation. */
export interface SpareFate extends Omit<MutantFate, 'mutation'> {
  readonly guard: SpareGuard;
}

/** What all mutants came to. */
export interface MutationReport {
  readonly fates: readonly MutantFate[];
  readonly spares: readonly SpareFate[];
}

/** Told of each mutant when its fate is known. */
export interface Listener {
  readonly fate: (fate: MutantFate) => void;
  readonly spare: (fate: SpareFate) => void;
}

/** Budgets that a spare guard's mutant has to survive. */
const SPARE_BUDGETS = [
  [2, 2],
  [3, 1],
] as const;

/** Explores all mutants, or the one of this name; those of the dispatcher only where there is one. */
export async function tryAll(
  subject: Subject,
  only: string | undefined,
  listener: Listener,
): Promise<MutationReport> {
  const isMeant = ({ name, of }: { readonly name: string; readonly of: string }) =>
    (only === undefined || name === only) && (of === 'workflow' || subject.dispatcher !== undefined);
  const fates: MutantFate[] = [];
  for (const mutation of MUTATIONS.filter(isMeant)) {
    const fate = await tryMutation(subject, mutation);
    listener.fate(fate);
    fates.push(fate);
  }
  const spares: SpareFate[] = [];
  for (const guard of SPARE_GUARDS.filter(isMeant)) {
    const fate = { ...(await tryMutation(subject, guard, SPARE_BUDGETS)), guard };
    listener.spare(fate);
    spares.push(fate);
  }
  return { fates, spares };
}
