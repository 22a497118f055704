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
  if (typeof (value as { readonly then?: unknown } | null | undefined)?.then !== 'function') return value;
  throw new ExploreError(`${what} returns a promise; it must return its answer directly`);
}
