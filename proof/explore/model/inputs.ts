import { isJsonObject, type Json, type JsonObject } from '../../../packages/local/json/json';

/** By its amount one payload differs from another. */
const AMOUNT = 12;

/** The order that is explored, unless a subject has another one. */
const ORDER = 'order-7';

/** The one order that is explored, as a delivery brings it. `payload` 0 is the first delivery's. */
export function eventOf(delivery: number, payload: number, orderId = ORDER): Json {
  const event = { id: eventName(delivery), time: '2026-11-20T09:00:00Z', source: 'shop.orders' };
  return { ...event, 'detail-type': 'OrderPlaced', detail: orderOf(payload, orderId) };
}

/** The same as a dispatcher of a list takes it; its place differs in each delivery of the list. */
export function recordOf(record: Json, place: number): JsonObject {
  return { record, place };
}

/** What the workflow is started with directly: the same without what differs between deliveries, plus a flat form. */
export function inputOf(payload: number, orderId = ORDER): Json {
  const detail = orderOf(payload, orderId);
  const flat = { id: orderId, amount: detail.amount, source: 'shop.orders' };
  return { ...flat, 'detail-type': 'OrderPlaced', detail };
}

function orderOf(payload: number, orderId: string) {
  return { orderId, amount: AMOUNT + payload, currency: 'EUR' };
}

/** The name that a delivery gives the execution that it starts directly: one of its own. */
export function directName(delivery: number): string {
  return `direct-${delivery}`;
}

/** The name of an execution that a dispatcher waits for: the first, or a later one, for a delivery. */
export function runName(delivery: number, order: number): string {
  return order === 1 ? directName(delivery) : `${directName(delivery)}-${order}`;
}

/** For which delivery such an execution is, and which one of these it is; undefined for another execution. */
export function runOrder(name: string): { readonly delivery: number; readonly order: number } | undefined {
  const [, delivery, order = 1] = /^direct-(\d+)(?:-(\d+))?$/.exec(name) ?? [];
  return delivery === undefined ? undefined : { delivery: Number(delivery), order: Number(order) };
}

/** The name of the dispatcher's execution for a delivery: its event's. */
export function eventName(delivery: number): string {
  return `event-${delivery}`;
}

/** The order as a request by HTTP, as API Gateway gives it to the front door: its body is what the workflow gets. */
export function requestOf(payload: number, orderId = ORDER): Json {
  return { ...REQUEST, body: JSON.stringify(inputOf(payload, orderId)) };
}

/** A request for the answer of an accepted one, at the `location` of that. */
export function questionAt(location: string): Json {
  return { ...REQUEST, asked: location.split('/').at(-1) ?? '' };
}

const REQUEST = { url: '/prod/orders', principal: '', headers: [], path: [], query: [] };

/** The name of the front door's execution for a delivery. */
export function requestName(delivery: number): string {
  return `request-${delivery}`;
}

/** The name of the front door's execution that asks what has become of a delivery. */
export function questionName(delivery: number): string {
  return `question-${delivery}`;
}

/** A text in which deliveries have other numbers, wherever it names what one has brought or started. */
export function renumberedIn(text: string, numberOf: (delivery: number) => number): string {
  return text.replace(
    /\b(direct|event|request|question)-(\d+)\b/g,
    (_, what, number) => `${what}-${numberOf(Number(number))}`,
  );
}

/** Which payload an input has. */
export function payloadOf(input: Json): number {
  const { record = input } = isJsonObject(input) ? input : {};
  const detail = isJsonObject(record) ? record['detail'] : undefined;
  return (isJsonObject(detail) ? Number(detail['amount']) : Number.NaN) - AMOUNT;
}
