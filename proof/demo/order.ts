import { keyText } from '../../state-machine/contract/index';

/** The order of an event, with the members that the demo needs to judge the outcome. */
export interface OrderOf {
  /** The idempotency key's text; undefined where the event has none. */
  readonly key: string | undefined;
  /** Whether a payment provider could charge it: an amount above zero and up to 10^12, a three-letter currency. */
  readonly isChargeable: boolean;
}

/** Reads an event's detail. The demo's own judgement, made without the workflow it is to judge. */
export function orderOf(detail: Readonly<Record<string, unknown>>): OrderOf {
  const { amount, currency } = detail;
  const key = keyText(detail['orderId']);
  return {
    key: key.kind === 'key' ? key.text : undefined,
    isChargeable:
      typeof amount === 'number' &&
      amount > 0 &&
      amount <= 1e12 &&
      typeof currency === 'string' &&
      /^[A-Z]{3}$/.test(currency),
  };
}

/** One text for equal details, in whatever order their members come: what starts an execution may sort them. */
export function detailText(detail: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(detail, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
