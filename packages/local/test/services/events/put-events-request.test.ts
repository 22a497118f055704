import type { Json } from '../../../json/json';
import { readPutEvents } from '../../../services/events/put-events-request';

const ENTRY = { Source: 'shop', DetailType: 'x', Detail: '{}' };

function entriesOf(count: number): Json {
  return { Entries: Array.from({ length: count }, () => ENTRY) };
}

describe('readPutEvents', () => {
  test('entry with all members: read, time as epoch milliseconds', () => {
    const entry = { ...ENTRY, Time: 1_772_600_767.5, Resources: ['r'], EventBusName: 'b', TraceHeader: 't' };

    expect(readPutEvents({ Entries: [entry] })).toEqual({
      kind: 'entries',
      entries: [
        {
          source: 'shop',
          detailType: 'x',
          detail: '{}',
          time: 1_772_600_767_500,
          resources: ['r'],
          eventBusName: 'b',
        },
      ],
    });
  });

  test('members absent or null: left to the check of the entry', () => {
    expect(readPutEvents({ Entries: [{ Source: null, Time: null }] })).toEqual({
      kind: 'entries',
      entries: [{ resources: [] }],
    });
  });

  const times: readonly [Json, number | undefined][] = [
    ['2026-03-04T05:06:07Z', Date.UTC(2026, 2, 4, 5, 6, 7)],
    ['2026-03-04T06:06:07.5+01:00', Date.UTC(2026, 2, 4, 5, 6, 7, 500)],
    ['2026-03-04', Date.UTC(2026, 2, 4)],
    [0, 0],
    [-1, undefined],
    [1_772_600_767_000, undefined],
    ['yesterday', undefined],
    ['2026-99-04T05:06:07Z', undefined],
    [true, undefined],
  ];
  test.each(times)('Time %j: %j', (time, expected) => {
    const request = readPutEvents({ Entries: [{ ...ENTRY, Time: time }] });

    expect(request.kind === 'entries' ? request.entries[0]?.time : undefined).toBe(expected);
    expect(request.kind).toBe(expected === undefined ? 'rejected' : 'entries');
  });

  const VALIDATION = "1 validation error detected: Value '%' at 'entries' failed to satisfy constraint: ";
  const rejections: readonly [string, Json, string, string][] = [
    ['no Entries', {}, 'ValidationException', `${VALIDATION.replace('%', 'null')}Member must not be null`],
    [
      'no entry',
      entriesOf(0),
      'ValidationException',
      `${VALIDATION.replace('%', '[]')}Member must have length greater than or equal to 1`,
    ],
    [
      'eleven entries',
      entriesOf(11),
      'ValidationException',
      `${VALIDATION.replace('%', '[11 entries]')}Member must have length less than or equal to 10`,
    ],
    ['Entries not a list', { Entries: 'x' }, 'SerializationException', 'Entries must be a list'],
    ['entry not an object', { Entries: [1] }, 'SerializationException', 'Entries[0] must be an object'],
    [
      'Detail not a string',
      { Entries: [ENTRY, { ...ENTRY, Detail: {} }] },
      'SerializationException',
      'Entries[1].Detail must be a string',
    ],
    [
      'Resources of numbers',
      { Entries: [{ ...ENTRY, Resources: [1] }] },
      'SerializationException',
      'Entries[0].Resources must be a list of strings',
    ],
  ];
  test.each(rejections)('%s: rejected as a whole', (_case, request, error, message) => {
    expect(readPutEvents(request)).toEqual({ kind: 'rejected', error, message });
  });

  test('ten entries: taken', () => {
    expect(readPutEvents(entriesOf(10)).kind).toBe('entries');
  });

  // é is two bytes; source, type, resources and 14 for the time count beside the detail.
  const withBytes = (bytes: number): Json => ({
    Entries: [{ Source: 'é', DetailType: 'tt', Detail: 'd'.repeat(bytes - 20), Resources: ['rr'], Time: 0 }],
  });
  const LIMIT = 1024 * 1024;
  test.each([
    [LIMIT, 'entries'],
    [LIMIT + 1, 'rejected'],
  ])('%d bytes: %s', (bytes, kind) => {
    expect(readPutEvents(withBytes(bytes)).kind).toBe(kind);
  });

  test('two entries over 1 MB together: rejected', () => {
    const half = { ...ENTRY, Detail: 'd'.repeat(LIMIT / 2) };

    expect(readPutEvents({ Entries: [half, half] })).toEqual({
      kind: 'rejected',
      error: 'ValidationException',
      message: 'Total size of the entries in the request is over the limit.',
    });
  });
});
