import fc from 'fast-check';
import { keyText, recordKey } from '../../../state-machine/contract/idempotency-key';
import { runs } from '../../support/scale';

describe('keyText', () => {
  const keys: [string, unknown, string][] = [
    ['a text is itself', 'order-7', 'order-7'],
    ['case counts', 'Order-7', 'Order-7'],
    ['a trailing space counts', 'order-7 ', 'order-7 '],
    ['spaces, # and / are allowed', 'a b#c/d', 'a b#c/d'],
    ['a number is marked', 7, 'number:7'],
    ['minus zero is zero', -0, 'number:0'],
    ['the greatest number', 9007199254740991, 'number:9007199254740991'],
    ['the 16th digit counts', 1234567890123456, 'number:1234567890123456'],
    ['a text like a number is no number', '7', '7'],
    ['a text like a marked number is marked as text', 'number:7', 'string:number:7'],
    ['a text like a marked text is marked again', 'string:x', 'string:string:x'],
    ['a text like a list is marked', '["a"]', 'string:["a"]'],
    ['a list quotes its texts', ['a', 'b'], '["a","b"]'],
    ['a list of one text with a comma is another', ['a,b'], '["a,b"]'],
    ['quotes cannot end a text in a list', ['a","b'], '["a\\",\\"b"]'],
    ['a number and a text differ in a list', [1, '1'], '[1,"1"]'],
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
    ['half a surrogate pair', '\ud800'],
  ];
  test.each(missing)('%s: missing', (_, value) => {
    expect(keyText(value)).toEqual({ kind: 'missing' });
  });

  test('1,000 characters: a prefix and a hash that tells keys apart by their last character', () => {
    const one = keyText(`${'x'.repeat(999)}1`);
    const other = keyText(`${'x'.repeat(999)}2`);

    expect(one).toMatchObject({ text: expect.stringMatching(/^long:x{64}:[0-9a-f]{64}$/) });
    expect(one).not.toEqual(other);
  });

  test('1,000 four-byte characters: the record key stays within the 2,048 bytes of a partition key', () => {
    for (const length of [400, 401, 1000]) {
      const key = keyText('\u{1F600}'.repeat(length));
      const text = key.kind === 'key' ? key.text : '';
      expect(Buffer.byteLength(recordKey('s'.repeat(255), text))).toBeLessThanOrEqual(2048);
    }
  });

  test('any two different keys: different texts', () => {
    const awkward = fc.constantFrom(
      'string:',
      'number:1',
      'long:',
      '[',
      '[1]',
      '["a"]',
      'a","b',
      '\\',
      '"',
      '1',
      'a,b',
    );
    const part = fc.oneof(awkward, fc.string({ minLength: 1 }), fc.maxSafeInteger());
    const key = fc.oneof(part, fc.array(part, { minLength: 1, maxLength: 3 }));
    fc.assert(
      fc.property(key, key, (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        expect(JSON.stringify(keyText(a)) === JSON.stringify(keyText(b))).toBe(same);
      }),
      { numRuns: runs(200, 2000) },
    );
  });
});
