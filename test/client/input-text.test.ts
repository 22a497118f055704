import fc from 'fast-check';
import { inputText } from '../../client/input-text';

describe('inputText', () => {
  test.each([
    [
      'members in order of their code units',
      { b: 1, a: { 10: 2, 9: 3, B: 4 } },
      '{"a":{"10":2,"9":3,"B":4},"b":1}',
    ],
    ['arrays as they are', [3, 1, [2]], '[3,1,[2]]'],
    [
      'all digits of a number',
      [0.123_456_789_012_345_68, 2 ** 53, 1e21, -0],
      '[0.12345678901234568,9007199254740992,1e+21,0]',
    ],
    ['texts escaped', 'a"\\\n\u2028ä', '"a\\"\\\\\\n\u2028ä"'],
    ['no member where it is undefined', { a: undefined, b: null }, '{"b":null}'],
    ['a date as JSON writes it', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['a member of a telling name', JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
  ])('%s', (_, input, text) => {
    expect(inputText(input)).toBe(text);
  });

  test('any document: its members in any order give one text, which is the document', () => {
    fc.assert(
      fc.property(fc.jsonValue(), document => {
        const text = inputText(document);

        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(document)));
        expect(inputText(reversed(document))).toBe(text);
      }),
    );
  });

  const loop: unknown[] = [];
  loop.push(loop);
  test.each([
    ['NaN', { detail: { amount: Number.NaN } }, '`input.detail.amount` is NaN'],
    ['infinity', [1, Infinity], '`input[1]` is Infinity'],
    ['a function', { f: () => 1 }, '`input.f` is a function'],
    ['a bigint', { n: 1n }, '`input.n` is a bigint'],
    ['a hole in a list', [undefined], '`input[0]` is undefined'],
    ['a Map', { m: new Map() }, '`input.m` is a Map'],
    ['a list within itself', loop, '`input` is nested deeper than 500 levels, or contains itself'],
    [
      'one byte too much',
      `a${'ä'.repeat(131_071)}`,
      '`input` has 262145 bytes, and Step Functions accepts 262144',
    ],
  ])('%s: rejected, with its place', (_, input, message) => {
    expect(() => inputText(input)).toThrow(message);
  });

  test('as long as Step Functions takes it: taken', () => {
    expect(inputText('a'.repeat(262_142))).toHaveLength(262_144);
  });
});

/** The same document with its members in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
}
