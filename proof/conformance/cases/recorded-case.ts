/** One recorded case, as its file has it. The format is described in `docs/proof/conformance.md`. */
export type RecordedCase = ExecutionCase | BatchCase | ApiCase;

/** What every case has. */
export interface CaseBase {
  readonly name: string;
  readonly recorded?: RecordedWhen;
  readonly services: readonly string[];
  readonly features: readonly string[];
  readonly lambdas: Readonly<Record<string, LambdaSpec>>;
  readonly tables: Readonly<Record<string, TableSpec>>;
  readonly queues: Readonly<Record<string, { readonly deletedBeforeStart?: boolean }>>;
  readonly topics: Readonly<Record<string, { readonly attributes?: Readonly<Record<string, string>> }>>;
  readonly buckets: Readonly<Record<string, object>>;
  readonly logGroups: Readonly<Record<string, object>>;
  readonly stateMachines: Readonly<Record<string, MachineSpec>>;
  readonly activities: Readonly<Record<string, { readonly deletedBeforeStart?: boolean }>>;
  readonly setup: readonly SetupCall[];
  readonly workers: readonly WorkerSpec[];
  readonly placeholders: Readonly<Record<string, PlaceholderSpec>>;
  readonly ignore: readonly string[];
}

/** One machine, one execution of it. */
export interface ExecutionCase extends CaseBase, Run {
  readonly kind: 'execution';
  readonly historyOrder: HistoryOrder;
  readonly during?: readonly object[];
}

/** Many small executions of one kind. */
export interface BatchCase extends CaseBase {
  readonly kind: 'execution-batch';
  readonly runs: readonly Run[];
}

/** Calls of the API, in order. */
export interface ApiCase extends CaseBase {
  readonly kind: 'api';
  readonly calls: readonly Step[];
  /** The calls do not belong together: a placeholder of one means nothing in the next. */
  readonly independentCalls?: boolean;
}

/** A machine, its input, and the outcome. */
export interface Run {
  readonly definition: unknown;
  /** The exact text, where parsing it would lose something. */
  readonly definitionText?: string;
  readonly input?: unknown;
  readonly inputText?: string;
  readonly inputOmitted?: boolean;
  readonly executionName?: string;
  readonly stateMachineType?: 'STANDARD' | 'EXPRESS';
  readonly loggingConfiguration?: object;
  readonly expected: Expected;
}

/** What the service answered about an execution. */
export interface Expected {
  readonly status?: string;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly cause?: unknown;
  readonly history?: readonly RecordedEvent[];
  /** Responses and side effects beside the execution, by name. */
  readonly other?: Readonly<Record<string, unknown>>;
  readonly startSyncExecutionResponse?: unknown;
  readonly endLogEvent?: unknown;
}

/** A function by what invoking it does. */
export interface LambdaSpec {
  readonly behaviour: string;
  /** The error object of a function that fails. */
  readonly errorPayload?: Readonly<Record<string, unknown>>;
  /** @default - longer than any behavior of the function */
  readonly functionTimeoutSeconds?: number;
}

/** A table that exists before the execution starts. */
export interface TableSpec {
  readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[];
  readonly AttributeDefinitions: readonly {
    readonly AttributeName: string;
    readonly AttributeType: 'S' | 'N' | 'B';
  }[];
  /** Attribute values as DynamoDB writes them. */
  readonly items?: readonly Readonly<Record<string, unknown>>[];
}

/** Another machine that the definition or the input refers to. */
export interface MachineSpec {
  readonly type?: 'STANDARD' | 'EXPRESS';
  readonly definition: unknown;
  readonly deletedBeforeStart?: boolean;
}

/** A call to make before the start, e.g. `PutObject` of `s3`. */
export interface SetupCall {
  readonly service?: unknown;
  readonly op?: unknown;
  readonly request?: unknown;
}

/** Something that acts while the execution runs. */
export interface WorkerSpec {
  readonly behaviour: string;
  readonly queue?: string;
  readonly eventPattern?: unknown;
  readonly calls?: readonly { readonly op: string; readonly request: unknown }[];
  /** Of a worker that is a state machine: what runs beside the execution, and with which input. */
  readonly definition?: unknown;
  readonly input?: unknown;
}

/** A step of an `api` case. */
export type Step = AwaitStep | CallStep;

/** Waits until something is so. */
export interface AwaitStep {
  readonly await: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** One call with what the service answered. */
export interface CallStep {
  readonly id: string;
  readonly op: string;
  readonly request: unknown;
  readonly response?: unknown;
  readonly error?: RecordedError;
  readonly responseNotRecorded?: boolean;
}

/** An error of the API. */
export interface RecordedError {
  /** `ParamValidationError`: raised by the recorder's SDK, so that no request was sent. */
  readonly type?: string;
  readonly code?: string;
  readonly message?: string;
  readonly notRecorded?: boolean;
}

/** When a case was recorded: an ISO time, and the recorder's own form of it (`DD-MM-YYYY, HH:MM:SS`). */
export interface RecordedWhen {
  readonly lastValidated?: string;
  readonly date?: string;
}

/** How strictly the order of a history is compared. */
export type HistoryOrder = 'strict' | 'causal' | 'parallelBlocksUnordered' | 'prefix' | 'none';

/** The members of a history event that say where it stands; ids of events in unordered blocks were not kept. */
export interface RecordedEvent {
  readonly id?: number | null;
  readonly previousEventId?: number | null;
  readonly type: string;
}

/** The known facts of a placeholder. */
export interface PlaceholderSpec {
  /** What it stands for: a literal, or a reference to something the runner chose. */
  readonly equals?: string;
  /** `false`: the recorder wrote the same placeholder over several values. */
  readonly consistent?: boolean;
}
