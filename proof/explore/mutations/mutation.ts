import type { DraftObject } from './edit';

/** One change to a definition as it is shipped: a guard that is taken away. */
export interface Mutation {
  readonly name: string;
  /** What the definition does without the guard. */
  readonly says: string;
  readonly of: 'workflow' | 'dispatcher';
  /** True where it matters that executions are started under the name of their key. */
  readonly isByName?: boolean;
  /** The invariant that alone finds it, within the budget that it takes; undefined: others may, too. */
  readonly onlyBy?: string;
  readonly change: (definition: DraftObject) => void;
}

/**
 * A guard beside another one that holds the same by itself: without it nothing breaks, as long as the other is there.
 * Both together are a {@link Mutation}.
 */
export interface SpareGuard extends Mutation {
  /** What holds in its place. */
  readonly heldBy: string;
  /** A schedule, beyond what is explored, that breaks without the guard and holds with it: what it is there for. */
  readonly needed?: {
    readonly executions: number;
    readonly faults: number;
    readonly schedule: string;
  };
}
