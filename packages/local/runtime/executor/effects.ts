import type { Effect, Signal } from '../../engine/index';
import type { Json } from '../../json/json';
import { withAnswerTo } from '../calls/answer';
import { callbackSignal, resultSignal } from '../calls/call-signals';
import type { JobResult, ServiceCall, ServiceResult } from '../calls/service';
import { EventLoopTurns } from '../time/event-loop-turns';
import type { PendingCall } from './pending-work';
import type { Ports } from './ports';
import type { RunningExecution } from './running-execution';

/** Performs the effects of transitions. */
export class Effects {
  readonly #ports: Ports;
  readonly #submit: (run: RunningExecution, signal: Signal) => void;
  readonly #ended: (run: RunningExecution) => void;
  readonly #turns = new EventLoopTurns();
  /** What ends pauses, first one first. */
  readonly #pauses: (() => void)[] = [];

  /** `submit` hands a signal to the execution, `ended` forgets one that has ended. */
  constructor(
    ports: Ports,
    submit: (run: RunningExecution, signal: Signal) => void,
    ended: (run: RunningExecution) => void,
  ) {
    this.#ports = ports;
    this.#submit = submit;
    this.#ended = ended;
  }

  perform(run: RunningExecution, effect: Effect): void {
    switch (effect.kind) {
      case 'call':
        this.#call(run, effect);
        return;
      case 'scheduleActivity':
        this.#scheduleActivity(run, effect);
        return;
      case 'readItems':
      case 'runChildren':
        this.#mapRun(run, effect);
        return;
      case 'limitMapRun':
        this.#ports.mapRuns.limit(effect.run);
        return;
      case 'abandon':
        run.inFlight.abandonCall(effect.taskId);
        return;
      case 'setTimer':
        this.#setTimer(run, effect);
        return;
      case 'cancelTimer':
        run.inFlight.cancelTimer(effect.timerId);
        return;
      case 'pause':
        this.#pause(run, effect.pauseId);
        return;
      case 'ended':
        this.#ended(run);
        return;
      default: {
        const never: never = effect;
        throw new Error(`an unknown effect: ${JSON.stringify(never)}`);
      }
    }
  }

  /** Waits again for the result of a job that was accepted. False where there is no such job, or no way to find it. */
  rejoin(run: RunningExecution, { taskId, resource, submittedEventId = 0 }: PendingCall): boolean {
    const service = this.#ports.services.get(resource);
    const submitted = this.#ports.store.find(run.execution.arn)?.history[submittedEventId - 1];
    const output = submitted?.output;
    if (!service?.rejoin || output === undefined) return false;
    const inFlightCall = run.inFlight.beginCall(taskId);
    this.#finish(run, taskId, service.rejoin(JSON.parse(output) as Json, inFlightCall.signal));
    return true;
  }

  #scheduleActivity(
    run: RunningExecution,
    { taskId, activityArn, stateName, retryCount, input }: Effect & { kind: 'scheduleActivity' },
  ): void {
    const executionArn = run.execution.arn;
    const call = run.inFlight.beginCall(taskId);
    const task = { resource: activityArn, arguments: JSON.parse(input) as Json, executionArn, stateName };
    const mocked = this.#ports.mockedActivity?.({ ...task, retryCount });
    if (mocked === undefined) {
      const withdraw = this.#ports.activityTasks.offer(activityArn, { executionArn, taskId, input });
      call.signal.addEventListener('abort', withdraw);
      return;
    }
    const { work } = this.#ports;
    work.begin();
    this.#turns.run(() => {
      if (run.inFlight.isWaitedFor(taskId, call)) {
        run.inFlight.endCall(taskId);
        this.#submit(run, { kind: 'activityStarted', taskId });
        this.#submit(run, resultSignal(taskId, mocked));
      }
      work.end();
    });
  }

  #mapRun(run: RunningExecution, effect: Effect & { kind: 'readItems' | 'runChildren' }): void {
    const { taskId } = effect;
    const { machine, inFlight } = run;
    const call = inFlight.beginCall(taskId);
    this.#ports.mapRuns.perform(effect, {
      executionArn: run.execution.arn,
      machine,
      abort: call.signal,
      answer: signal => {
        if (!inFlight.isWaitedFor(taskId, call)) return;
        inFlight.endCall(taskId);
        this.#submit(run, signal);
      },
    });
  }

  #setTimer(run: RunningExecution, { timerId, due }: Effect & { kind: 'setTimer' }): void {
    const fire = () => {
      run.inFlight.fired(timerId);
      this.#submit(run, { kind: 'timerDue', timerId });
    };
    run.inFlight.addTimer(timerId, this.#ports.clock.at(due, fire));
  }

  /**
   * After the timers that are due and the input that has arrived, which waited while states followed each other. One
   * pause ends in a turn of the event loop: each of forty iterations that pause may go on for as long as a turn takes.
   */
  #pause(run: RunningExecution, pauseId: string): void {
    const { work } = this.#ports;
    work.begin();
    this.#pauses.push(() => {
      this.#submit(run, { kind: 'pauseEnded', pauseId });
      work.end();
    });
    if (this.#pauses.length === 1) setImmediate(() => this.#endPause());
  }

  #endPause(): void {
    const end = this.#pauses[0];
    end?.();
    this.#pauses.shift();
    if (this.#pauses.length > 0) setImmediate(() => this.#endPause());
  }

  #call(run: RunningExecution, effect: Effect & { kind: 'call' }): void {
    const { taskId, resource, retryCount, stateName, isCallback } = effect;
    const { work } = this.#ports;
    const inFlightCall = run.inFlight.beginCall(taskId);
    const executionArn = run.execution.arn;
    const made = { resource, arguments: effect.arguments, executionArn, stateName, retryCount };
    const call: ServiceCall = isCallback ? { ...made, isCallback } : made;
    work.begin();
    // Before the call: one that starts an execution starts whatever that one calls.
    this.#turns.run(() => {
      // It may have been stopped, or have timed out, before its turn.
      if (!run.inFlight.isWaitedFor(taskId, inFlightCall)) {
        work.end();
        return;
      }
      void withAnswerTo(call, inFlightCall, this.#ports, result => {
        if (run.inFlight.isWaitedFor(taskId, inFlightCall)) this.#accept(run, effect, result);
        work.end();
      });
    });
  }

  /** Applies an answer. A job's call stays in flight until the job has ended; a callback's ends with the answer. */
  #accept(
    run: RunningExecution,
    { taskId, isCallback }: Effect & { kind: 'call' },
    result: ServiceResult,
  ): void {
    if (result.kind !== 'submitted') {
      run.inFlight.endCall(taskId);
      this.#submit(run, isCallback ? callbackSignal(taskId, result) : resultSignal(taskId, result));
      return;
    }
    this.#submit(run, { kind: 'taskSubmitted', taskId, output: result.output });
    this.#finish(run, taskId, result.result);
  }

  #finish(run: RunningExecution, taskId: string, result: Promise<JobResult>): void {
    void result.then(job => {
      if (run.inFlight.endCall(taskId)) this.#submit(run, resultSignal(taskId, job));
    });
  }
}
