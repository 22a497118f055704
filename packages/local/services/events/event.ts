import { tooDeepAt } from '../../json/depth';
import { isJsonObject, type JsonObject, jsonOr } from '../../json/json';

/**
 * An event as EventBridge hands it to rules and targets, members in AWS's order.
 *
 * @example
 * const isOrder = (event: EventEnvelope) => event.source === 'shop.orders';
 */
export type EventEnvelope = {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  /** ISO 8601, whole seconds, UTC. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: JsonObject;
};

/** One entry of a PutEvents request whose members have the right types; what they say is checked by `formEvent`. */
export interface EventEntry {
  readonly source?: string;
  readonly detailType?: string;
  /** JSON text. */
  readonly detail?: string;
  /** Epoch milliseconds. */
  readonly time?: number;
  readonly resources?: readonly string[];
  /** Name or ARN. */
  readonly eventBusName?: string;
}

/** What EventBridge adds to an entry to make it an event. */
export interface EventOrigin {
  /** Called once, and only for an entry that becomes an event. */
  newId(): string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly region: string;
  readonly account: string;
}

/** An entry as an event, or AWS's reason not to take it. */
export type FormedEvent =
  | { readonly kind: 'event'; readonly event: EventEnvelope }
  | { readonly kind: 'rejected'; readonly code: string; readonly message: string };

/** Deeper `Detail`s are malformed: the bound of the JSON parser AWS uses. It also bounds our own recursion. */
const DETAIL_DEPTH_MAX = 1_000;

/**
 * Makes an event of a PutEvents entry.
 *
 * Missing members are reported first (Source, DetailType, Detail in this order; empty counts as missing), then
 * sources reserved to AWS, then a `Detail` that is not the text of a JSON object. The entry's `time` stays, cut to
 * seconds.
 */
export function formEvent(entry: EventEntry, origin: EventOrigin): FormedEvent {
  const { source, detailType, detail } = entry;
  if (!source) return missing('Source');
  if (!detailType) return missing('DetailType');
  if (!detail) return missing('Detail');
  if (source.startsWith('aws.'))
    return {
      kind: 'rejected',
      code: 'NotAuthorizedForSourceException',
      message: 'Not authorized for the source.',
    };
  const parsed = parseDetail(detail);
  if (parsed === undefined)
    return { kind: 'rejected', code: 'MalformedDetail', message: 'Detail is malformed.' };

  const event: EventEnvelope = {
    version: '0',
    id: origin.newId(),
    'detail-type': detailType,
    source,
    account: origin.account,
    time: isoSeconds(entry.time ?? origin.now),
    region: origin.region,
    resources: entry.resources ?? [],
    detail: parsed,
  };
  return { kind: 'event', event };
}

/** The event that EventBridge sends to the targets of a rule whose time has come. */
export function scheduledEvent(ruleArn: string, origin: EventOrigin): EventEnvelope {
  return {
    version: '0',
    id: origin.newId(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: origin.account,
    time: isoSeconds(origin.now),
    region: origin.region,
    resources: [ruleArn],
    detail: {},
  };
}

function missing(member: string): FormedEvent {
  const message = `Parameter ${member} is not valid. Reason: ${member} is a required argument.`;
  return { kind: 'rejected', code: 'InvalidArgument', message };
}

function parseDetail(text: string): JsonObject | undefined {
  if (tooDeepAt(text, DETAIL_DEPTH_MAX) !== undefined) return undefined;
  const parsed = jsonOr(text, undefined);
  return isJsonObject(parsed) ? parsed : undefined;
}

function isoSeconds(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
