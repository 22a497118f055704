import { InFlightCall } from './answer';

/**
 * The timers that are set and the calls that are in flight for one execution.
 *
 * Most executions never have a timer, nor more than one call at a time, so the lists are made when they are needed.
 */
export class InFlight {
  #timers: Map<string, () => void> | undefined;
  #taskId: string | undefined;
  #call: InFlightCall | undefined;
  /** The calls beside that one. */
  #others: Map<string, InFlightCall> | undefined;

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
    const call = new InFlightCall();
    if (this.#call && this.#taskId !== taskId) {
      this.#others ??= new Map();
      this.#others.set(taskId, call);
    } else {
      this.#taskId = taskId;
      this.#call = call;
    }
    return call;
  }

  isWaitedFor(taskId: string, call: InFlightCall): boolean {
    return this.#callOf(taskId) === call;
  }

  /** The call has its answer. False when the execution did not wait for it any more. */
  endCall(taskId: string): boolean {
    if (!this.#call || this.#taskId !== taskId) return this.#others?.delete(taskId) ?? false;
    this.#call = undefined;
    return true;
  }

  /** Aborts a call whose answer the execution does not wait for any more. */
  abandonCall(taskId: string): void {
    this.#callOf(taskId)?.abort();
    this.endCall(taskId);
  }

  /** Aborts all calls and cancels all timers. */
  abandon(): void {
    this.#call?.abort();
    for (const call of this.#others?.values() ?? []) call.abort();
    this.detach();
  }

  #callOf(taskId: string): InFlightCall | undefined {
    return this.#call && this.#taskId === taskId ? this.#call : this.#others?.get(taskId);
  }

  /** Cancels all timers and ignores the answers of all calls, without aborting the calls: their work goes on. */
  detach(): void {
    for (const cancel of this.#timers?.values() ?? []) cancel();
    this.#timers = undefined;
    this.#call = undefined;
    this.#others = undefined;
  }
}
