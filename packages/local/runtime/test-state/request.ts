/** What TestState takes; texts are JSON where that is said. */
export interface TestStateRequest {
  /** A state alone or, with `stateName`, a whole state machine: JSON. */
  readonly definition: string;
  readonly stateName?: string;
  readonly roleArn?: string;
  /** JSON. @default - `{}` */
  readonly input?: string;
  /** The variables before the state: a JSON object. */
  readonly variables?: string;
  /** The context object, in place of one that is made: a JSON object. */
  readonly context?: string;
  readonly mock?: MockInput;
  readonly stateConfiguration?: StateConfiguration;
  /** @default INFO */
  readonly inspectionLevel?: 'INFO' | 'DEBUG' | 'TRACE';
  readonly revealSecrets?: boolean;
}

/** The given result or failure of a Task, a Map or a Parallel. */
export interface MockInput {
  /** JSON. */
  readonly result?: string;
  readonly errorOutput?: { readonly error?: string; readonly cause?: string };
  /** How far a result is checked against what the called service answers. @default STRICT */
  readonly fieldValidationMode?: 'STRICT' | 'PRESENT' | 'NONE';
}

/** The events before, or within the state. */
export interface StateConfiguration {
  /** Retries made so far by the retrier that the failure belongs to. */
  readonly retrierRetryCount?: number;
  /** The state within a Map or Parallel that the error comes from. */
  readonly errorCausedByState?: string;
  /** Iterations that have failed. */
  readonly mapIterationFailureCount?: number;
  /** What an `ItemReader` would read, as it stands in its source. */
  readonly mapItemReaderData?: string;
}

/** What TestState answers. A member that does not apply is absent. */
export interface TestStateAnswer {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'RETRIABLE' | 'CAUGHT_ERROR';
  /** JSON. */
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
  readonly nextState?: string;
  /** Absent on the level INFO. */
  readonly inspectionData?: InspectionData;
}

/** What the state made of its data, step by step: JSON texts, and the numbers of a Map. */
export interface InspectionData {
  readonly input: string;
  readonly afterArguments?: string;
  readonly afterInputPath?: string;
  readonly afterParameters?: string;
  readonly afterItemsPath?: string;
  readonly afterItemSelector?: string;
  readonly result?: string;
  readonly afterResultSelector?: string;
  readonly afterResultPath?: string;
  /** All variables after the state. */
  readonly variables?: string;
  readonly maxConcurrency?: number;
  readonly toleratedFailureCount?: number;
  readonly toleratedFailurePercentage?: number;
  readonly errorDetails?: ErrorDetails;
}

/** Which retrier or catcher dealt with an error, by their numbers in the state. */
export interface ErrorDetails {
  readonly retryIndex?: number;
  /** Absent where the retrier has no retry left. */
  readonly retryBackoffIntervalSeconds?: number;
  readonly catchIndex?: number;
}
