import { isLiteralTimestamp, isoTime, parseOffsetDateTime } from '../../../language/asl/timestamp';

describe('parseOffsetDateTime', () => {
  test.each([
    ['2016-12-05T21:29:29Z', '2016-12-05T21:29:29.000Z'],
    ['2016-12-05T21:29Z', '2016-12-05T21:29:00.000Z'],
    ['2016-12-05T21:29:29.5Z', '2016-12-05T21:29:29.500Z'],
    ['2016-12-05T21:29:29.123456789Z', '2016-12-05T21:29:29.123Z'],
    ['2016-12-05T21:29:29+02:00', '2016-12-05T19:29:29.000Z'],
    ['2016-12-05T21:29:29-05:30', '2016-12-06T02:59:29.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000Z'],
  ])('%s: is %s', (text, time) => {
    expect(isoTime(parseOffsetDateTime(text) ?? Number.NaN)).toBe(time);
  });

  test.each([
    '2016-12-05T21:29:29',
    '2016-12-05 21:29:29Z',
    '05-12-2016T21:29:29Z',
    '2016-12-05T25:29:29Z',
    '2016-12-05T24:00:00Z',
    '2016-12-05T21:60:29Z',
    '2016-12-05T21:29:60Z',
    '2016-13-05T21:29:29Z',
    '2023-02-29T00:00:00Z',
    '2016-12-00T21:29:29Z',
    '2016-12-05T21:29:29+0200',
    '2016-12-05T21:29:29+19:00',
    '2016-12-05',
    '',
  ])('%j: is not a time', text => {
    expect(parseOffsetDateTime(text)).toBeUndefined();
  });
});

describe('isLiteralTimestamp', () => {
  test.each([
    ['2016-12-05T21:29:29Z', true],
    ['2016-12-05T21:29:29+02:00', false],
    ['2016-12-05T25:29:29Z', false],
  ])('%s: %s', (text, then) => {
    expect(isLiteralTimestamp(text)).toBe(then);
  });
});
