/**
 * What a value was at each point of a history: a point is a count of events, and a value holds until the next one is
 * set. Points only grow.
 */
export class Versions<Value> {
  readonly #points: number[] = [];
  readonly #values: Value[] = [];

  constructor(point: number, value: Value) {
    this.set(point, value);
  }

  /** The value as it is now. */
  get last(): Value {
    return this.#values[this.#values.length - 1] as Value;
  }

  /** The value from this point on. */
  set(point: number, value: Value): void {
    const isSame = this.#points.at(-1) === point;
    if (!isSame) this.#points.push(point);
    this.#values[this.#points.length - 1] = value;
  }

  /** The value at a point; undefined before the first. */
  at(point: number): Value | undefined {
    // Most values have few versions, and most questions are about the end.
    let low = 0;
    let high = this.#points.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#points[middle] ?? 0) <= point) low = middle + 1;
      else high = middle;
    }
    return this.#values[low - 1];
  }
}
