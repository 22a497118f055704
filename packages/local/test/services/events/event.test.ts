import { type EventEntry, formEvent } from '../../../services/events/event';

const ENTRY: EventEntry = { source: 'shop', detailType: 'Order placed', detail: '{"orderId":"o-1"}' };

function form(entry: EventEntry, newId = () => 'id-1') {
  const now = Date.parse('2026-03-04T05:06:07.890Z');
  return formEvent(entry, { newId, now, region: 'eu-central-1', account: '123456789012' });
}

function deep(levels: number): string {
  return `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
}

describe('formEvent', () => {
  test('entry: an event with id, account, region and the time of now', () => {
    const formed = form(ENTRY);

    expect(formed).toEqual({
      kind: 'event',
      event: {
        version: '0',
        id: 'id-1',
        'detail-type': 'Order placed',
        source: 'shop',
        account: '123456789012',
        time: '2026-03-04T05:06:07Z',
        region: 'eu-central-1',
        resources: [],
        detail: { orderId: 'o-1' },
      },
    });
  });

  test('members: in the order AWS writes them', () => {
    const formed = form(ENTRY);

    expect(formed.kind === 'event' && Object.keys(formed.event).join(' ')).toBe(
      'version id detail-type source account time region resources detail',
    );
  });

  test('entry with time and resources: taken over, time cut to seconds', () => {
    const formed = form({ ...ENTRY, time: Date.UTC(2020, 0, 2, 3, 4, 5, 999), resources: ['r1'] });

    expect(formed).toMatchObject({ event: { time: '2020-01-02T03:04:05Z', resources: ['r1'] } });
  });

  const required = (name: string) =>
    `Parameter ${name} is not valid. Reason: ${name} is a required argument.`;
  const rows: readonly [string, EventEntry, string, string][] = [
    ['nothing', {}, 'InvalidArgument', required('Source')],
    ['empty source', { ...ENTRY, source: '' }, 'InvalidArgument', required('Source')],
    ['source only', { source: 'shop' }, 'InvalidArgument', required('DetailType')],
    ['no detail', { source: 'shop', detailType: 'x' }, 'InvalidArgument', required('Detail')],
    [
      'source of AWS',
      { ...ENTRY, source: 'aws.s3' },
      'NotAuthorizedForSourceException',
      'Not authorized for the source.',
    ],
    ['detail not JSON', { ...ENTRY, detail: '{"a"' }, 'MalformedDetail', 'Detail is malformed.'],
    ['detail an array', { ...ENTRY, detail: '[]' }, 'MalformedDetail', 'Detail is malformed.'],
    ['detail a string', { ...ENTRY, detail: '"{}"' }, 'MalformedDetail', 'Detail is malformed.'],
    ['detail null', { ...ENTRY, detail: 'null' }, 'MalformedDetail', 'Detail is malformed.'],
    ['detail 1,001 deep', { ...ENTRY, detail: deep(1_001) }, 'MalformedDetail', 'Detail is malformed.'],
  ];
  test.each(rows)('%s: rejected, no id taken', (_case, entry, code, message) => {
    const newId = () => {
      throw new Error('an id was taken');
    };

    expect(form(entry, newId)).toEqual({ kind: 'rejected', code, message });
  });

  test('detail 1,000 deep: taken', () => {
    expect(form({ ...ENTRY, detail: deep(1_000) }).kind).toBe('event');
  });

  test('brackets in strings: not nesting', () => {
    expect(form({ ...ENTRY, detail: JSON.stringify({ a: `\\"${'['.repeat(2_000)}` }) }).kind).toBe('event');
  });

  test('source that only begins like AWS: taken', () => {
    expect(form({ ...ENTRY, source: 'awsome.shop' }).kind).toBe('event');
  });
});
