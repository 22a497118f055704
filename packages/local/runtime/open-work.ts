import { CallInFlight } from './answer';

/**
 * The timers that are set and the calls that are in flight for one execution.
 *
 * Most executions never have a timer, so the lists are made when they are needed.
 */
export class OpenWork {
  #timers: Map<string, () => void> | undefined;
  #calls: Map<string, CallInFlight> | undefined;

  /** Keeps how a timer is cancelled, until it fires or is not wanted any more. */
  addTimer(timerId: string, cancel: () => void): void {
    this.#timers ??= new Map();
    this.#timers.set(timerId, cancel);
  }

  /** Forgets a timer that has fired. */
  fired(timerId: string): void {
    this.#timers?.delete(timerId);
  }

  cancelTimer(timerId: string): void {
    this.#timers?.get(timerId)?.();
    this.#timers?.delete(timerId);
  }

  /** A call that is waited for from now on. */
  beginCall(taskId: string): CallInFlight {
    this.#calls ??= new Map();
    const inFlight = new CallInFlight();
    this.#calls.set(taskId, inFlight);
    return inFlight;
  }

  isWaitedFor(taskId: string, inFlight: CallInFlight): boolean {
    return this.#calls?.get(taskId) === inFlight;
  }

  /** The call has its answer. False when nobody waited for it any more. */
  endCall(taskId: string): boolean {
    return this.#calls?.delete(taskId) ?? false;
  }

  /** Gives a call up: whoever answers it is told. */
  abandonCall(taskId: string): void {
    this.#calls?.get(taskId)?.abort();
    this.#calls?.delete(taskId);
  }

  /** Gives everything up. */
  abandon(): void {
    for (const inFlight of this.#calls?.values() ?? []) inFlight.abort();
    this.letGo();
  }

  /** Forgets everything. The work goes on, since nobody gave it up, but no answer counts and no timer fires. */
  letGo(): void {
    for (const cancel of this.#timers?.values() ?? []) cancel();
    this.#timers = undefined;
    this.#calls = undefined;
  }
}
