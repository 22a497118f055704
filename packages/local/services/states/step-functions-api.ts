/** One operation of Step Functions: members named as on the wire, times in epoch milliseconds. */
export type StatesOperation = (request: never) => Promise<unknown>;

/**
 * The Step Functions that answers the calls: it rejects with an error that has the service's error code for a name and
 * `isRejection`. An absent operation is not an integration.
 */
export interface StepFunctionsApi {
  startExecution(request: {
    readonly stateMachineArn: string;
    readonly name?: string;
    readonly input?: string;
  }): Promise<{ readonly executionArn: string; readonly startDate: number }>;
  describeExecution(request: {
    readonly executionArn: string;
    readonly includedData?: 'ALL_DATA' | 'METADATA_ONLY';
  }): Promise<object>;
  stopExecution(request: {
    readonly executionArn: string;
    readonly error?: string;
    readonly cause?: string;
  }): Promise<object>;
  /** Resolves when the execution has ended. */
  whenEnded(executionArn: string): Promise<void>;
  readonly startSyncExecution?: StatesOperation;
  readonly redriveExecution?: StatesOperation;
  readonly getExecutionHistory?: StatesOperation;
  readonly listExecutions?: StatesOperation;
  readonly describeStateMachine?: StatesOperation;
  readonly listStateMachines?: StatesOperation;
  readonly getActivityTask?: StatesOperation;
  readonly sendTaskSuccess?: StatesOperation;
  readonly sendTaskFailure?: StatesOperation;
  readonly sendTaskHeartbeat?: StatesOperation;
}

/** A rejection: its name is the service's error code. */
export interface Rejection {
  readonly name: string;
  readonly message: string;
}

/** The rejection in what an operation threw. @throws what is none: then the fault is here */
export function rejectionIn(error: unknown): Rejection {
  const isRejection =
    typeof error === 'object' &&
    error !== null &&
    'isRejection' in error &&
    'name' in error &&
    'message' in error;
  if (!isRejection) throw error;
  return { name: String(error.name), message: String(error.message) };
}

/** The class of an error code: Java's always end in Exception, codes do not. */
export function exceptionClass(code: string): string {
  return code.endsWith('Exception') ? code : `${code}Exception`;
}
