import fc from 'fast-check';
import {
  canonicalDecimal,
  compareDecimals,
  decimalText,
  negated,
  parseDecimal,
  plus,
} from '../../../../services/dynamodb/table/decimal';
import { itemSize } from '../../../../services/dynamodb/table/size';

describe('a decimal', () => {
  test.each([
    ['1', '1'],
    ['-0', '0'],
    ['1.50', '1.5'],
    ['.5', '0.5'],
    ['1e3', '1000'],
    ['1.2E-3', '0.0012'],
    ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
    ['9.9e125', `99${'0'.repeat(124)}`],
  ])('%s: written %s', (text, written) => {
    expect(decimalText(parseDecimal(text))).toBe(written);
    expect(canonicalDecimal(text)).toBe(written);
  });

  test.each([
    ['', /cannot be converted to a numeric value$/],
    ['1e', /cannot be converted to a numeric value: 1e/],
    ['1e126', /^Number overflow/],
    ['1e-131', /^Number underflow/],
    ['123456789012345678901234567890123456789', /more than 38 significant digits/],
  ])('%s: rejected', (text, message) => {
    expect(() => parseDecimal(text)).toThrow(message);
  });

  test.each([
    [`1${'0'.repeat(400_000)}`, /^Number overflow/],
    [`0.${'0'.repeat(400_000)}1`, /^Number underflow/],
    ['7'.repeat(100), /more than 38 significant digits/],
  ])('of very many digits (number %#): rejected, and nothing is calculated with it', (text, message) => {
    expect(() => parseDecimal(text)).toThrow(message);
  });

  test('of very many zeros: what it is', () => {
    expect(decimalText(parseDecimal(`${'0'.repeat(400_000)}12.50${'0'.repeat(400_000)}`))).toBe('12.5');
    expect(decimalText(parseDecimal(`1${'0'.repeat(400_000)}e-400000`))).toBe('1');
    expect(decimalText(parseDecimal('0e999999999999'))).toBe('0');
  });

  test('whole numbers: sums and order as of big integers', () => {
    const whole = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    void fc.assert(
      fc.property(whole, whole, (a, b) => {
        const [left, right] = [parseDecimal(String(a)), parseDecimal(String(b))];

        expect(decimalText(plus(left, right))).toBe(String(a + b));
        expect(decimalText(plus(left, negated(right)))).toBe(String(a - b));
        expect(compareDecimals(left, right)).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  test('a sum of more than 38 digits: rejected', () => {
    expect(() => plus(parseDecimal('1e37'), parseDecimal('0.01'))).toThrow(/more than 38 significant digits/);
  });
});

test('any number: written the same whether it is read or not, and as large as its digits', () => {
  const text = fc.oneof(
    fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }).map(String),
    fc
      .tuple(fc.double({ min: -10, max: 10, noNaN: true }), fc.integer({ min: -90, max: 90 }))
      .map(([number, power]) => `${number.toFixed(9)}e${power}`),
    fc.stringMatching(/^-?\d{1,20}(\.\d{1,10})?$/),
  );
  fc.assert(
    fc.property(text, given => {
      const decimal = parseDecimal(given);
      const digits = String(decimal.digits).replace('-', '').length;
      const bytes = decimal.digits === 0n ? 1 : 1 + Math.ceil(digits / 2) + (decimal.digits < 0n ? 1 : 0);

      expect(canonicalDecimal(given)).toBe(decimalText(decimal));
      expect(itemSize({ n: { N: canonicalDecimal(given) } })).toBe(1 + bytes);
    }),
  );
});
