import type { DraftObject } from './edit';

/** One change to a definition as it is shipped: a guard that is taken away. */
export interface Mutation {
  readonly name: string;
  /** What the definition does without the guard. */
  readonly says: string;
  readonly of: 'workflow' | 'dispatcher';
  readonly change: (definition: DraftObject) => void;
}

/**
 * A guard beside another one that holds the same by itself: without it nothing breaks, as long as the other is there.
 * Both together are a {@link Mutation}.
 */
export interface SpareGuard extends Mutation {
  /** What holds in its place. */
  readonly heldBy: string;
}
