import type { Interceptor, LocalStack, WorkTracker } from '@onceflow/local';
import type { Fault } from './local-stack-access';

/** Armed faults, each of which strikes once, on the stack that runs then. */
export class Faults {
  readonly #work: Pick<WorkTracker, 'lose'>;
  readonly #stack: () => Pick<LocalStack, 'runtime'> | undefined;
  readonly #armed = new Map<string, Fault>();
  #last = 0;

  constructor(work: Pick<WorkTracker, 'lose'>, stack: () => Pick<LocalStack, 'runtime'> | undefined) {
    this.#work = work;
    this.#stack = stack;
  }

  get armed(): ReadonlyMap<string, Fault> {
    return this.#armed;
  }

  arm(fault: Fault): void {
    this.#last += 1;
    this.#armed.set(String(this.#last), fault);
  }

  /** False where it has struck, or was disarmed before. */
  disarm(id: string): boolean {
    return this.#armed.delete(id);
  }

  readonly interceptor: Interceptor = async (call, next) => {
    const fault = this.#take(call.executionArn, call.stateName);
    if (fault === undefined) return next();
    if (fault.moment !== 'killBefore') await next();
    if (fault.moment !== 'loseAnswer') this.#kill(call.executionArn);
    return this.#work.lose();
  };

  #take(executionArn: string, stateName: string): Fault | undefined {
    const stateMachine = executionArn.split(':')[6];
    for (const [id, fault] of this.#armed) {
      if (fault.stateMachine !== stateMachine || fault.state !== stateName) continue;
      this.#armed.delete(id);
      return fault;
    }
    return undefined;
  }

  #kill(executionArn: string): void {
    const cause = 'A fault that was injected on the page';
    // Not waited for: the execution ends with its call open. One that has ended keeps its end.
    this.#stack()
      ?.runtime.stopExecution({ executionArn, cause })
      .catch(() => undefined);
  }
}
