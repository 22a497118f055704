import fc from 'fast-check';
import { canonicalText, payloadHash } from '../../../state-machine/contract/payload-hash';
import { sha256 } from '../../../state-machine/contract/sha256';
import { runs } from '../../support/scale';

describe('canonicalText', () => {
  const texts: [string, unknown, string][] = [
    ['lines are sorted', { b: { d: 1, c: 2 }, a: 3 }, '/"a"=3,/"b"/"c"=2,/"b"/"d"=1,/"b"{,{'],
    ['lines are sorted by code units', { ä: 1, z: 2, Z: 3 }, '/"Z"=3,/"z"=2,/"ä"=1,{'],
    ['lists keep their order', [2, 1], '/0=2,/1=1,['],
    ['a text and a number differ', ['1', 1], '/0="1",/1=1,['],
    ['empty things differ', [{}, [], '', null, false, 0], '/0{,/1[,/2="",/3=,/4=false,/5=0,['],
    ['quotes are doubled', 'a"b\\c', '="a""b\\c"'],
    ['a member cannot look like two', { 'a"/"b': 1 }, '/"a""/""b"=1,{'],
    ['a fraction has digits in base 2^53', [12.5, -0.75], '/0=12.4503599627370496,/1=-0.6755399441055744,['],
    ['minus zero is zero', -0, '=0'],
    ['the 16th digit of an integer', 1234567890123456, '=1234567890123456'],
    ['the greatest integer', 9007199254740991, '=9007199254740991'],
    ['the least number', 5e-324, `=${'0.'.repeat(21)}549755813888`],
    ['the 17th digit of a fraction', 0.1234567890123456, '=0.1111999897984715.1125899906842624'],
  ];
  test.each(texts)('%s', (_, value, text) => {
    expect(canonicalText(value)).toBe(text);
  });

  test.each([
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    -(2 ** 53),
    Number.MAX_VALUE,
    () => 1,
    '\ud800',
    { '\ud800': 1 },
  ])('%p: rejected', value => {
    expect(() => canonicalText(value)).toThrow(RangeError);
  });

  test('numbers that are neighbours: different texts', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -(2 ** 52), max: 2 ** 52 }), number => {
        const next = number + Math.abs(number) * Number.EPSILON;
        expect(canonicalText(number) === canonicalText(next)).toBe(number === next);
      }),
      { numRuns: runs(200, 2000) },
    );
  });
});

describe('payloadHash', () => {
  test('the order of keys does not count', () => {
    expect(payloadHash({ amount: 12.5, currency: 'EUR' })).toBe(
      payloadHash({ currency: 'EUR', amount: 12.5 }),
    );
  });

  test('SHA-256 of the canonical text', () => {
    expect(payloadHash({})).toBe(sha256('{'));
  });
});
