import type { Template } from './template';

// Structure of a state machine: https://states-language.net/spec.html#structure-of-a-state-machine
// What is absent here (JSONPath, Distributed Map, activities)
// is refused by name when a text is parsed.

/** A checked state machine: every target exists, every literal is in range, every expression parses. */
export interface Definition {
  readonly startAt: string;
  /**
   * The states of all scopes: names are unique in the whole machine, and a branch is known by its first state.
   * A map and not an object: a state may be called `constructor`.
   */
  readonly states: ReadonlyMap<string, State>;
  /** Whole seconds from the start of the execution, or undefined without limit. */
  readonly timeoutSeconds?: number;
}

/** One state; `kind` is the `Type` of the text in lower case. */
export type State =
  | TaskState
  | ChoiceState
  | PassState
  | WaitState
  | SucceedState
  | FailState
  | ParallelState
  | MapState;

/** What leaves a state: a state without `output` hands on what it would by default. */
export interface DataFlow {
  readonly output?: Template;
  readonly assign?: Assignments;
}

/** New values of variables, in the order of the text. All are computed from the values at state entry. */
export type Assignments = readonly (readonly [name: string, value: Template])[];

interface Named {
  readonly name: string;
}

/** Where a state leads: a state name, or undefined when the state ends its scope (`End: true`). */
interface Continues {
  readonly next?: string;
}

/** What a state does about errors: retriers first, then catchers. */
export interface Recovers {
  readonly retry: readonly Retrier[];
  readonly catch: readonly Catcher[];
}

/** Calls an integration or a function. */
export interface TaskState extends Named, Continues, DataFlow, Recovers {
  readonly kind: 'task';
  readonly resource: Resource;
  readonly arguments?: Template;
  readonly timeoutSeconds?: Template;
  readonly heartbeatSeconds?: Template;
  /** The role of `Credentials`, which histories show. */
  readonly roleArn?: Template;
}

/** The ARN of what a Task calls, taken apart as history events show it. */
export interface Resource {
  readonly arn: string;
  /**
   * What a service table calls it: what follows `:::` without `.waitForTaskToken`, e.g. `dynamodb:putItem`,
   * `states:startExecution.sync`; `lambda:function` for the ARN of a function, `states:activity` for an activity's.
   */
  readonly integration: string;
  /** The `resourceType` of history events, e.g. `dynamodb`, `aws-sdk:sfn`; the ARN of a function or an activity. */
  readonly service: string;
  /** The `resource` of history events, e.g. `putItem`, `sendMessage.waitForTaskToken`. */
  readonly operation: string;
  /**
   * When the state has its result: with the answer (`request`, and `function` for the ARN of a function), when
   * what the call began has ended (`sync`), when the task's token comes back (`callback`), or when a worker that has
   * asked for the task sends one (`activity`).
   */
  readonly pattern: 'request' | 'function' | 'sync' | 'callback' | 'activity';
}

/** Runs branches side by side; its result is the list of their outputs. */
export interface ParallelState extends Named, Continues, DataFlow, Recovers {
  readonly kind: 'parallel';
  /** The first state of each branch. */
  readonly branches: readonly string[];
  readonly arguments?: Template;
}

/** Runs the same states for each item of a list; its result is the list of their outputs. */
export interface MapState extends Named, Continues, DataFlow, Recovers {
  readonly kind: 'map';
  /** The first state of an iteration. */
  readonly processor: string;
  /** The input when absent. */
  readonly items?: Template;
  readonly itemSelector?: Template;
  /** Iterations at the same time; 0 and absent stand for the service's own limit. */
  readonly maxConcurrency?: Template;
  /** Evaluated for their type only: an inline Map tolerates no failure. */
  readonly toleratedFailureCount?: Template;
  readonly toleratedFailurePercentage?: Template;
}

/** Tries a failed state again. Each retrier counts its own attempts within one visit of the state. */
export interface Retrier {
  readonly errorEquals: readonly string[];
  readonly intervalSeconds: number;
  readonly maxAttempts: number;
  readonly backoffRate: number;
  readonly maxDelaySeconds?: number;
  readonly jitter: 'NONE' | 'FULL';
}

/** Leads a failed state on; its own data flow replaces the state's. */
export interface Catcher extends DataFlow {
  readonly errorEquals: readonly string[];
  readonly next: string;
}

/** Leads on by the first rule that holds. The state's own data flow belongs to the default only. */
export interface ChoiceState extends Named, DataFlow {
  readonly kind: 'choice';
  readonly rules: readonly ChoiceRule[];
  readonly default?: string;
}

/** One way out of a Choice. Its condition is a boolean or an expression that must give one. */
export interface ChoiceRule extends DataFlow {
  readonly condition: Template;
  readonly next: string;
}

/** Hands data on. */
export interface PassState extends Named, Continues, DataFlow {
  readonly kind: 'pass';
}

/** Lets time pass. */
export interface WaitState extends Named, Continues, DataFlow {
  readonly kind: 'wait';
  readonly until: WaitUntil;
}

/** How long a Wait lasts: a number of seconds, or until an ISO 8601 time with offset. */
export type WaitUntil =
  | { readonly kind: 'seconds'; readonly seconds: Template }
  | { readonly kind: 'timestamp'; readonly timestamp: Template };

/** Ends its scope well. */
export interface SucceedState extends Named {
  readonly kind: 'succeed';
  readonly output?: Template;
}

/** Ends its scope with an error. */
export interface FailState extends Named {
  readonly kind: 'fail';
  readonly error?: Template;
  readonly cause?: Template;
}
