import type { Clock } from '../../../runtime/time/clock';
import { createEventBuses, type EventDeliveries } from '../../../services/events/buses';
import type { EventEntry } from '../../../services/events/event';
import type { EventRule } from '../../../services/events/rules';
import { sampleEvent } from './sample-event';

const NOW = Date.parse('2026-03-04T05:06:07Z');
const CLOCK: Clock = { now: () => NOW, at: () => () => undefined };
const ENTRY: EventEntry = { source: 'shop.orders', detailType: 'Order placed', detail: '{"orderId":"o-1"}' };

function rule(name: string, given: Partial<EventRule> = {}): EventRule {
  return {
    arn: `arn:aws:events:eu-central-1:123456789012:rule/${name}`,
    name,
    eventBusName: 'default',
    pattern: { source: ['shop.orders'] },
    enabled: true,
    targets: [{ id: 't', arn: `arn:target:${name}` }],
    ...given,
  };
}

function open(rules: readonly EventRule[], given: Partial<EventDeliveries> = {}) {
  const delivered: [arn: string, input: string][] = [];
  let ids = 0;
  const buses = createEventBuses({
    buses: ['shop'],
    rules,
    deliveries: {
      deliver: async (target, input) => {
        delivered.push([target.arn, input]);
      },
      discard: () => undefined,
      written: async () => undefined,
      ...given,
    },
    clock: CLOCK,
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    region: 'eu-central-1',
    account: '123456789012',
  });
  return { buses, delivered };
}

describe('publish', () => {
  test('rules that match: delivered in order, others not', async () => {
    const { buses, delivered } = open([
      rule('a'),
      rule('other source', { pattern: { source: ['x'] } }),
      rule('disabled', { enabled: false }),
      rule('schedule', { pattern: undefined }),
      rule('other bus', { eventBusName: 'shop' }),
      rule('b', { pattern: '{"detail": {"orderId": [{"exists": true}]}}' }),
    ]);
    const event = sampleEvent();

    const publication = await buses.publish(event);

    expect(buses.problems).toEqual([]);
    expect(publication).toEqual({
      matchedRules: ['a', 'b'],
      deliveries: [
        { rule: 'a', targetId: 't', targetArn: 'arn:target:a', kind: 'delivered' },
        { rule: 'b', targetId: 't', targetArn: 'arn:target:b', kind: 'delivered' },
      ],
    });
    expect(delivered).toEqual([
      ['arn:target:a', JSON.stringify(event)],
      ['arn:target:b', JSON.stringify(event)],
    ]);
  });

  test.each(['shop', 'arn:aws:events:eu-central-1:123456789012:event-bus/shop'])(
    'bus %s: its rules only, however they name it',
    async bus => {
      const { buses } = open([
        rule('default bus'),
        rule('by name', { eventBusName: 'shop' }),
        rule('by arn', { eventBusName: 'arn:aws:events:eu-central-1:123456789012:event-bus/shop' }),
      ]);

      expect((await buses.publish(sampleEvent(), bus)).matchedRules).toEqual(['by name', 'by arn']);
    },
  );

  test('target that fails: reported, the others get the event', async () => {
    const targets = [
      { id: 'rejects', arn: 'arn:rejects' },
      { id: 'throws', arn: 'arn:throws' },
      { id: 'no input', arn: 'arn:fine', inputPath: '$.detail.gone' },
      { id: 'fine', arn: 'arn:fine' },
    ];
    const { buses } = open([rule('r', { targets })], {
      deliver: target => {
        if (target.id === 'throws') throw new Error('no such queue');
        return target.id === 'rejects' ? Promise.reject(new Error('queue is full')) : Promise.resolve();
      },
    });

    const { deliveries } = await buses.publish(sampleEvent());

    expect(deliveries).toMatchObject([
      { targetId: 'rejects', kind: 'failed', reason: 'queue is full' },
      { targetId: 'throws', kind: 'failed', reason: 'no such queue' },
      {
        targetId: 'no input',
        kind: 'failed',
        reason: 'InputPath $.detail.gone leads to nothing in the event',
      },
      { targetId: 'fine', kind: 'delivered' },
    ]);
  });

  test('input transformer: knows its rule and the time of ingestion', async () => {
    const inputTemplate = '"<aws.events.rule-name> <aws.events.rule-arn> <aws.events.event.ingestion-time>"';
    const targets = [{ id: 't', arn: 'arn:t', inputTransformer: { inputTemplate } }];
    const { buses, delivered } = open([rule('r', { targets })]);

    await buses.publish(sampleEvent({ time: '2020-01-01T00:00:00Z' }));

    expect(delivered).toEqual([
      ['arn:t', '"r arn:aws:events:eu-central-1:123456789012:rule/r 2026-03-04T05:06:07.000Z"'],
    ]);
  });
});

describe('problems', () => {
  test('bad rule or target: left out with its reason, the rest works', async () => {
    const { buses } = open([
      rule('bad pattern', { pattern: { source: 'shop' } }),
      rule('bad bus', { eventBusName: 'nowhere' }),
      rule('bad target', {
        targets: [
          { id: 'x', arn: 'a', input: '{' },
          { id: 'y', arn: 'b' },
        ],
      }),
    ]);

    expect(buses.problems).toEqual([
      {
        rule: 'bad pattern',
        message: 'Event pattern is not valid. Reason: "source" must be an object or an array (at $.source)',
      },
      { rule: 'bad bus', message: 'The event bus nowhere does not exist; known: default, shop' },
      { rule: 'bad target', message: expect.stringMatching(/^Input for target x must be JSON text/) },
    ]);
    expect(await buses.publish(sampleEvent())).toMatchObject({
      matchedRules: ['bad target'],
      deliveries: [{ targetId: 'y', kind: 'delivered' }],
    });
  });
});

describe('putEvents', () => {
  test('good and bad entries: answered one by one, good ones published', async () => {
    const { buses, delivered } = open([rule('r')]);

    const response = await buses.putEvents([ENTRY, { ...ENTRY, detail: '[]' }, ENTRY]);

    const malformed = { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
    const entries = [{ EventId: 'id-1' }, malformed, { EventId: 'id-2' }];
    expect(JSON.stringify(response)).toBe(JSON.stringify({ Entries: entries, FailedEntryCount: 1 }));
    expect(delivered.map(([, input]) => (JSON.parse(input) as { id: string }).id)).toEqual(['id-1', 'id-2']);
  });

  test('bus that does not exist: succeeds, goes nowhere', async () => {
    const { buses, delivered } = open([rule('r')]);

    expect(await buses.putEvents([{ ...ENTRY, eventBusName: 'nowhere' }])).toEqual({
      FailedEntryCount: 0,
      Entries: [{ EventId: 'id-1' }],
    });
    expect(delivered).toEqual([]);
  });

  test('putEvents answers before a slow target does', async () => {
    const { buses } = open([rule('r')], { deliver: () => new Promise(() => undefined) });

    expect(await buses.putEvents([ENTRY])).toEqual({ FailedEntryCount: 0, Entries: [{ EventId: 'id-1' }] });
  });
});
