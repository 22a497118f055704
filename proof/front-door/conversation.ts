/** A short conversation of clients with the reference app, and its expected outcome: `docs/proof/front-door.md`. */
export interface Conversation {
  readonly id: string;
  readonly title: string;
  /** How its app differs. */
  readonly app?: AppOptions;
  readonly requests: readonly Request[];
  /** One for each request, by position. */
  readonly expect: readonly Expectation[];
  /** When it is over. */
  readonly effects?: Effects;
  /** What AWS does not document: at a URL an answer that is not expected is not wrong. */
  readonly question?: string;
}

/** How the app of a conversation differs from the reference app. */
export interface AppOptions {
  readonly onFailedBefore?: 'returnStoredFailure';
  readonly onDuplicateInProgress?: 'wait';
  readonly delivery?: 'at-most-once';
  readonly type?: 'EXPRESS';
  readonly retentionHours?: number;
  /** Allowed origins. */
  readonly cors?: readonly string[];
}

/** One request. */
export interface Request {
  readonly method: string;
  /** With its query; `<location>` stands for the path of the last `Location` that was answered. */
  readonly path: string;
  /** As sent; a list is several lines. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** A JSON value, sent without white space. */
  readonly body?: unknown;
  /** In place of `body`: exactly this text in UTF-8, or these bytes. */
  readonly rawBody?: string;
  readonly rawBodyBase64?: string;
  /** Who the caller is. @default - one and the same */
  readonly principal?: string;
  /** Waits so long after the answers of all earlier requests, or after the sending of that in `concurrentWith`. */
  readonly delayMs?: number;
  /** Is sent beside that request, without waiting for its answer. */
  readonly concurrentWith?: number;
  /** The bytes of headers are UTF-8. */
  readonly headerEncoding?: 'utf-8';
  readonly fault?: Fault;
}

/** The faults of a request. */
export type Fault =
  /** The server does everything, the client gets nothing. */
  | 'answer-lost'
  /** The first start is made, and its answer is lost. */
  | 'start-answer-lost'
  /** Each start of the request is throttled. */
  | 'start-throttled'
  /** The workflow's execution is stopped while its step is at work, which ends all the same. */
  | 'workflow-stopped-in-step'
  /** The front door's execution fails right after it has started the workflow. */
  | 'front-door-stopped-after-start'
  /** Reads that are not strongly consistent show what was two seconds ago. */
  | 'stale-reads';

/** The expected answers. */
export interface Expectation {
  /** One of those that will do; `<none>`: no answer. */
  readonly status: number | '<none>' | readonly (number | '<none>')[];
  /** By name, without case: a value, one of several, `<any>`, `<absent>` or `<includes:x>`. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** As JSON; `<any>` stands for any text that is not empty. */
  readonly bodyEquals?: unknown;
  readonly bodyText?: string;
  readonly bodyContains?: readonly string[];
  readonly bodyExcludes?: readonly string[];
  readonly bodyLengthMin?: number;
  /** Status and body are those of that answer, to the byte; or the body is another. */
  readonly sameAs?: number;
  readonly notSameAs?: number;
  /** All answers of 200 in one group have the same body. */
  readonly sameGroup?: string;
  /** It is a problem document whose `type` ends so. */
  readonly problemType?: string | readonly string[];
  /** Members of the problem document. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly withinMs?: number;
  /** The expectation at a URL in place of it: calls take their time there. */
  readonly atUrl?: Expectation;
}

/** The outcome. */
export interface Effects {
  readonly charges?: number;
  readonly chargesMin?: number;
  readonly chargesMax?: number;
  readonly refunds?: number;
  /** How often the step was called. */
  readonly stepRuns?: number;
  /** How many idempotency keys it was handed. */
  readonly stepKeys?: number;
  /** How many runs of one key were under way at the same time at most. */
  readonly atOnce?: number;
}

/** An answer, or none. */
export type Answer =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** By name in small letters; of several lines the values with a comma between them. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** In the time of the target. */
      readonly tookMs: number;
    };
