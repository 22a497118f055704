import { DATA_BYTES_MAX, dataOf, isTooLarge, utf8Bytes } from '../../../language/asl/data';

describe('utf8Bytes', () => {
  test.each(['', 'plain', 'é', '€', '😀', 'a😀€é', '\u07ff\u0800'])('%j: as many as Node counts', text => {
    expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
  });
});

describe('isTooLarge', () => {
  test.each([
    { text: 'a'.repeat(DATA_BYTES_MAX - 1), is: false },
    { text: 'a'.repeat(DATA_BYTES_MAX), is: false },
    { text: 'a'.repeat(DATA_BYTES_MAX + 1), is: true },
    { text: 'é'.repeat(DATA_BYTES_MAX / 2), is: false },
    { text: `${'é'.repeat(DATA_BYTES_MAX / 2)}a`, is: true },
  ])('$text.length characters: $is', ({ text, is }) => {
    expect(isTooLarge(text)).toBe(is);
  });
});

test('a value made by a state: compact text, members in their own order', () => {
  expect(dataOf({ b: [1, 2.5], a: null }).text).toBe('{"b":[1,2.5],"a":null}');
});
