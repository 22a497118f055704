/**
 * A definition that cannot be explored, or a request of it that nothing can answer: what is wrong, and what to do.
 *
 * @example
 * expect(() => explore(options)).toThrow(ExploreError);
 */
export class ExploreError extends Error {
  override readonly name = 'ExploreError';
}

/** @throws ExploreError for a promise: a search does not wait for what it asks so often, and would take it for a yes */
export function atOnce<Value>(value: Value, what: string): Value {
  const promise = value as { readonly then?: unknown } | null | undefined;
  if (typeof promise?.then !== 'function') return value;
  // Its failure would end the process with a stack trace.
  promise.then(undefined, () => undefined);
  throw new ExploreError(`${what} returns a promise; it must return its answer directly`);
}
