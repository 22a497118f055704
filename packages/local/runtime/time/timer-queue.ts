/** An action with the time at which it is due. */
export interface ScheduledAction {
  /** Epoch milliseconds. */
  readonly due: number;
  /** Order among actions due at the same time. */
  readonly sequence: number;
  readonly action: () => void;
}

/** Actions in the order (due, sequence): a binary heap, so that many thousand timers stay cheap. */
export class TimerQueue {
  readonly #heap: ScheduledAction[] = [];
  readonly #removed = new Set<ScheduledAction>();

  add(scheduled: ScheduledAction): void {
    this.#heap.push(scheduled);
    this.#rise(this.#heap.length - 1);
  }

  /** Removal is remembered and carried out when the action comes up. */
  remove(scheduled: ScheduledAction): void {
    this.#removed.add(scheduled);
  }

  first(): ScheduledAction | undefined {
    for (let top = this.#heap[0]; top && this.#removed.delete(top); top = this.#heap[0]) this.#pop();
    return this.#heap[0];
  }

  /** Removes the first action and returns it. */
  take(): ScheduledAction | undefined {
    const first = this.first();
    if (first) this.#pop();
    return first;
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (!last || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfBefore(at, parent)) return;
      at = parent;
    }
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const left = 2 * at + 1;
      const right = left + 1;
      const child = this.#isBefore(right, left) ? right : left;
      if (!this.#swapIfBefore(child, at)) return;
      at = child;
    }
  }

  #swapIfBefore(lower: number, upper: number): boolean {
    const [a, b] = [this.#heap[lower], this.#heap[upper]];
    if (!a || !b || !this.#isBefore(lower, upper)) return false;
    this.#heap[lower] = b;
    this.#heap[upper] = a;
    return true;
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (!a || !b) return false;
    return isBefore(a, b);
  }
}

/** Whether an action comes before another. */
export function isBefore(a: ScheduledAction, b: ScheduledAction): boolean {
  return a.due < b.due || (a.due === b.due && a.sequence < b.sequence);
}
