import {
  type Completion,
  type Effect,
  type Execution,
  enteredThread,
  enterState,
  failWithChild,
  type Machine,
  movedThread,
  type RunThread,
  resumeWait,
  rootThread,
  succeedWith,
  type Thread,
  TIMED_OUT,
  Turn,
  taskFailed,
  taskSucceeded,
  taskTimedOut,
} from '../../engine/index';
import type { JsonObject } from '../../json/json';
import { dataOf, type State, type TaskState, type WaitState } from '../../language/index';
import { answerTo, InFlightCall } from '../calls/answer';
import type { Ports } from '../executor/ports';
import { NotEvaluated, RuntimeTransitionContext } from '../executor/transition-context';
import { Inspection } from './inspection';
import { completeMap } from './map-mock';
import type { Mock } from './mock';
import type { StateConfiguration } from './request';
import type { StateUnderTest } from './state-under-test';

/** What the state's own work is done with. */
type TestRunPorts = Pick<
  Ports,
  'clock' | 'evaluator' | 'ids' | 'interceptor' | 'report' | 'services' | 'work'
>;

/** Milliseconds that the test of a state may take (service limit). */
const TEST_MS_MAX = 5 * 60 * 1000;

/** One state that is tested, with what it starts from. */
export interface TestRunOptions {
  readonly machine: Machine;
  readonly execution: Execution;
  readonly state: State;
  readonly language: StateUnderTest['language'];
  readonly variables: JsonObject;
  /** The events before. */
  readonly configuration: StateConfiguration;
  /** Gets a function to call when the caller no longer waits for the outcome. */
  readonly whenGone: (listener: () => void) => void;
  /** @default - the state's own work is done */
  readonly mock?: Mock;
}

/** How a state came out. */
export interface TestedState {
  readonly completion: Completion;
  readonly inspection: Inspection;
  /** Epoch milliseconds of its end. */
  readonly endedAt: number;
}

/** Enters a state and continues until it is left, has failed, or waits for a retry. */
export class TestRun {
  readonly #ports: TestRunPorts;
  readonly #options: TestRunOptions;
  readonly #deadline: number;
  #inspection = new Inspection();
  #steps = 0;

  constructor(ports: TestRunPorts, options: TestRunOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#deadline = ports.clock.now() + TEST_MS_MAX;
  }

  async run(): Promise<TestedState> {
    const completion = await this.#run(this.#options.state);
    return { completion, inspection: this.#inspection, endedAt: this.#ports.clock.now() };
  }

  async #run(state: State): Promise<Completion> {
    const { mock, language, configuration } = this.#options;
    // A Fail has an input, and no steps that would tell of it.
    if (state.kind === 'fail' && language === 'JSONPath') {
      this.#inspection.inspect('afterInputPath', this.#options.execution.input);
    }
    if (state.kind === 'map') {
      const { made } = await this.#step((turn, inspection) =>
        completeMap(
          { turn, state, thread: this.#entered(), inspection },
          requiredIn(mock, state),
          configuration,
        ),
      );
      return made;
    }
    const begun = await this.#step(turn => enterState(turn, state, this.#entered()));
    const { made } = begun;
    const waits = made.kind === 'waiting' ? made.thread.waits : null;
    if (made.kind !== 'waiting' || !waits) return made;
    const thread = movedThread(made.thread, made.thread.previousEventId, null);
    if (state.kind === 'task' && waits.kind === 'task') return this.#finishTask(state, thread, begun.effects);
    if (state.kind === 'wait' && waits.kind === 'timer')
      return this.#finishWait(state, thread, waits.timer.due);
    if (state.kind === 'parallel' && waits.kind === 'branches') {
      const given = requiredIn(mock, state);
      const { made: completed } = await this.#step(turn =>
        given.kind === 'failed'
          ? failWithChild(turn, state, thread, given)
          : succeedWith(turn, state, thread, given.result),
      );
      return completed;
    }
    return made;
  }

  /** The thread of the state, right after its entry. */
  #entered(): Thread {
    const { execution, state, variables, configuration } = this.#options;
    const { retrierRetryCount: retryCount = 0 } = configuration;
    const entry = { state: state.name, at: execution.startedAt, eventId: 0 };
    const root = { ...rootThread(execution.input), variables };
    const retriers = 'retry' in state ? state.retry : [];
    return { ...enteredThread(root, entry), retries: retriers.map(() => retryCount), retryCount };
  }

  async #finishTask(state: TaskState, thread: Thread, effects: readonly Effect[]): Promise<Completion> {
    // A task that is offered to the workers of an activity makes none.
    const call = effects.find(effect => effect.kind === 'call');
    const result = this.#options.mock ?? (await this.#answered(requiredIn(call, state), effects));
    const { made } = await this.#step(turn => {
      switch (result.kind) {
        case 'result':
          return taskSucceeded(turn, state, thread, result.result);
        case 'failed':
          return taskFailed(turn, state, thread, result);
        case 'timed out':
          return taskTimedOut(turn, state, thread, TIMED_OUT);
        default:
          return result satisfies never;
      }
    });
    return made;
  }

  /** What a service answers, unless time is over before. */
  async #answered(call: Effect & { kind: 'call' }, effects: readonly Effect[]): Promise<Mock | TimedOut> {
    const { work } = this.#ports;
    const { resource, stateName, retryCount } = call;
    const executionArn = this.#options.execution.arn;
    const inFlight = new InFlightCall();
    const due = effects.flatMap(effect => (effect.kind === 'setTimer' ? [effect.due] : []));
    const timeout = this.#until(Math.min(this.#deadline, ...due));
    work.begin();
    const answer = answerTo(
      { resource, arguments: call.arguments, executionArn, stateName, retryCount },
      inFlight,
      this.#ports,
    ).finally(() => work.end());
    try {
      const result = await Promise.race([answer, timeout.reached]);
      if (result === undefined) {
        inFlight.abort();
        return { kind: 'timed out' };
      }
      if (result.kind === 'failed') return result;
      return { kind: 'result', result: dataOf(result.output) };
    } finally {
      timeout.cancel();
    }
  }

  async #finishWait(state: WaitState, thread: Thread, due: number): Promise<Completion> {
    await this.#until(Math.min(this.#deadline, due)).reached;
    if (due > this.#deadline) return { kind: 'failed', thread, failure: TIMED_OUT };
    const { made } = await this.#step(turn => resumeWait(turn, state, thread));
    return made;
  }

  /** A moment of the clock, which a virtual clock is moved to as it is to a timer of an execution. */
  #until(due: number): { readonly reached: Promise<undefined>; cancel(): void } {
    const { clock, work } = this.#ports;
    const withdraw = work.expect('a state that is tested');
    let cancelTimer = () => {};
    const reached = new Promise<undefined>(resolve => {
      cancelTimer = clock.at(due, () => resolve(undefined));
    });
    const cancel = () => {
      cancelTimer();
      withdraw();
    };
    this.#options.whenGone(cancel);
    return { reached: reached.finally(withdraw), cancel };
  }

  /** Makes one step of the engine; where a value is not to be had at once, again when it is there. */
  async #step(make: (turn: Turn, inspection: Inspection) => Completion): Promise<Step> {
    const { machine, execution, mock } = this.#options;
    this.#steps += 1;
    const { services, ...sources } = this.#ports;
    // A mocked call reaches no service.
    const context = new RuntimeTransitionContext(
      mock ? sources : { ...sources, services },
      () => `${execution.arn}#${this.#steps}`,
    );
    for (;;) {
      const inspection = new Inspection(this.#inspection);
      const inspected = Object.assign(context, {
        inspect: inspection.inspect.bind(inspection),
        failed: inspection.failed.bind(inspection),
        caught: inspection.caught.bind(inspection),
      });
      const turn = new Turn(machine, execution, inspected, NOT_RUN);
      try {
        const made = make(turn, inspection);
        this.#inspection = inspection;
        return { made, effects: turn.effects };
      } catch (error) {
        if (!(error instanceof NotEvaluated)) throw error;
        context.answer(await this.#ports.evaluator.evaluate(error.job, this));
      }
    }
  }
}

/** What a state must have that has been checked, or that the engine gives it. */
function requiredIn<Value>(value: Value | undefined, { name }: State): Value {
  if (value === undefined) throw new Error(`state '${name}' has neither a mock nor a call`);
  return value;
}

interface Step {
  readonly made: Completion;
  readonly effects: readonly Effect[];
}

interface TimedOut {
  readonly kind: 'timed out';
}

/** What stands within a Parallel is not run when that is tested. */
const NOT_RUN: RunThread = (_turn, thread) => ({ kind: 'waiting', thread });
