import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { Call } from './local-state';
import type { World } from './world';

/** One possible next thing: its name, unique among the steps of a world, and the world after it. */
export interface Step {
  readonly name: string;
  readonly after: World;
  /** What happened that invariants look at. */
  readonly facts: readonly Fact[];
}

/** Something that happened in a step. */
export type Fact =
  /** A request changed the record, or might have. `by` is the place of the execution that sent it. */
  | {
      readonly kind: 'wrote';
      readonly by: number;
      /** The payload of who sent it. */
      readonly payload: number;
      readonly call: Call;
      readonly before: Item | undefined;
      readonly after: Item | undefined;
    }
  /** An execution or dispatcher has read a record: what it was told, and what there was. */
  | { readonly kind: 'read'; readonly seen: Item | undefined; readonly actual: Item | undefined }
  /** The answer to a request of an execution to DynamoDB was lost, once. */
  | { readonly kind: 'lost'; readonly execution: number }
  /** The business step began for an execution. */
  | { readonly kind: 'invoked'; readonly by: number; readonly attempt: number; readonly payload: number }
  /** An execution of the workflow ended. */
  | { readonly kind: 'ended'; readonly execution: number }
  /** A dispatcher ended. */
  | {
      readonly kind: 'dispatched';
      readonly delivery: number;
      readonly hasSucceeded: boolean;
      readonly isStarted: boolean;
      /** Whether the event has come to the dead-letter queue, or that queue has refused it to the last. */
      readonly isKept: boolean;
    };

/** A step that has no facts to tell. */
export function silent(name: string, after: World): Step {
  return { name, after, facts: [] };
}
