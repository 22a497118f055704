import { documentation } from '../words/documentation';

/** The documentation of each problem is its type, unless the app has pages of its own. */
export const PROBLEM_TYPE = documentation('docs/guide/http-problems.md#');

/** One kind of answer that is not a result: a problem document as of RFC 9457. */
export interface Problem {
  /** The end of the document's `type`. */
  readonly type: string;
  readonly status: number;
  readonly title: string;
  /** Whether, and in how many seconds, the same request may be sent again with hope. */
  readonly retryAfter?: number;
}

/** Every problem that the front door answers with. None says anything of the request, the account or the step. */
export const PROBLEM = {
  missingKey: { type: 'missing-key', status: 400, title: 'The request has no idempotency key.' },
  invalidKey: { type: 'invalid-key', status: 400, title: 'The idempotency key is not valid.' },
  invalidPayload: { type: 'invalid-payload', status: 400, title: 'The request body is not valid.' },
  tooLong: { type: 'too-long', status: 413, title: 'The request is too long.' },
  noPrincipal: { type: 'no-principal', status: 403, title: 'The caller could not be identified.' },
  notFound: { type: 'not-found', status: 404, title: 'The request was not found.' },
  payloadMismatch: {
    type: 'payload-mismatch',
    status: 422,
    title: 'The idempotency key was already used with another request.',
  },
  inProgress: {
    type: 'in-progress',
    status: 409,
    title: 'The first request with this idempotency key is still in progress.',
    retryAfter: 1,
  },
  stepFailed: { type: 'step-failed', status: 500, title: 'The request failed.' },
  inDoubt: {
    type: 'in-doubt',
    status: 500,
    title: 'The request was interrupted, and might have had its effect. It is not retried.',
  },
  resultUnavailable: {
    type: 'result-unavailable',
    status: 500,
    title: 'The request was processed, but its result is not available.',
  },
  foreignRecord: {
    type: 'foreign-record',
    status: 500,
    title: 'The idempotency key was already used for a different operation. Contact the operator of the API.',
  },
  notStarted: {
    type: 'not-started',
    status: 503,
    title: 'The request could not be started. Send it again with the same idempotency key.',
    retryAfter: 5,
  },
  outcomeUnknown: {
    type: 'outcome-unknown',
    status: 503,
    title: 'The outcome of the request is not known yet. Send it again with the same idempotency key.',
    retryAfter: 5,
  },
} as const satisfies Readonly<Record<string, Problem>>;

/** What API Gateway rejects before the front door sees it. */
export const REJECTED = {
  type: 'rejected',
  title: 'The request was rejected before it reached the service. Nothing was processed.',
} as const;

/** The JSON text of a problem document. Its `type` begins with `base`; `members` come behind its own, or replace them. */
export function problemDocument(
  base: string,
  problem: Pick<Problem, 'type' | 'title'> & Partial<Problem>,
  members: Readonly<Record<string, unknown>> = {},
): string {
  const { type, title, status } = problem;
  return JSON.stringify({ type: base + type, title, status, ...members });
}
