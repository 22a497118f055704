import type { Expectation, Request } from '../conversation';

/** The payments. */
export const ORDER = { orderId: 'order-1', amount: 12.5, currency: 'EUR' };

/** A payment with a key, and what differs of it. */
export function pay(
  key: string | undefined,
  more: Partial<Request> & { readonly step?: object } = {},
): Request {
  const { step, headers, ...rest } = more;
  return {
    method: 'POST',
    path: '/payments',
    headers: {
      'Content-Type': 'application/json',
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...headers,
    },
    body: { ...ORDER, ...(step && { step }) },
    ...rest,
  };
}

/** The first answer to a payment. */
export const FIRST: Expectation = {
  status: 200,
  headers: { 'Content-Type': 'application/json', 'Idempotent-Replayed': '<absent>' },
  bodyEquals: { chargeId: '<any>', ...ORDER },
};
/** The answer of that index again. */
export const replayOf = (sameAs: number): Expectation => ({
  status: 200,
  headers: { 'Content-Type': 'application/json', 'Idempotent-Replayed': 'true' },
  sameAs,
});
/** A problem document of this type, which tells nothing of the request. */
export const problem = (status: number, problemType: string): Expectation => ({
  status,
  problemType,
  headers: { 'Idempotent-Replayed': '<absent>' },
  bodyExcludes: ['arn:', 'order-1'],
});
/** The same, with when to come again. */
export const later = (status: number, problemType: string): Expectation => ({
  ...problem(status, problemType),
  headers: { 'Retry-After': '<any>' },
});
/** Not done yet, and where to ask. */
export const ACCEPTED: Expectation = { status: 202, headers: { Location: '<any>', 'Retry-After': '<any>' } };
