import { createHash } from 'node:crypto';

/** What the workflow gives its step; `input` is the event with the order. */
interface StepInput {
  readonly idempotencyKey: string;
  readonly input: {
    readonly detail: { readonly orderId: unknown; readonly card: unknown; readonly amountCents: unknown };
  };
}

/** How the provider has decided. No is an answer as well, and is kept: under this key it will say no again. */
type Decision =
  | { readonly status: 'charged'; readonly chargeId: string }
  | { readonly status: 'declined'; readonly reason: string };

/**
 * Shorter than the function's timeout: the step distinguishes a provider that does not answer from a step that hangs.
 */
const PROVIDER_TIMEOUT_MS = 10_000;

/**
 * Charges the card of an order.
 *
 * @throws ProviderBusy if the provider has not begun, or works on this key; ProviderUnreachable if that is unknown:
 * call again in both cases ChargeRejected if the request is wrong, which no repetition fixes.
 */
export async function handler({ idempotencyKey, input }: StepInput): Promise<Decision> {
  const { orderId, card, amountCents } = input.detail;
  const { status, body } = await post(idempotencyKey, { reference: orderId, card, amountCents });
  if (status === 201) return { status: 'charged', chargeId: String(body['chargeId']) };
  if (status === 402) return { status: 'declined', reason: String(body['reason']) };
  if (status === 409 || status === 429 || status >= 500) {
    throw named('ProviderBusy', `the provider answered ${status}`);
  }
  throw named('ChargeRejected', `the provider answered ${status}: ${body['reason'] ?? ''}`);
}

async function post(idempotencyKey: string, charge: object) {
  try {
    const response = await fetch(`${process.env['PROVIDER_URL']}/charges`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': providerKey(idempotencyKey) },
      body: JSON.stringify(charge),
      signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
    });
    const body = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
    return { status: response.status, body };
  } catch (error) {
    throw named('ProviderUnreachable', error instanceof Error ? error.message : String(error));
  }
}

/**
 * The provider's key for a key of the workflow, 64 characters: a header holds no more than Latin letters, and providers
 * take keys of limited length. `attempt` is not part of it, or a second run would be a second charge.
 */
function providerKey(idempotencyKey: string): string {
  return createHash('sha256').update(idempotencyKey).digest('hex');
}

/** The workflow's error is the error's name. */
function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
