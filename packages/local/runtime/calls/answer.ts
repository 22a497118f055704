import type { Interceptor, JobResult, ServiceCall, ServiceResult, ServiceTable } from './service';

/** What calls of integrations are answered by. */
export interface Answering {
  readonly services: ServiceTable;
  readonly interceptor?: Interceptor;
  /** Called with what is broken in a service. */
  readonly report: (problem: Error) => void;
}

/** A call whose answer is waited for. Its abort signal is made when it is asked for. */
export class InFlightCall {
  #controller: AbortController | undefined;
  #isAborted = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isAborted) this.#controller.abort();
    return this.#controller.signal;
  }

  /** The answer is not waited for any more. */
  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort();
  }
}

/** A service's answer to a call. Neither it nor the result of a job it may hold ever rejects. */
export function answerTo(
  call: ServiceCall,
  inFlight: InFlightCall,
  answering: Answering,
): Promise<ServiceResult> {
  return withAnswerTo(call, inFlight, answering, answer => answer);
}

/** What `use` makes of a service's answer to a call. Neither the answer nor the result of a job it may hold rejects. */
export function withAnswerTo<Value>(
  call: ServiceCall,
  inFlight: InFlightCall,
  answering: Answering,
  use: (answer: ServiceResult) => Value,
): Promise<Value> {
  const { interceptor } = answering;
  const broken = (error: unknown) => brokenService(call, error, answering);
  const failed = (error: unknown) => use(broken(error));
  // An interceptor that makes the call and forgets to return its answer has none.
  const answered = (answer: ServiceResult | undefined): Value => {
    if (!answer) return failed(new Error('it, or the interceptor before it, has answered nothing'));
    return use(answer.kind === 'submitted' ? { ...answer, result: answer.result.catch(broken) } : answer);
  };
  try {
    const answer = interceptor
      ? interceptor(call, async () => callOf(call, inFlight, answering))
      : callOf(call, inFlight, answering);
    return answer.then(answered, failed);
  } catch (error) {
    return Promise.reject(error).catch(failed);
  }
}

function callOf(call: ServiceCall, inFlight: InFlightCall, { services }: Answering): Promise<ServiceResult> {
  const service = services.get(call.resource);
  if (!service) return Promise.resolve(unanswered(call));
  // A signal costs more than most of the runtime does for a call, and few services look at it.
  return service.call(call, service.call.length < 2 ? NEVER : inFlight.signal);
}

/** A call of a service that is not there and has no mock, with the line that would answer it. Nothing catches it. */
function unanswered({ resource, stateName }: ServiceCall): JobResult {
  const reason = `Nothing answers ${resource} of the state '${stateName}' on this machine`;
  return needsMock(reason, [stateName, resource]);
}

/** The failure of a call that only a mock can answer: the reason, and the lines of which one would do. */
export function needsMock(reason: string, keys: readonly string[]): JobResult {
  const lines = keys.map(key => `${JSON.stringify(key)}: {"Return": {}}`).join(' or ');
  const cause = `${reason}. Add its answer under "Answers" in the file of mocks: ${lines}`;
  return { kind: 'failed', error: 'States.Runtime', cause };
}

/** A service that throws is broken; its task fails with an error that nothing catches, so that it is seen. */
function brokenService(
  { resource, stateName }: ServiceCall,
  error: unknown,
  { report }: Answering,
): JobResult {
  const message = `the local service '${resource}' broke in state '${stateName}'`;
  report(new Error(message, { cause: error }));
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', error: 'States.Runtime', cause: `Internal error: ${message}: ${reason}` };
}

const NEVER = new AbortController().signal;
