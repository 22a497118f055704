/** The root of an invocation's trace: with a made-up time, for nothing is traced, and otherwise as X-Ray writes it. */
export function traceRoot(requestId: string): string {
  return `1-00000000-${digitsOf(requestId).slice(0, 24)}`;
}

/** What Lambda puts into `_X_AMZN_TRACE_ID` for an invocation, and SDKs send along with every request it makes. */
export function traceHeader(requestId: string): string {
  return `Root=${traceRoot(requestId)};Parent=${digitsOf(requestId).slice(16)};Sampled=0`;
}

function digitsOf(requestId: string): string {
  return requestId.replace(/[^0-9a-f]/g, '').padEnd(32, '0');
}
