/**
 * A value that is there, or will be. Evaluating is at once for almost every expression, and a promise for each step of
 * the way would cost more than the steps.
 */
export type Soon<Value> = Value | Promise<Value>;

/** Goes on with a value when it is there: now, if it is. */
export function whenThere<Value, Next>(value: Soon<Value>, goOn: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
