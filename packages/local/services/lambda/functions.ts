import { randomUUID } from 'node:crypto';
import { describeNotRun, findNotRun, type NotRunResource } from '../../assembly/not-run';
import type { Json } from '../../json/json';
import type { FunctionInvocation } from '../local-service';
import { startEnvironment } from './environment';
import { createEnvironmentPool, type EnvironmentPool } from './environment-pool';
import { externalFunction, isExternal } from './external-function';
import { createFunctionLookup, parseFunctionName } from './function-names';
import { type FunctionSpec, isPython, type LogLine } from './function-spec';
import { prepareNodeProcess } from './node-process';
import { type InvokeOutcome, REQUEST_BYTES_MAX } from './outcome';

/** Events of one function at the same time: a machine has few cores, and most functions wait rather than compute. */
export const ENVIRONMENTS_MAX = 4;

/** Ten times the executions that a local run is meant for. An event in the queue may take 256 KiB. */
const WAITING_MAX = 100_000;

/** Options of `createLambdaFunctions`. */
export interface LambdaFunctionsOptions {
  /** The ARNs of versions and aliases that there are. @default - none */
  readonly qualified?: ReadonlySet<string>;
  readonly functions: readonly FunctionSpec[];
  /** Functions, and whatever else, that is not run: a call of one is rejected with its reason. @default - none */
  readonly notRun?: readonly NotRunResource[];
  /**
   * How many events of one function run at the same time; further ones wait in the order they came.
   *
   * @default 4
   */
  readonly maxEnvironmentsPerFunction?: number;
  /**
   * How many events of one function may wait; further ones are rejected with `TooManyRequestsException`.
   *
   * @default 100000
   */
  readonly maxWaitingPerFunction?: number;
  /** Environment variables for every function, over its own: where the local services are. */
  readonly extraEnvironment?: Readonly<Record<string, string>>;
  /**
   * Receives what the functions write. Output beyond 1 MiB per invocation is dropped.
   *
   * @default - output is dropped
   */
  readonly log?: (line: LogLine) => void;
  /** Receives the end of each invocation of one of the functions. @default - no listener */
  readonly invoked?: (invocation: FunctionInvocation) => void;
}

/** Runs functions as the Invoke API does. */
export interface LambdaFunctions {
  /**
   * Runs a function once and answers with its outcome. Never rejects, and answers no later than the function's timeout
   * after the event has reached an environment (10 s more if the module must be loaded first).
   *
   * @param requestId - becomes `awsRequestId`; made up when absent
   * @param log - receives the lines that this invocation writes, besides the `log` of all
   */
  invoke(
    nameOrArn: string,
    payload: Json,
    requestId?: string,
    log?: (line: string) => void,
  ): Promise<InvokeOutcome>;
  /**
   * The name's function, or undefined: lets a caller reject an event whose outcome is not
   * awaited.
   */
  find(nameOrArn: string): FunctionSpec | undefined;
  /** Stops all of them; what has not been answered by then ends as a service error. */
  close(): Promise<void>;
}

/**
 * Runs the given functions of Node.js and Python, each execution environment in a process of its own.
 *
 * A process is ended and replaced after a timeout, an exit, an uncaught error, or when it and those it has started
 * have more resident memory than `memoryMb` and what the runtime itself takes. It is not a sandbox: a function has the
 * rights of this process over files and other processes.
 *
 * @throws when two functions have the same ARN or a bound is below 1.
 */
export function createLambdaFunctions(options: LambdaFunctionsOptions): LambdaFunctions {
  const { maxEnvironmentsPerFunction = ENVIRONMENTS_MAX, maxWaitingPerFunction = WAITING_MAX } = options;
  if (maxEnvironmentsPerFunction < 1) {
    throw new Error(`maxEnvironmentsPerFunction must be at least 1, got ${maxEnvironmentsPerFunction}`);
  }
  const lookUp = createFunctionLookup(options.functions, options.qualified);
  const pools = new Map<FunctionSpec, EnvironmentPool>();
  const logs = new Map<string, (line: string) => void>();
  const log = ignoringErrors<LogLine>(line => {
    if (line.requestId !== undefined) logs.get(line.requestId)?.(line.text);
    options.log?.(line);
  });
  const invoked = ignoringErrors(options.invoked ?? (() => undefined));
  const extraEnvironment = options.extraEnvironment ?? {};

  function createPool(spec: FunctionSpec): EnvironmentPool {
    if (isExternal(spec)) return externalFunction(spec, { extraEnvironment, log });
    return createEnvironmentPool({
      environmentsMax: maxEnvironmentsPerFunction,
      waitingMax: maxWaitingPerFunction,
      start: onIdleEnd => startEnvironment(spec, { extraEnvironment, log, onIdleEnd }),
    });
  }
  for (const spec of options.functions) pools.set(spec, createPool(spec));
  const first = options.functions.find(spec => !isPython(spec) && !isExternal(spec));
  if (first) prepareNodeProcess(first);

  async function invoke(
    nameOrArn: string,
    payload: Json,
    requestId: string = randomUUID(),
    ownLog?: (line: string) => void,
  ): Promise<InvokeOutcome> {
    const found = lookUp(nameOrArn);
    const pool = found.kind === 'found' ? pools.get(found.spec) : undefined;
    if (!pool) {
      const foreign = findNotRun(options.notRun ?? [], parseFunctionName(nameOrArn).unqualified);
      return foreign ? notRun(foreign) : notFound(found.kind === 'unknown' ? found.arn : nameOrArn);
    }
    if (found.kind === 'found' && found.spec.isThrottled) return throttled();
    const eventText = JSON.stringify(payload);
    const bytes = Buffer.byteLength(eventText);
    if (bytes > REQUEST_BYTES_MAX) return tooLarge(bytes);
    if (ownLog) logs.set(requestId, ownLog);
    const begunAt = Date.now();
    try {
      const outcome = await pool.run({ requestId, eventText });
      const functionName = found.kind === 'found' ? found.spec.name : nameOrArn;
      invoked({ functionName, requestId, begunAt, endedAt: Date.now(), error: errorOf(outcome) });
      return outcome;
    } finally {
      logs.delete(requestId);
    }
  }

  function find(nameOrArn: string): FunctionSpec | undefined {
    const found = lookUp(nameOrArn);
    return found.kind === 'found' ? found.spec : undefined;
  }

  async function close(): Promise<void> {
    await Promise.all([...pools.values()].map(pool => pool.close()));
  }

  return { invoke, find, close };
}

/** The reader without its errors, which would interrupt an environment in the middle of its bookkeeping. */
function ignoringErrors<Event>(reader: (event: Event) => void): (event: Event) => void {
  return event => {
    try {
      reader(event);
    } catch {
      // The failed reader loses the event; the function must not fail for it.
    }
  };
}

function errorOf(outcome: InvokeOutcome): string | undefined {
  if (outcome.kind === 'succeeded') return undefined;
  return outcome.kind === 'functionError' ? outcome.errorType || 'Unhandled' : outcome.error;
}

function notFound(arn: string): InvokeOutcome {
  return { kind: 'serviceError', error: 'ResourceNotFoundException', message: `Function not found: ${arn}` };
}

/** What Lambda answers for a function whose reserved concurrency is 0. */
function throttled(): InvokeOutcome {
  return { kind: 'serviceError', error: 'TooManyRequestsException', message: 'Rate Exceeded.' };
}

/** What Lambda answers for a runtime that it does not run any more. */
function notRun(resource: NotRunResource): InvokeOutcome {
  const message = `${describeNotRun(resource)}; pass --function '${resource.logicalId}=URL|MODULE|COMMAND'`;
  return { kind: 'serviceError', error: 'InvalidRuntimeException', message };
}

function tooLarge(bytes: number): InvokeOutcome {
  const limit = `for the RequestResponse invocation type (limit ${REQUEST_BYTES_MAX} bytes)`;
  const message = `${bytes} byte payload is too large ${limit}`;
  return { kind: 'serviceError', error: 'RequestTooLargeException', message };
}
