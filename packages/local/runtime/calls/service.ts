import type { Json } from '../../json/json';

/**
 * One call of an integration, as a Task state makes it.
 *
 * @example
 * const steps = stack.calls.filter(({ stateName }) => stateName === 'Business step');
 */
export interface ServiceCall {
  /**
   * The integration as its resource ARN names it after `:::`, e.g. `dynamodb:putItem`, `lambda:invoke`,
   * `states:startExecution.sync`; without `.waitForTaskToken`, as the runtime handles callbacks itself. A function that
   * a state names by its bare ARN is called through `lambda:function`, with `FunctionName` and `Payload` as arguments.
   */
  readonly resource: string;
  /** The evaluated `Arguments` of the state. */
  readonly arguments: Json;
  /** The execution that calls, and the state it calls from. */
  readonly executionArn: string;
  readonly stateName: string;
  /** 0 for the first attempt of the state's visit, 1 for the first retry. */
  readonly retryCount: number;
  /** True if the state waits for a task token (`.waitForTaskToken`). */
  readonly isCallback?: true;
}

/**
 * How a call ended. Failure is data: an exception thrown by a service is a bug of ours.
 *
 * @example
 * const rejected: ServiceResult = { kind: 'failed', error: 'Busy', cause: 'try again' };
 */
export type ServiceResult =
  | { readonly kind: 'succeeded'; readonly output: Json }
  | { readonly kind: 'failed'; readonly error: string; readonly cause: string }
  | Submitted;

/**
 * The answer of a job (`.sync`): it was accepted with `output`, and `result` resolves to its end.
 *
 * While `result` is open, the call does not count as work in progress: a virtual clock moves on.
 */
export interface Submitted {
  readonly kind: 'submitted';
  readonly output: Json;
  readonly result: Promise<JobResult>;
}

/** How a job ended. */
export type JobResult = Exclude<ServiceResult, Submitted>;

/** What answers a task of an activity instead of a worker; undefined leaves the task to the workers. */
export type MockedActivity = (task: ServiceCall) => JobResult | undefined;

/**
 * Performs the calls of one AWS service.
 *
 * `abort` fires when the answer is not waited for any more (state timed out, execution stopped). As on AWS, the work
 * itself goes on; a service may use it only to free what the answer would have needed, and to stop a job.
 */
export interface Service {
  /**
   * Why these evaluated arguments make no call at all; undefined where they do. By them alone, the same each time. The
   * execution has failed then, as Step Functions itself rejects them: `call` is not called with them.
   */
  rejectionOf?(given: Json): string | undefined;
  call(call: ServiceCall, abort: AbortSignal): Promise<ServiceResult>;
  /**
   * Waits for the result of a job again that an earlier process submitted, and that was accepted with `output`. Never
   * rejects. Absent where jobs do not outlive a process.
   */
  rejoin?(output: Json, abort: AbortSignal): Promise<JobResult>;
}

/** The services a runtime can reach, by the integration's resource (`dynamodb:putItem`). */
export type ServiceTable = ReadonlyMap<string, Service>;

/**
 * Stands between the runtime and the services: sees each call, and may delay it, lose its answer, or answer itself.
 * The place where tests and the demo inject faults.
 *
 * @example
 * const interceptor: Interceptor = async (call, next) =>
 *   call.stateName === 'Business step' ? { kind: 'failed', error: 'Busy', cause: '' } : await next();
 */
export type Interceptor = (call: ServiceCall, next: () => Promise<ServiceResult>) => Promise<ServiceResult>;
