import type { ExecutionView, FunctionItem, RuleDelivery, RuleItem } from '@onceflow/console';
import type { QueuedMessage } from '../aws/queues';

/** An event as a person writes it. */
export interface EventToSend {
  readonly bus: string;
  readonly source: string;
  readonly detailType: string;
  /** JSON text. */
  readonly detail: string;
}

/**
 * When a fault strikes: before the call of a state is made, when it has been made and its answer does not count yet, or
 * only the answer is lost.
 */
export type FaultMoment = 'killBefore' | 'killAfter' | 'loseAnswer';

/** A fault that strikes once, the next time that an execution of the state machine is in the state. */
export interface Fault {
  readonly stateMachine: string;
  readonly state: string;
  readonly moment: FaultMoment;
}

/** What a stack that runs in this process shows and takes, which no API of AWS does. */
export interface LocalStackAccess {
  /** Epoch milliseconds of the stack's clock. */
  now(): number;
  rules(): readonly RuleItem[];
  functions(): readonly FunctionItem[];
  /** Dispatchers, and the names of the queues in which they keep what they could not start. */
  dispatchers(): readonly { readonly name: string; readonly queue: string }[];
  /** Newest first. */
  deliveries(): readonly RuleDelivery[];
  /** The messages of a queue, received or not; undefined where there is no such queue. */
  messages(queue: string): readonly QueuedMessage[] | undefined;
  /** The buses there are, and an event to begin with. */
  events(): { readonly buses: readonly string[]; readonly example: EventToSend };
  /** Why EventBridge has not taken it, or its id. */
  sendEvent(event: EventToSend): Promise<{ readonly id: string } | { readonly rejection: string }>;
  /** In milliseconds, above 0. */
  skipTime(ms: number): void;
  /** What an execution has logged, oldest first; empty where its state machine logs nothing. */
  logged(executionArn: string): ExecutionView['events'];
  /** The Task states of a state machine, by its name; empty where there is none. */
  taskStates(stateMachine: string): readonly string[];
  /** Those that have not struck yet, by their ids. */
  faults(): ReadonlyMap<string, Fault>;
  armFault(fault: Fault): void;
  /** False where it has struck, or was disarmed before. */
  disarmFault(id: string): boolean;
}

export interface StackPage {
  readonly url: string;
  close(): Promise<void>;
}
