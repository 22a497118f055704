import type { ChoiceRule as PathRule } from '../jsonpath/choice-rule';
import type { PayloadTemplate, Query } from '../jsonpath/payload-template';
import type { ReferencePath } from '../jsonpath/reference-path';
import type { Template } from './template';

// Structure of a state machine: https://states-language.net/spec.html#structure-of-a-state-machine Each state is
// written in JSONata or in JSONPath: its data flow and its fields say which. A member that is absent here is rejected
// by name when a text is parsed.

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

/** The input and the output of a state, in the state's own language. */
export type DataFlow = JsonataFlow | PathFlow;

/** What leaves a JSONata state: without `output` it hands on what it would by default. */
export interface JsonataFlow {
  readonly output?: Template;
  readonly assign?: Assignments;
  readonly paths?: undefined;
}

/** What a JSONPath state takes from its input, and makes of its input and its result. */
export interface PathFlow {
  readonly paths: Paths;
}

/** The steps of JSONPath's data flow. An absent member changes nothing; `null` stands for `{}`. */
export interface Paths {
  readonly inputPath?: PathQuery | null;
  readonly resultSelector?: PayloadTemplate;
  /** All new values of variables as one object, evaluated on the state's result. */
  readonly assign?: PayloadTemplate;
  /** Where the result goes in the state's input; `null` drops it. */
  readonly resultPath?: ReferencePath | null;
  readonly outputPath?: PathQuery | null;
}

/** A path with its text. */
export type PathQuery = Extract<Query, { readonly kind: 'path' }>;

/** A value that a state computes, in its own language. A literal is a constant template in both. */
export type Field = Template | PathField;

/** A value that a JSONPath state computes from its input after `InputPath`, the context and the variables. */
export type PathField =
  | { readonly kind: 'payload'; readonly template: PayloadTemplate }
  /** `name` is that of the field, e.g. `SecondsPath`. */
  | { readonly kind: 'query'; readonly name: string; readonly query: Query }
  | { readonly kind: 'rule'; readonly rule: PathRule };

/** New values of variables, in the order of the text. All are computed from the values at state entry. */
export type Assignments = readonly (readonly [name: string, value: Template])[];

interface Named {
  readonly name: string;
}

/** The next state: a state name, or undefined when the state ends its scope (`End: true`). */
interface Continues {
  readonly next?: string;
}

/** What a state does about errors: retriers first, then catchers. */
export interface Recovers {
  readonly retry: readonly Retrier[];
  readonly catch: readonly Catcher[];
}

/** Calls an integration or a function. */
export type TaskState = Named &
  Continues &
  DataFlow &
  Recovers & {
    readonly kind: 'task';
    readonly resource: Resource;
    /** `Arguments`, or `Parameters`. */
    readonly arguments?: Field;
    readonly timeoutSeconds?: Field;
    readonly heartbeatSeconds?: Field;
    /** The role of `Credentials`, which histories show. */
    readonly roleArn?: Field;
  };

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
   * When the state has its result. `request`, and `function` for the ARN of a function: with the answer. `sync`: when
   * the called work has ended. `callback`: when the task's token comes back. `activity`: when a worker that has asked
   * for the task sends a result.
   */
  readonly pattern: 'request' | 'function' | 'sync' | 'callback' | 'activity';
}

/** Runs branches side by side; its result is the list of their outputs. */
export type ParallelState = Named &
  Continues &
  DataFlow &
  Recovers & {
    readonly kind: 'parallel';
    /** The first state of each branch. */
    readonly branches: readonly string[];
    /** `Arguments`, or `Parameters`. */
    readonly arguments?: Field;
  };

/** Runs the same states for each item of a list; its result is the list of their outputs. */
export type MapState = Named &
  Continues &
  DataFlow &
  Recovers & {
    readonly kind: 'map';
    /** The first state of an iteration. */
    readonly processor: string;
    /** The input when absent. */
    readonly items?: Field;
    readonly itemSelector?: Field;
    /** Iterations at the same time; 0 and absent stand for the service's own limit. */
    readonly maxConcurrency?: Field;
    /** Evaluated for their type only where the Map is inline: it tolerates no failure. */
    readonly toleratedFailureCount?: Field;
    readonly toleratedFailurePercentage?: Field;
    /** @default - the iterations are part of the execution (mode INLINE) */
    readonly distributed?: DistributedMap;
  };

/** What a Map has whose items are processed by executions of their own (mode DISTRIBUTED). */
export interface DistributedMap {
  readonly executionType: 'STANDARD' | 'EXPRESS';
  /** The definition of these executions, as text. */
  readonly definitionText: string;
  /** Names the Map in the ARNs of its runs. @default - each run has a name of its own */
  readonly label?: string;
  /** Where the items come from. @default - as those of an inline Map */
  readonly reader?: ItemReader;
  readonly batcher?: ItemBatcher;
  /** Where results are exported to. @default - they are the result of the state */
  readonly writer?: { readonly arguments?: Field };
}

/** Reads items from S3. */
export interface ItemReader {
  readonly source: 'object' | 'listing';
  readonly arguments?: Field;
  readonly format: ItemFormat;
  readonly maxItems?: Field;
}

/** How the items are written in an object. */
export type ItemFormat =
  | { readonly inputType: 'JSON'; readonly itemsPointer?: string }
  | { readonly inputType: 'JSONL' }
  | {
      readonly inputType: 'CSV';
      /** @default - the first row has them */
      readonly headers?: readonly string[];
      readonly delimiter: string;
    };

/** Hands several items to one execution. */
export interface ItemBatcher {
  readonly maxItems?: Field;
  readonly maxBytes?: Field;
  /** Goes into each batch beside its items. */
  readonly batchInput?: Field;
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
export type Catcher = DataFlow & {
  readonly errorEquals: readonly string[];
  readonly next: string;
};

/** Leads on by the first rule that holds. The state's own data flow belongs to the default only. */
export type ChoiceState = Named &
  DataFlow & {
    readonly kind: 'choice';
    readonly rules: readonly ChoiceRule[];
    readonly default?: string;
  };

/** One way out of a Choice. Its condition is a boolean, an expression that must give one, or a comparison. */
export type ChoiceRule = DataFlow & {
  readonly condition: Field;
  readonly next: string;
};

/** Hands data on. */
export type PassState = Named &
  Continues &
  DataFlow & {
    readonly kind: 'pass';
    /** `Result` or `Parameters` of a JSONPath state; its result is the input without one. */
    readonly result?: Field;
  };

/** Lets time pass. */
export type WaitState = Named & Continues & DataFlow & { readonly kind: 'wait'; readonly until: WaitUntil };

/** How long a Wait lasts: a number of seconds, or until an ISO 8601 time with offset. */
export type WaitUntil =
  | { readonly kind: 'seconds'; readonly seconds: Field }
  | { readonly kind: 'timestamp'; readonly timestamp: Field };

/** Ends its scope well. */
export type SucceedState = Named & DataFlow & { readonly kind: 'succeed' };

/** Ends its scope with an error. */
export interface FailState extends Named {
  readonly kind: 'fail';
  readonly error?: Field;
  readonly cause?: Field;
}
