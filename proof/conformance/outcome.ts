import type { Difference } from './compare/difference';

/** How a case came out. */
export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly difference: Difference }
  /** The reason names what is not there: a service, a query language, an operation. */
  | { readonly kind: 'skipped'; readonly reason: string };

/** The outcome of a comparison. */
export function outcomeOf(difference: Difference | undefined): Outcome {
  return difference ? { kind: 'failed', difference } : { kind: 'passed' };
}

/** The failure of a case that did not get as far as a comparison. */
export function failedBecause(message: string, path = '/'): Outcome {
  return { kind: 'failed', difference: { path, message } };
}

/** The case needs something that is not there. */
export function skippedFor(reason: string): Outcome {
  return { kind: 'skipped', reason };
}
