import { cutInTheMiddle, moment, pretty, timeOfDay, visible } from '../../page/text';

describe('texts of the page', () => {
  test('a moment: in UTC; what is none, a question mark', () => {
    expect(moment(0)).toBe('1970-01-01 00:00:00Z');
    expect(moment(123, { ms: true })).toBe('1970-01-01 00:00:00.123Z');
    expect(timeOfDay(123)).toBe('00:00:00.123');
    expect(moment(Number.NaN)).toBe('?');
  });

  test('JSON on several lines; a text that is cut stays as it is', () => {
    expect(pretty('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(pretty('{"a":')).toBe('{"a":');
  });
});

describe('a key for a person', () => {
  test.each([
    ['order-1', 'order-1'],
    ['a b', 'a b'],
    ['👨‍👩‍👧', '👨‍👩‍👧'],
    [' ', '" "'],
    ['a ', '"a "'],
    ['\u202eevil', '"\\u202eevil"'],
    ['a\nb\u200b', '"a\\u000ab\\u200b"'],
  ])('%j: %s', (key, expected) => {
    expect(visible(key)).toBe(expected);
  });
});

describe('a name that is cut', () => {
  test.each([
    ['order-1', 7, 'order-1'],
    ['order-1-redelivery', 9, 'orde…very'],
    ['order-1-redelivery', 8, 'orde…ery'],
    ['😀😀😀😀', 3, '😀…😀'],
  ])('%s to %d: %s', (name, max, cut) => {
    expect(cutInTheMiddle(name, max)).toBe(cut);
  });
});
