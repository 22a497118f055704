import type { Json, JsonObject } from '../../../packages/local/json/json';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { Call } from '../model/execution-state';
import type { HttpRequest, ModelState, Recovery } from '../model/model-state';

/** One possible next thing: its name, unique among the steps of a state, and the state after it. */
export interface Step {
  readonly name: string;
  readonly after: ModelState;
  /** What happened that invariants are about. */
  readonly facts: readonly Fact[];
}

/** Something that happened in a step. */
export type Fact =
  /** A request changed the record, or might have. `by` is the index of the execution that sent it. */
  | {
      readonly kind: 'wrote';
      readonly by: number;
      /** The payload of who sent it. */
      readonly payload: number;
      readonly call: Call;
      readonly before: Item | undefined;
      readonly after: Item | undefined;
      /** The index of the execution that owns the record afterwards; undefined where there is none that is known. */
      readonly owner: number | undefined;
      /** In a fragment: the entry that has sent it owns the record by it. */
      readonly isClaim?: true;
      /** What that execution has succeeded with, as text; undefined where it has not. */
      readonly ownersOutput: string | undefined;
      /** The attempts of the senders: the record names an end of the sender of the request, by its attempt. */
      readonly isOwnEnd?: true;
    }
  /** An execution or dispatcher has read a record: what it was answered, and what there was. */
  | { readonly kind: 'read'; readonly seen: Item | undefined; readonly actual: Item | undefined }
  /** The answer to a request of an execution to DynamoDB, or to a queue, was lost, once. */
  | {
      readonly kind: 'lost';
      readonly execution: number;
      /** It was carried out; else it is on its way. */
      readonly isMade: boolean;
    }
  /** The news for an entry of how its request, or its step, has ended; undefined if it succeeded. */
  | {
      readonly kind: 'told';
      readonly execution: number;
      readonly error: string | undefined;
      /** It was the business step, or a state of the chain that is the step. */
      readonly isOfStep: boolean;
    }
  /** A request was rejected with this error until no retry was left. `number`: the state that had made it. */
  | {
      readonly kind: 'wornOut';
      readonly of: 'workflow' | 'dispatcher' | 'recovery' | 'redelivery' | 'frontDoor';
      readonly number: number;
      readonly itemIndex: number;
      readonly error: string;
    }
  /** A delivery has started recovery for the owner of its record, by its ARN. */
  | { readonly kind: 'called'; readonly by: number; readonly owner: Json | undefined }
  /** Recovery, or an entry of a fragment, has redriven an execution; the number counts the redrives of all callers. */
  | { readonly kind: 'redriven'; readonly execution: number; readonly redrives: number }
  /** The business step began for an execution. */
  | {
      readonly kind: 'invoked';
      readonly by: number;
      readonly attempt: number;
      readonly payload: number;
      /** What the step was given. */
      readonly given: JsonObject;
      /** How often the execution had been redriven. */
      readonly redrives: number;
      /** The step is a chain that is retried whatever it has ended with, when what it has begun is over. */
      readonly isOfRetriedChain?: true;
    }
  /** The service did not run the step for an execution: it has not begun. */
  | {
      readonly kind: 'rejected';
      readonly execution: number;
      /** Its error has a name of its own; else Lambda's cause alone tells it from a lost answer. */
      readonly isByName: boolean;
    }
  /** A run of the step has answered its execution with its failure: it has had no effect. */
  | { readonly kind: 'failed'; readonly execution: number; readonly mayBeRetried?: true }
  /** An execution has heard how its run of the step has ended. */
  | { readonly kind: 'answered'; readonly execution: number }
  /** An execution begins to wait for the owner of its key until `due`, epoch milliseconds. */
  | {
      readonly kind: 'waits';
      readonly execution: number;
      readonly redrives: number;
      readonly due: number;
    }
  /** An execution of the workflow ended, or an entry of it. */
  | {
      readonly kind: 'ended';
      readonly execution: number;
      /** In a fragment: its machine goes on, and the record that it owned is not finished. */
      readonly isLeft?: true;
      /** It has succeeded, or has ended in a state of its own choosing: no redrive brings it elsewhere. */
      readonly isFinal?: true;
    }
  /** An execution, or a recovery, has sent this to a destination; the record as it was then. */
  | {
      readonly kind: 'sent';
      /** The index of the execution; BY_RECOVERY for a recovery. */
      readonly by: number;
      /** The recovery that has sent it; undefined for an execution. */
      readonly recovery?: Recovery;
      readonly notice: JsonObject;
      readonly record: Item | undefined;
    }
  /** A dispatcher has sent this to a queue, instead of the event that it could not start. */
  | { readonly kind: 'kept'; readonly event: Json; readonly queue: Json; readonly body: Json }
  /** A recovery has acted for its execution; the recovery as it was then. */
  | { readonly kind: 'recovered'; readonly recovery: Recovery; readonly how: RecoveryAct }
  /** A redelivery has started an execution; the redelivery as it was then. */
  | { readonly kind: 'redelivered'; readonly recovery: Recovery }
  /** A request by HTTP has had this request of the front door made for it. */
  | { readonly kind: 'served'; readonly request: HttpRequest; readonly call: Call }
  /** A request by HTTP was answered, by the end of this state of the front door; as it was then. */
  | {
      readonly kind: 'responded';
      readonly request: HttpRequest;
      /** The record that it has just read; absent: it has read none in this step. */
      readonly read?: { readonly record: Item | undefined };
      /** The service has rejected its last request, or lost the answer, until no retry was left. */
      readonly isWornOut?: true;
    }
  /** The time of the front door was over before it had an answer for a request. */
  | { readonly kind: 'unanswered'; readonly request: HttpRequest }
  /** A dispatcher ended. */
  | {
      readonly kind: 'dispatched';
      readonly delivery: number;
      readonly hasSucceeded: boolean;
      readonly isStarted: boolean;
      /**
       * Whether the event has come to the dead-letter queue, or that queue has rejected it to the last. Of a list: it
       * is kept when the others have been started.
       */
      readonly isDeadLettered: boolean;
      /** It takes a list, which comes again if it has failed. */
      readonly isOfList?: true;
    }
  /** A dispatcher has heard of the end of the execution that it has waited for, by its index. */
  | { readonly kind: 'heard'; readonly delivery: number; readonly execution: number }
  /** The start of an event of a list was too long: no other delivery changes that. */
  | { readonly kind: 'tooLong'; readonly delivery: number };

/** What recovery does: it delivers the input again, redrives the execution, or writes its record. */
export type RecoveryAct = 'delivered' | 'redriven' | 'completed' | 'released' | 'held';

/** A step without facts. */
export function silent(name: string, after: ModelState): Step {
  return { name, after, facts: [] };
}
