/**
 * What was opened so far, to be closed in the opposite order: as much of the class of this name in ECMAScript as is
 * needed here. Node.js 20 has none.
 */
export class AsyncDisposableStack {
  readonly #disposals: (() => void | Promise<void>)[] = [];

  /** Adds what is to be done when the stack is disposed of. */
  defer(onDispose: () => void | Promise<void>): void {
    this.#disposals.push(onDispose);
  }

  /** Adds a value with what closes it, and answers the value. */
  adopt<Value>(value: Value, onDispose: (value: Value) => void | Promise<void>): Value {
    this.defer(() => onDispose(value));
    return value;
  }

  /** Closes everything, once. Where closing something fails, the rest is closed before that is thrown. */
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
