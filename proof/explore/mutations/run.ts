import { withDefinition } from '../model/explored-machine';
import type { Subject } from '../model/subject';
import type { Budget } from '../search/expansion';
import { type Exploration, explore } from '../search/search';
import { DECISION_MUTATIONS } from './decisions';
import { draftOf } from './edit';
import { END_MUTATIONS } from './ends';
import type { Mutation, SpareGuard } from './mutation';
import { OUTCOME_MUTATIONS } from './outcomes';
import { OWNER_MUTATIONS } from './owners';
import { SPARE_WRITE_GUARDS, WRITE_MUTATIONS } from './writes';

/** Every guard that must be missed when it is taken away. */
export const MUTATIONS: readonly Mutation[] = [
  ...WRITE_MUTATIONS,
  ...DECISION_MUTATIONS,
  ...OWNER_MUTATIONS,
  ...OUTCOME_MUTATIONS,
  ...END_MUTATIONS,
];

/** Guards that another one holds alone. */
export const SPARE_GUARDS: readonly SpareGuard[] = SPARE_WRITE_GUARDS;

/** The budgets that a mutant is explored with, one after another, until one shows a violation. */
export const BUDGETS: readonly (readonly [executions: number, faults: number])[] = [
  [1, 0],
  [1, 1],
  [2, 0],
  [2, 1],
  [1, 2],
  [2, 2],
  [3, 1],
  [3, 2],
];

/** What ends the search for a violation early. */
export interface Limits {
  readonly signal?: AbortSignal | undefined;
  readonly memoryBytes?: number;
}

/** What became of a mutant: the violation that killed it, with its budget; or it survived them all. */
export interface MutantFate {
  readonly mutation: Mutation;
  readonly seconds: number;
  readonly killed:
    | { readonly budget: Budget; readonly violation: NonNullable<Exploration['violation']> }
    | undefined;
}

/**
 * Explores a mutant with growing budgets; `memoryBytes` ends an exploration: a state takes about 60 of them.
 *
 * @throws Error where the definition is not what the mutation was made for
 */
export async function tryMutation(
  subject: Subject,
  mutation: Mutation,
  budgets: typeof BUDGETS = BUDGETS,
  { signal, memoryBytes }: Limits = {},
): Promise<MutantFate> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const mutant = mutated(subject, mutation);
  for (const [executions, faults] of budgets) {
    const budget = budgetOf(mutation, executions, faults);
    const { stopped, violation } = await explore(mutant, budget, {
      ...(signal && { signal }),
      ...(memoryBytes !== undefined && { memoryBytes }),
    });
    if (stopped) break;
    if (violation) return { mutation, seconds: seconds(), killed: { budget, violation } };
  }
  return { mutation, seconds: seconds(), killed: undefined };
}

/** The budget of a mutant with so many executions and faults. */
export function budgetOf(mutation: Mutation, executions: number, faults: number): Budget {
  const isByName = mutation.isByName || mutation.of === 'dispatcher';
  const channel = isByName ? ('dispatcher' as const) : ('direct' as const);
  // If there are many states, those that differ only by the numbers of deliveries count as one.
  const isLarge = executions > 2 || (executions === 2 && faults > 1);
  return { executions, faults, channels: [channel], ...(isLarge && { symmetry: true }) };
}

/** The subject with a guard taken away. */
export function mutated(subject: Subject, { of, change, name }: Mutation): Subject {
  const explored = subject[of];
  if (!explored) throw new Error(`${name} changes the ${of}, and there is none`);
  const draft = draftOf(explored.json);
  change(draft);
  if (JSON.stringify(draft) === JSON.stringify(explored.json)) throw new Error(`${name} changes nothing`);
  return { ...subject, [of]: withDefinition(explored, draft as never) };
}
