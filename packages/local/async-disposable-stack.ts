/**
 * The opened resources, closed in the opposite order: the part of the class of this name in ECMAScript that is needed
 * here. Node.js 20 has none.
 */
export class AsyncDisposableStack {
  readonly #disposals: (() => void | Promise<void>)[] = [];

  /** Adds an action for the disposal of the stack. */
  defer(onDispose: () => void | Promise<void>): void {
    this.#disposals.push(onDispose);
  }

  /** Adds a value with what closes it, and answers the value. */
  adopt<Value>(value: Value, onDispose: (value: Value) => void | Promise<void>): Value {
    this.defer(() => onDispose(value));
    return value;
  }

  /** Closes everything, once. If one close fails, the rest is closed before the error is thrown. */
  async disposeAsync(): Promise<void> {
    const failures: unknown[] = [];
    for (let dispose = this.#disposals.pop(); dispose; dispose = this.#disposals.pop()) {
      try {
        await dispose();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
