import type { JsonObject } from '../../../json/json';
import type { EventEnvelope } from '../../../services/events/event';

/** An event with everything filled in; give what a test is about. */
export function sampleEvent(given: Partial<EventEnvelope> = {}): EventEnvelope {
  return {
    version: '0',
    id: '7bf73129-1428-4cd3-a780-95db273d1602',
    'detail-type': 'Order placed',
    source: 'shop.orders',
    account: '123456789012',
    time: '2026-03-04T05:06:07Z',
    region: 'eu-central-1',
    resources: ['arn:aws:s3:::orders'],
    detail: { orderId: 'o-1', total: 30 },
    ...given,
  };
}

/** An event that differs in its detail only. */
export function eventWith(detail: JsonObject): EventEnvelope {
  return sampleEvent({ detail });
}
