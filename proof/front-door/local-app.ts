import {
  advanceBy,
  type Interceptor,
  type LocalOptions,
  type LocalStack,
  runToEnd,
  startLocal,
  VirtualClock,
  WorkTracker,
} from '@onceflow/local';
import type { Answer, Request } from './conversation';
import { LocalClient } from './local-client';
import { type Stage, Step } from './step';
import type { OpenApp } from './target';

/** When conversations begin. */
const T0 = Date.parse('2026-11-20T09:00:00Z');
/** Waits that are longer are passed without the schedules that would fire within them. */
const WITH_SCHEDULES_MS = 60 * 60 * 1000;

/** An app that has a REST API, on a local stack in virtual time: requests by real HTTP. */
export class LocalApp implements OpenApp {
  readonly step: Step;
  readonly #clock = new VirtualClock(T0);
  readonly #work = new WorkTracker();
  #opened: { readonly stack: LocalStack; readonly client: LocalClient } | undefined;
  #principal: string | undefined;

  readonly #stage: Stage = {
    pause: ms => this.#work.pause(this.#clock, ms),
    lose: () => this.#work.lose(),
    stop: executionArn => this.stack.runtime.stopExecution({ executionArn }),
  };

  private constructor() {
    this.step = new Step(this.#stage);
  }

  /**
   * Starts a stack with the app of an assembly; `played` plays the step in place of the usual one, `invoked` hears of
   * the invocations of functions.
   */
  static async open(
    assembly: string,
    played?: (stage: Stage) => Interceptor,
    { invoked }: Pick<LocalOptions, 'invoked'> = {},
  ): Promise<LocalApp> {
    const app = new LocalApp();
    const stack = await startLocal({
      assembly,
      clock: app.#clock,
      work: app.#work,
      interceptor: played?.(app.#stage) ?? app.step.interceptor,
      httpPrincipal: () => app.#principal ?? 'anonymous',
      ...(invoked && { invoked }),
    });
    app.#opened = { stack, client: new LocalClient(stack) };
    return app;
  }

  /** The stack that the app runs on. */
  get stack(): LocalStack {
    return this.#known.stack;
  }

  get #known() {
    if (this.#opened) return this.#opened;
    throw new Error('the stack has not been started');
  }

  /** Sends a request, and waits until the stack has it. */
  async send(request: Request): Promise<{ readonly answer: Promise<Answer> }> {
    const sentAt = this.now();
    this.#principal = request.principal;
    this.step.begin(request.fault);
    const { answer } = await this.#known.client.send(request);
    return {
      answer: answer.then(
        (received): Answer =>
          request.fault === 'answer-lost'
            ? { kind: 'none' }
            : { kind: 'answer', ...received, tookMs: this.now() - sentAt },
        (): Answer => ({ kind: 'none' }),
      ),
    };
  }

  /** Moves the clock until all have been answered. */
  async answersOf(pending: readonly Promise<Answer>[]): Promise<readonly Answer[]> {
    let isDone = false;
    const answers = Promise.all(pending).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await this.#known.client.idle();
      const due = isDone ? undefined : this.#clock.nextDue();
      if (due !== undefined) this.#clock.advanceTo(due);
    }
    this.step.begin(undefined);
    return answers;
  }

  async wait(ms: number): Promise<void> {
    const { runtime } = this.stack;
    if (ms <= WITH_SCHEDULES_MS) return advanceBy(runtime, this.#clock, ms);
    await runToEnd(runtime, this.#clock, this.#clock.now() + ms);
    await runtime.work.hold(async () => this.#clock.advanceBy(ms));
  }

  now(): number {
    return this.#clock.now();
  }

  async effects(): Promise<Step['effects']> {
    await runToEnd(this.stack.runtime, this.#clock);
    return this.step.effects;
  }

  async close(): Promise<void> {
    this.#known.client.close();
    await this.stack.close();
  }
}
