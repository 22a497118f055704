import type { Json } from '../../json/json';
import type { WorkTracker } from '../../runtime/time/work-tracker';
import type { LambdaFunctions } from './functions';
import type { InvokeOutcome } from './outcome';
import { traceRoot } from './trace';

/**
 * How long a function is silent before it counts as waiting, in real milliseconds. That is time for the requests it
 * makes at once to arrive, and to deal with one answer while it waits for another.
 */
const QUIET_MS = 50;

interface Invocation {
  /** Requests that wait for an answer. */
  waits: number;
  isCounted: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Invocations that count as work in progress, except while they wait for an execution.
 *
 * A function that waits for StartSyncExecution does nothing itself. If it counted, a virtual clock would wait for the
 * function, and the execution for the clock. A request says by its trace header which invocation makes it. That a
 * function only waits cannot be seen from outside, so that it counts until nothing was heard of it for a moment.
 */
export class Invocations {
  readonly #functions: LambdaFunctions;
  readonly #work: WorkTracker;
  readonly #newRequestId: () => string;
  /** Those under way, by the root of their trace. */
  readonly #underWay = new Map<string, Invocation>();

  /** `newRequestId` makes UUIDs. */
  constructor(functions: LambdaFunctions, work: WorkTracker, newRequestId: () => string) {
    this.#functions = functions;
    this.#work = work;
    this.#newRequestId = newRequestId;
  }

  /** As `LambdaFunctions.invoke`. */
  async invoke(functionName: string, event: Json): Promise<InvokeOutcome> {
    const requestId = this.#newRequestId();
    const root = traceRoot(requestId);
    const invocation: Invocation = { waits: 0, isCounted: true, timer: undefined };
    this.#underWay.set(root, invocation);
    this.#work.begin();
    try {
      return await this.#functions.invoke(functionName, event, requestId);
    } finally {
      // An invocation may end, by its timeout, before what it waits for.
      this.#underWay.delete(root);
      clearTimeout(invocation.timer);
      if (invocation.isCounted) this.#work.end();
    }
  }

  /** Does what the invocation with this trace header waits for; any other caller's is just done. */
  async wait<Result>(traceHeader: string | undefined, work: () => Promise<Result>): Promise<Result> {
    const root = /Root=([^;]+)/.exec(traceHeader ?? '')?.[1] ?? '';
    this.#heard(root, 1);
    try {
      return await work();
    } finally {
      this.#heard(root, -1);
    }
  }

  #heard(root: string, change: 1 | -1): void {
    const invocation = this.#underWay.get(root);
    if (!invocation) return;
    invocation.waits += change;
    clearTimeout(invocation.timer);
    if (!invocation.isCounted) this.#work.begin();
    invocation.isCounted = true;
    if (invocation.waits === 0) return;
    invocation.timer = setTimeout(() => {
      invocation.isCounted = false;
      this.#work.end();
    }, QUIET_MS);
  }
}
