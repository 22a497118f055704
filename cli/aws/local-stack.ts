/** The answer of a stack on this machine to an operation of its own. */
export type LocalAnswer =
  | { readonly kind: 'answer'; readonly content: unknown }
  | { readonly kind: 'rejected'; readonly message: string }
  /** Nothing answers at the address, or it is another emulator, which does not know the operation. */
  | { readonly kind: 'absent' };

/** Calls an operation that no service of AWS has: it needs no signature. */
export async function callLocalStack(
  endpoint: string,
  operation: 'ListRepeatedStarts' | 'DescribeSources' | 'Send',
  request: object = {},
): Promise<LocalAnswer> {
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `OnceflowLocal.${operation}`,
  };
  const sent = fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(request) });
  const answer = await sent.catch(() => undefined);
  const content: unknown = await answer?.json().catch(() => undefined);
  if (answer?.ok) return { kind: 'answer', content };
  const { __type: type, message } = (content ?? {}) as {
    readonly __type?: unknown;
    readonly message?: unknown;
  };
  const isOurs = typeof type === 'string' && type.endsWith('InvalidRequestContentException');
  return isOurs ? { kind: 'rejected', message: String(message) } : { kind: 'absent' };
}
