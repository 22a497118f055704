import type { Json, JsonObject } from '../../../json/json';
import { type EventEntry, type EventOrigin, formEvent } from '../event';

/** An event on a custom event bus: what was published, and what stands beside it. All system metadata are texts. */
export interface CustomEvent {
  readonly Data: Json;
  readonly Metadata: JsonObject;
  readonly SystemMetadata: {
    readonly 'aws:EventId': string;
    readonly 'aws:IngestionTime': string;
    readonly [name: string]: string;
  };
}

/** What a dead letter says of the events of a delivery, which it does not contain. */
export interface SubscriberBatch {
  readonly busArn: string;
  readonly messages: readonly { readonly eventId: string; readonly timestamp: string }[];
}

/** An entry of PutEvents as an event, or why it is none. */
export type FormedCustomEvent =
  | { readonly kind: 'event'; readonly event: CustomEvent }
  | { readonly kind: 'rejected'; readonly message: string };

/** Makes an event of an entry of PutEvents: the envelope is that of a classic event. `number` counts the events. */
export function formCustomEvent(entry: EventEntry, origin: EventOrigin, number: number): FormedCustomEvent {
  const formed = formEvent({ ...entry, detail: entry.detail ?? '{}' }, origin);
  if (formed.kind === 'rejected') return { kind: 'rejected', message: formed.message };
  const { source, 'detail-type': detailType } = formed.event;
  return {
    kind: 'event',
    event: {
      Data: formed.event,
      Metadata: {},
      SystemMetadata: {
        ContentType: 'application/eventbridge+json',
        'aws:EventId': origin.newId(),
        'aws:Source': source,
        'aws:DetailType': detailType,
        'aws:DeliveryType': 'LIVE',
        'aws:IngestionTime': new Date(origin.now).toISOString(),
        'aws:SequenceNumber': String(number),
      },
    },
  };
}
