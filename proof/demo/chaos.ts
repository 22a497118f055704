import type {
  Clock,
  Interceptor,
  LocalStack,
  ServiceCall,
  ServiceResult,
  WorkTracker,
} from '@onceflow/local';
import type { WorkflowExecutions } from './executions';
import { BUSINESS_STEP, STEP_FAILURE } from './faults';

/** The probability with which an execution is stopped at one of its calls. */
const STOP_RATE = 0.05;
/** So often an order's executions are stopped at most: chaos has to end, or nothing could be expected of the end. */
const STOPS_PER_ORDER_MAX = 3;
/** The latest moment of a stop after the call, in milliseconds of the clock: less than the timeout of any state. */
const LATER_MS_MAX = 30_000;

/**
 * When an execution is stopped: before its call is made, while that is under way, when it has been answered and the
 * answer does not count yet, or some time later. Between two calls an execution takes no time, so these are all
 * the moments there are.
 */
const MOMENTS = ['before', 'during', 'after', 'later'] as const;

/** What chaos works with. */
export interface ChaosOptions {
  /** The next number in [0, 1) for an order, by its key's text. */
  readonly chance: (key: string | undefined) => number;
  readonly clock: Clock;
  /** The runtime's. */
  readonly work: WorkTracker;
}

/** Stops executions of the workflow at random moments, as an operator or a deployment would. */
export class Chaos {
  readonly #options: ChaosOptions;
  readonly #stops = new Map<string | undefined, number>();
  readonly #cutOffs = new Map<string, number>();
  #stack: { readonly stack: LocalStack; readonly executions: WorkflowExecutions } | undefined;

  constructor(options: ChaosOptions) {
    this.#options = options;
  }

  /** Stops nothing more. */
  end(): void {
    this.#stack = undefined;
  }

  /** Stops executions of this stack from now on. */
  begin(stack: LocalStack, executions: WorkflowExecutions): void {
    this.#stack = { stack, executions };
  }

  /**
   * How often an order's business step was interrupted, by the key's text. Its execution was stopped after the call of
   * the step and before the answer was recorded, so the effect of the step is unknown.
   */
  get cutOffs(): ReadonlyMap<string, number> {
    return this.#cutOffs;
  }

  readonly interceptor: Interceptor = async (call, next) => {
    const key = this.#stack?.executions.keyOf(call.executionArn);
    if (key === undefined || !this.#isHit(key)) return next();
    const { chance, clock, work } = this.#options;
    const moment = MOMENTS[Math.floor(chance(key) * MOMENTS.length)];
    const laterMs = 1 + Math.floor(chance(key) * (LATER_MS_MAX - 1));
    if (moment === 'during') {
      const answering = next();
      this.#stop(call);
      const answer = await answering;
      this.#noteCutOff(call, answer);
      return answer;
    }
    if (moment !== 'before') this.#noteCutOff(call, await next());
    if (moment === 'later') await work.pause(clock, laterMs);
    this.#stop(call);
    return work.lose();
  };

  /** Whether a call's execution is stopped. Each stop counts, so that orders are left alone after some. */
  #isHit(key: string): boolean {
    if (this.#options.chance(key) >= STOP_RATE) return false;
    const stops = this.#stops.get(key) ?? 0;
    this.#stops.set(key, stops + 1);
    return stops < STOPS_PER_ORDER_MAX;
  }

  #stop({ executionArn }: ServiceCall): void {
    const cause = 'stopped by the chaos of the demo';
    void this.#stack?.stack.runtime.stopExecution({ executionArn, cause });
  }

  #noteCutOff({ stateName, executionArn }: ServiceCall, answer: ServiceResult): void {
    // A step that fails before its effect, as the demo lets it, has done nothing that could be done twice.
    const isWithoutEffect = answer.kind === 'failed' && answer.error === STEP_FAILURE;
    if (stateName !== BUSINESS_STEP || isWithoutEffect) return;
    const key = this.#stack?.executions.keyOf(executionArn);
    if (key !== undefined) this.#cutOffs.set(key, (this.#cutOffs.get(key) ?? 0) + 1);
  }
}
