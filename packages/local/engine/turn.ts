import type { Json, JsonObject } from '../json/json';
import type { Data, Evaluate, ExpressionResult, Variables } from '../language/index';
import { advancedExecution, movedThread } from './advance';
import type { Completion, Failure } from './completion';
import { contextObject, seesContext } from './context-object';
import type { Effect } from './effects';
import type { EndedMapRun, Execution, Machine, Thread } from './execution';
import type { EventDetails, HistoryEvent, HistoryEventType } from './history';

/** Runs a thread from the entry into a state on, until it waits or its scope has come to an end. */
export type RunThread = (turn: Turn, thread: Thread, startAt: string) => Completion;

/** What a transition takes from outside. */
export interface TransitionContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Uniform in [0, 1). */
  random(): number;
  /** A version 4 UUID. */
  uuid(): string;
  /**
   * The value of an expression. If the value is not available at once, an exception ends the transition, which is
   * repeated when the value is there.
   */
  evaluate(source: string, variables: Variables): ExpressionResult;
  /** Whether there is an activity of this ARN. @default - any there may be */
  hasActivity?(arn: string): boolean;
  /**
   * Why parameters make no call of an integration; undefined where they do. The call would follow the event of the id.
   *
   * @default - all of them do
   */
  rejectionOf?(integration: string, parameters: Json, previousEventId: number): string | undefined;
  /**
   * Whether the transition has taken long enough and other executions are to go on. Asked before each state but the
   * first. @default - never
   */
  isTimeUp?(): boolean;
  /**
   * Whether the transition pauses before its first state, too, as it must if a caller inspects each state alone. What
   * ends a pause enters a state: never together with `pauseEnded`, or nothing would go on. @default false
   */
  readonly pausesFirst?: boolean;
  /** Gets the data of a state on the way, for a test of a state alone. @default - no listener */
  inspect?(what: Inspected, data: Data): void;
  /** Gets the failure of a state, before its Retry and Catch decide. @default - no listener */
  failed?(failure: Failure): void;
  /** Gets the catcher by which a failed state is left. @default - no listener */
  caught?(catcher: number): void;
}

/** What a state makes of its data on the way, by the names of TestState. */
export type Inspected =
  | 'afterArguments'
  | 'afterInputPath'
  | 'afterParameters'
  | 'afterResultPath'
  | 'afterResultSelector'
  | 'result';

/** States that are entered in one transition before other executions go on. */
const TURN_STATES_MAX = 500;

/**
 * One transition in progress: what it works with, and its events, effects and counts so far.
 *
 * Lives for one call of `transition` and is the only thing in the engine that changes.
 */
export class Turn {
  readonly machine: Machine;
  readonly execution: Execution;
  readonly context: TransitionContext;
  readonly events: HistoryEvent[] = [];
  readonly effects: Effect[] = [];
  /** For states that have threads within them; a parameter, as running a thread means running such states. */
  readonly runThread: RunThread;
  transitions = 0;
  /** The Map Runs of the execution that have ended. */
  mapRuns: readonly EndedMapRun[];
  #effectsBefore = 0;
  #transitionsBefore = 0;

  constructor(machine: Machine, execution: Execution, context: TransitionContext, runThread: RunThread) {
    this.machine = machine;
    this.execution = execution;
    this.context = context;
    this.runThread = runThread;
    this.mapRuns = execution.mapRuns ?? [];
  }

  get lastEventId(): number {
    return this.execution.lastEventId + this.events.length;
  }

  /** The execution after this turn, with its threads as they are now. */
  executionWith(root: Thread | null): Execution {
    const transitions = this.execution.transitions + this.transitions;
    const after = { root, lastEventId: this.lastEventId, transitions, mapRuns: this.mapRuns };
    return advancedExecution(this.execution, after, this.context.now);
  }

  /** Whether no further state may be entered now. Mostly one at least is entered, or nothing would go on. */
  get isOver(): boolean {
    if (this.transitions === 0) return this.context.pausesFirst ?? false;
    return this.transitions >= TURN_STATES_MAX || (this.context.isTimeUp?.() ?? false);
  }

  /** Marks where the current step begins. */
  beginStep(): void {
    this.#effectsBefore = this.effects.length;
    this.#transitionsBefore = this.transitions;
  }

  /** Takes the current step back: its effects do not happen, and no event after `lastEventId` stays. */
  undoStep(lastEventId: number): void {
    this.effects.length = this.#effectsBefore;
    this.transitions = this.#transitionsBefore;
    this.events.length = lastEventId - this.execution.lastEventId;
  }

  /** Appends an event and returns its id. */
  append(type: HistoryEventType, previousEventId: number, details: EventDetails): number {
    const id = this.lastEventId + 1;
    this.events.push({ id, previousEventId, type, timestamp: this.context.now, ...details });
    return id;
  }

  // Most events are these. Written out, one costs half of what spreading costs.

  /** Appends the entry into a state and returns its id. */
  appendEntry(type: HistoryEventType, previousEventId: number, name: string, input: string): number {
    const id = this.lastEventId + 1;
    this.events.push({ id, previousEventId, type, timestamp: this.context.now, name, input });
    return id;
  }

  /** Appends the exit from a state that sets no variables and returns its id. */
  appendExit(type: HistoryEventType, previousEventId: number, name: string, output: string): number {
    const id = this.lastEventId + 1;
    this.events.push({ id, previousEventId, type, timestamp: this.context.now, name, output });
    return id;
  }

  /** Appends the call of a function without limits, and that it is under way; returns the id of the second. */
  appendCall(previousEventId: number, resource: string, input: string): number {
    const id = this.lastEventId + 1;
    const timestamp = this.context.now;
    this.events.push({ id, previousEventId, type: 'LambdaFunctionScheduled', timestamp, resource, input });
    this.events.push({ id: id + 1, previousEventId: id, type: 'LambdaFunctionStarted', timestamp });
    return id + 1;
  }

  /** Appends the result of a function and returns its id. */
  appendResult(previousEventId: number, output: string): number {
    const id = this.lastEventId + 1;
    const timestamp = this.context.now;
    this.events.push({ id, previousEventId, type: 'LambdaFunctionSucceeded', timestamp, output });
    return id;
  }

  /** Appends that a call of an integration is under way and returns the event's id. */
  appendStarted(previousEventId: number, resourceType: string, resource: string): number {
    const id = this.lastEventId + 1;
    const timestamp = this.context.now;
    this.events.push({ id, previousEventId, type: 'TaskStarted', timestamp, resourceType, resource });
    return id;
  }

  /** Appends the result of an integration and returns the event's id. */
  appendSucceeded(
    previousEventId: number,
    { service: resourceType, operation: resource }: { readonly service: string; readonly operation: string },
    output: string,
  ): number {
    const id = this.lastEventId + 1;
    const { now: timestamp } = this.context;
    const type = 'TaskSucceeded';
    this.events.push({ id, previousEventId, type, timestamp, resourceType, resource, output });
    return id;
  }

  /** Appends an event of a thread and returns the thread after it. */
  appendTo(thread: Thread, type: HistoryEventType, details: EventDetails): Thread {
    return movedThread(thread, this.append(type, thread.previousEventId, details), thread.waits);
  }

  /**
   * Evaluates as expressions of the thread's state see things; `more` are the members of `$states` that only some
   * fields have.
   */
  evaluateIn(thread: Thread, more: JsonObject = {}): Evaluate {
    const { input, variables } = thread;
    const seen: Variables = { states: { input: input.value, ...more }, variables };
    let all: Variables | undefined;
    return source => {
      if (!seesContext(source)) return this.context.evaluate(source, seen);
      const context = () => contextObject(this.machine, this.execution, thread);
      all ??= { states: { input: input.value, context: context(), ...more }, variables };
      return this.context.evaluate(source, all);
    };
  }
}
