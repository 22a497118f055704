import { InFlightCall } from './answer';

/**
 * The timers that are set and the calls that are in flight for one execution.
 *
 * Most executions never have a timer, so the lists are made when they are needed.
 */
export class InFlight {
  #timers: Map<string, () => void> | undefined;
  #calls: Map<string, InFlightCall> | undefined;

  /** Remembers how a timer is cancelled, until it fires or is cancelled. */
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

  /** A call whose answer the execution waits for from now on. */
  beginCall(taskId: string): InFlightCall {
    this.#calls ??= new Map();
    const call = new InFlightCall();
    this.#calls.set(taskId, call);
    return call;
  }

  isWaitedFor(taskId: string, call: InFlightCall): boolean {
    return this.#calls?.get(taskId) === call;
  }

  /** The call has its answer. False when the execution did not wait for it any more. */
  endCall(taskId: string): boolean {
    return this.#calls?.delete(taskId) ?? false;
  }

  /** Aborts a call whose answer the execution does not wait for any more. */
  abandonCall(taskId: string): void {
    this.#calls?.get(taskId)?.abort();
    this.#calls?.delete(taskId);
  }

  /** Aborts all calls and cancels all timers. */
  abandon(): void {
    for (const call of this.#calls?.values() ?? []) call.abort();
    this.detach();
  }

  /** Cancels all timers and ignores the answers of all calls, without aborting the calls: their work goes on. */
  detach(): void {
    for (const cancel of this.#timers?.values() ?? []) cancel();
    this.#timers = undefined;
    this.#calls = undefined;
  }
}
