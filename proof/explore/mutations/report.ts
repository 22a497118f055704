import type { Violation } from '../invariants/invariants';
import type { Subject } from '../model/subject';
import { replayTrace } from '../trace';
import type { Mutation, SpareGuard } from './mutation';
import { BUDGETS, MUTATIONS, type MutantFate, mutated, SPARE_GUARDS, tryMutation } from './run';

/** What became of a mutant without a spare guard: it should show no violation. */
export interface SpareFate extends Omit<MutantFate, 'mutation'> {
  readonly guard: SpareGuard;
  /** What breaks in the schedule that needs the guard; undefined where none does, or none is known. */
  readonly needed: Violation | undefined;
}

/** Whether a spare guard is a spare guard: no interleaving misses it, except the one that needs it. */
export function isSpare({ guard, killed, needed }: SpareFate): boolean {
  return !killed && (needed !== undefined) === (guard.needed !== undefined);
}

/** What all mutants came to. */
export interface MutationReport {
  readonly fates: readonly MutantFate[];
  readonly spares: readonly SpareFate[];
}

/** Hears of each mutant, before it is explored and when its fate is known. */
export interface Listener {
  readonly next: (name: string, done: number, total: number) => void;
  readonly fate: (fate: MutantFate) => void;
  readonly spare: (fate: SpareFate) => void;
  /** Ends it early: what is not known by then is left out. */
  readonly signal?: AbortSignal;
}

/** Budgets that a spare guard's mutant has to survive. */
const SPARE_BUDGETS = [
  [2, 2],
  [3, 1],
] as const;

/** Why guards cannot be taken away from a definition, those of the dispatcher where there is none apart. */
export function mutationProblem(subject: Subject, only: string | undefined): string | undefined {
  const meant = [...MUTATIONS, ...SPARE_GUARDS].filter(meantOf(subject, only));
  if (meant.length === 0) return `${only} is of the dispatcher, which there is none of`;
  for (const mutation of meant) {
    try {
      mutated(subject, mutation);
    } catch (error) {
      return `${mutation.name} cannot be made: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return undefined;
}

function meantOf({ dispatcher }: Subject, only: string | undefined) {
  return ({ name, of }: Pick<Mutation, 'name' | 'of'>) =>
    (only === undefined || name === only) && (of === 'workflow' || dispatcher !== undefined);
}

/** Explores all mutants, or the one of this name; those of the dispatcher only where there is one. */
export async function tryAll(
  subject: Subject,
  only: string | undefined,
  listener: Listener,
): Promise<MutationReport> {
  const isMeant = meantOf(subject, only);
  const { signal } = listener;
  const mutations = MUTATIONS.filter(isMeant);
  const guards = SPARE_GUARDS.filter(isMeant);
  const total = mutations.length + guards.length;
  const fates: MutantFate[] = [];
  for (const [index, mutation] of mutations.entries()) {
    listener.next(mutation.name, index, total);
    const fate = await tryMutation(subject, mutation, BUDGETS, { signal });
    if (signal?.aborted) break;
    listener.fate(fate);
    fates.push(fate);
  }
  const spares: SpareFate[] = [];
  for (const [index, guard] of guards.entries()) {
    listener.next(guard.name, mutations.length + index, total);
    const tried = await tryMutation(subject, guard, SPARE_BUDGETS, { signal });
    const fate = { ...tried, guard, needed: neededIn(subject, guard) };
    if (signal?.aborted) break;
    listener.spare(fate);
    spares.push(fate);
  }
  return { fates, spares };
}

/** What breaks without a guard in the schedule that needs it. @throws ImpossibleStep where the shipped one differs */
export function neededIn(subject: Subject, guard: SpareGuard): Violation | undefined {
  if (!guard.needed) return undefined;
  const { schedule, without, executions, faults } = guard.needed;
  const budget = { executions, faults, channels: ['direct'] as const };
  const mutant = { ...mutated(subject, guard), ...(without && { without }) };
  return replayTrace(mutant, budget, schedule.split(' ')).violation;
}
