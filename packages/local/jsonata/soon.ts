/**
 * A value, or a promise of it. Almost every expression is evaluated at once, and a promise for each step of the way
 * would cost more than the steps.
 */
export type Soon<Value> = Value | Promise<Value>;

/** Calls `goOn` with a value: at once, or when its promise has resolved. */
export function whenThere<Value, Next>(value: Soon<Value>, goOn: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
