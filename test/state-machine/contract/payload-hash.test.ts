import fc from 'fast-check';
import { canonicalJson, payloadHash } from '../../../state-machine/contract/payload-hash';
import { runs } from '../../support/scale';

describe('canonicalJson', () => {
  const texts: [string, unknown, string][] = [
    ['keys are sorted at every level', { b: { d: 1, c: 2 }, a: 3 }, '{"a":3,"b":{"c":2,"d":1}}'],
    ['keys are sorted by code units', { ä: 1, z: 2, Z: 3 }, '{"Z":3,"z":2,"ä":1}'],
    ['lists keep their order', [2, 1], '[2,1]'],
    ['a text and a number differ', ['1', 1], '["1",1]'],
    ['empty things differ', [{}, [], '', null, false, 0], '[{},[],"",null,false,0]'],
    ['quotes and backslashes are escaped', 'a"b\\c', '"a\\"b\\\\c"'],
    ['a fraction is a whole number over a power of two', [12.5, -0.1], '[25/2^1,-3602879701896397/2^55]'],
    ['minus zero is zero', -0, '0'],
    ['the 16th digit of an integer', 1234567890123456, '1234567890123456'],
    ['the greatest integer', 9007199254740991, '9007199254740991'],
    ['the least number', 5e-324, '1/2^1074'],
    ['the 17th digit of a fraction', 0.1234567890123456, '8895999183877721/2^56'],
  ];
  test.each(texts)('%s', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
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
  ])('%p: refused', value => {
    expect(() => canonicalJson(value)).toThrow(RangeError);
  });

  test('numbers that are neighbours: different texts', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -(2 ** 52), max: 2 ** 52 }), number => {
        const next = number + Math.abs(number) * Number.EPSILON;
        expect(canonicalJson(number) === canonicalJson(next)).toBe(number === next);
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
    expect(payloadHash({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  });
});
