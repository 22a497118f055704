import fc from 'fast-check';
import { keyText, partsIn, recordKey } from '../../../state-machine/contract/idempotency-key';
import { runs } from '../../support/scale';

describe('keyText', () => {
  const keys: [string, unknown, string][] = [
    ['a text is itself', 'order-7', 'order-7'],
    ['case counts', 'Order-7', 'Order-7'],
    ['a trailing space counts', 'order-7 ', 'order-7 '],
    ['spaces and / are allowed', 'a b/c', 'a b/c'],
    ['~, comma and # are escaped', '~a,b#c', '~~a~,b~#c'],
    ['a number is marked', 7, '#7'],
    ['minus zero is zero', -0, '#0'],
    ['the greatest number', 9007199254740991, '#9007199254740991'],
    ['the 16th digit counts', 1234567890123456, '#1234567890123456'],
    ['a text like a number is no number', '7', '7'],
    ['a text like a marked number is no number', '#7', '~#7'],
    ['a list has commas between its parts', ['a', 'b'], 'a,b'],
    ['a text with a comma is no list', 'a,b', 'a~,b'],
    ['a list of one is that one', ['a,b'], 'a~,b'],
    ['a number and a text differ in a list', [1, '1'], '#1,1'],
  ];
  test.each(keys)('%s', (_, value, text) => {
    expect(keyText(value)).toEqual({ kind: 'key', text });
  });

  const missing: [string, unknown][] = [
    ['undefined', undefined],
    ['null', null],
    ['the empty text', ''],
    ['a fraction', 12.5],
    ['a number above 2^53 - 1', 9007199254740992],
    ['not a number', Number.NaN],
    ['true', true],
    ['an object', { a: 1 }],
    ['an empty list', []],
    ['a list with null', ['a', null]],
    ['a list with an empty text', ['a', '']],
    ['a nested list', [['a']]],
    ['a list with a hole', Object.assign(new Array(2), { 1: 'a' })],
    ['a list of holes', new Array(2)],
    ['half a surrogate pair', '\ud800'],
  ];
  test.each(missing)('%s: missing', (_, value) => {
    expect(keyText(value)).toEqual({ kind: 'missing' });
  });

  test('a key of any kind: begins as no key of another form does', () => {
    const part = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('~2', '~', '~~2~'),
      fc.maxSafeInteger(),
    );
    fc.assert(
      fc.property(fc.oneof(part, fc.array(part, { minLength: 1 })), value => {
        const key = keyText(value);
        expect(key.kind === 'key' ? key.text : '').not.toMatch(/^~[^~,#]/);
      }),
      { numRuns: runs(300, 10_000) },
    );
  });

  test('1,000 characters: the first 400 and a hash that tells keys apart by their last character', () => {
    const one = keyText(`${'x'.repeat(999)}1`);
    const other = keyText(`${'x'.repeat(999)}2`);

    expect(one).toMatchObject({ text: expect.stringMatching(/^x{400}[0-9a-f]{64}$/) });
    expect(one).not.toEqual(other);
  });

  test('1,000 four-byte characters: the record key stays within the 2,048 bytes of a partition key', () => {
    for (const length of [400, 401, 1000]) {
      const key = keyText('\u{1F600}'.repeat(length));
      const text = key.kind === 'key' ? key.text : '';
      expect(Buffer.byteLength(recordKey('s'.repeat(255), text))).toBeLessThanOrEqual(2048);
    }
  });

  test('any two different keys: different texts, out of which their parts are read', () => {
    const awkward = fc.constantFrom('#', '#1', '~', '~#1', ',', 'a,b', 'a', 'b', '1', 'a~', '\u{1F600}');
    const part = fc.oneof(awkward, fc.string({ minLength: 1 }), fc.maxSafeInteger());
    const key = fc.oneof(part, fc.array(part, { minLength: 1, maxLength: 3 }));
    fc.assert(
      fc.property(key, key, (a, b) => {
        const same = JSON.stringify([a].flat()) === JSON.stringify([b].flat());
        const text = keyText(a);
        expect(JSON.stringify(text) === JSON.stringify(keyText(b))).toBe(same);
        expect(text.kind === 'key' && partsIn(text.text)).toEqual([a].flat());
      }),
      { numRuns: runs(200, 100_000) },
    );
  });

  test.each(['', 'a,', ',', 'a,,b', '~', 'a~b', '#x', '#1.5', 'x'.repeat(401)])(
    '%j: no parts are read',
    text => {
      expect(partsIn(text)).toBeUndefined();
    },
  );
});
