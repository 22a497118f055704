import type { Duration } from 'aws-cdk-lib';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { KeyExpressions } from '../expression/key-expressions';
import type { Results } from '../options/results';
import type { Settings, StartSettings } from '../settings';
import type { ResolvedTime } from '../template/resolved-time';

export type RequestKey =
  | { readonly kind: 'header'; readonly name: string }
  /** Over the request. */
  | { readonly kind: 'expression'; readonly expressions: KeyExpressions };

/** How a result becomes an answer: JSONata over the variable `result`, without `{% %}`; a number as it is. */
export interface ResponseMapping {
  readonly status: number | string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: the result's own text. */
  readonly body: string | undefined;
}

export interface FrontDoorProps
  extends StartSettings,
    Pick<Settings, 'table' | 'scope' | 'key' | 'payload' | 'keptPayload'> {
  /** The workflow that is started. */
  readonly stateMachine: IStateMachine;
  /** Whether it is Express: then it is called, and its end is awaited. */
  readonly isExpress: boolean;
  /** The names of the state machines that the workflow has had before. */
  readonly formerStateMachines: readonly string[];
  readonly isAtMostOnce: boolean;
  /** Whether a failed step is the answer for later requests, too. */
  readonly returnsStoredFailure: boolean;
  /** The errors that are such an answer; undefined: all. */
  readonly returnedErrors: readonly string[] | undefined;
  /** Whether a request that comes while its first is at work waits for that one. */
  readonly waitsForFirst: boolean;
  /** For how long the step may be at work. */
  readonly stepTimeout: ResolvedTime;
  readonly requestKey: RequestKey;
  /** JSONata of the workflow's input over the request, without `{% %}`; undefined: key, principal, path and body. */
  readonly input: string | undefined;
  /** Whether a caller must be known: the method has an authorizer. */
  readonly needsPrincipal: boolean;
  /** For how long a request waits for its result. */
  readonly waitUpTo: Duration;
  /** How many reads of the record follow the first at once, before the first wait: {@link READS_AT_ONCE}. */
  readonly readsAtOnce: number;
  /** Where the workflow keeps results that the record does not hold; undefined: in its executions only. */
  readonly results: Results | undefined;
  readonly response: ResponseMapping | undefined;
  /** What the `type` of each problem document begins with. */
  readonly problemType: string;
  /** The status that the failure of a step is answered with, by the error's name. */
  readonly errors: Readonly<Record<string, number>>;
}
