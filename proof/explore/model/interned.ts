/** Numbers for values: equal values, by their JSON text, get the same one. */
export class Interned<Value extends object> {
  readonly #values: Value[] = [];
  readonly #numbers = new Map<string, number>();
  // Most values come again as the very same object: their text need not be made again.
  readonly #known = new WeakMap<Value, number>();

  numberOf(value: Value): number {
    const met = this.#known.get(value);
    if (met !== undefined) return met;
    const number = this.#numberOfText(value);
    this.#known.set(value, number);
    return number;
  }

  #numberOfText(value: Value): number {
    const text = JSON.stringify(value);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#values.length);
    return this.#values.push(value) - 1;
  }

  /** The value of a number that was given out here. */
  get(number: number): Value {
    const value = this.#values[number];
    if (value === undefined) throw new Error(`nothing has the number ${number}`);
    return value;
  }

  get size(): number {
    return this.#values.length;
  }
}
