import type { Assumption } from '../model/assumptions';
import type { DraftObject } from './edit';

/** What a mutant is about: how strong the invariants are is shown by kind. */
export type Kind =
  | 'ends'
  | 'patience'
  | 'doubt'
  | 'notices'
  | 'requests'
  | 'recovery'
  | 'redelivery'
  | 'http'
  | 'time';

/** One change to a definition as it is shipped: a guard that is taken away. */
export interface Mutation {
  readonly name: string;
  /** What the definition does without the guard. */
  readonly says: string;
  readonly kind?: Kind;
  readonly of: 'workflow' | 'dispatcher' | 'former' | 'recovery' | 'redelivery' | 'frontDoor';
  /** True where it matters that executions are started under the name of their key. */
  readonly isByName?: boolean;
  /** The invariant that alone finds it, within the budget that it takes; undefined: others may, too. */
  readonly onlyBy?: string;
  readonly change: (definition: DraftObject) => void;
}

/**
 * A guard beside another guard that is sufficient alone: without it nothing breaks, as long as the other is there. That
 * it is one shows in at least one of the last three members.
 */
export interface SpareGuard extends Mutation {
  /** What holds in its place. */
  readonly heldBy: string;
  /**
   * Without it the search reaches the very same states, except the guard itself, with two deliveries and two faults.
   */
  readonly isEquivalent?: true;
  /** The {@link Mutation} that takes away what holds in its place as well: that one is missed. */
  readonly together?: string;
  /** A schedule, beyond what is explored, that breaks without the guard and holds with it: what it is there for. */
  readonly needed?: {
    readonly executions: number;
    readonly faults: number;
    readonly schedule: string;
    /** What AWS does not hold to in the schedule; undefined: more faults alone are beyond what is explored. */
    readonly without?: Assumption;
  };
}
