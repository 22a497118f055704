import fc from 'fast-check';
import { executionName, isNameOf, retryName } from '../../../state-machine/contract/execution-name';

describe('executionName', () => {
  test.each(['order-7', 'A_b-9', 'x'.repeat(80)])('%s can be a name: the name', key => {
    expect(executionName(key)).toBe(key);
  });

  test.each([
    ['a space', 'order 7', /^order-7-[0-9a-f]{32}$/],
    ['a character that names may not have', 'a#b/c', /^a-b-c-[0-9a-f]{32}$/],
    ['81 characters', 'x'.repeat(81), /^x{47}-[0-9a-f]{32}$/],
    ['a composite key', '["shop-1",4711]', /^shop-1-4711-[0-9a-f]{32}$/],
    ['dashes in front and where it is cut', `["-${'x'.repeat(46)} y"]`, /^x{46}-[0-9a-f]{32}$/],
    ['no usable character', 'äöü', /^[0-9a-f]{32}$/],
    ['what names of recoveries say', 'order-recovery-9', /^order-recovery-9-[0-9a-f]{32}$/],
    ['what names of redeliveries say', 'a-redelivery-12-b', /^a-redelivery-12-b-[0-9a-f]{32}$/],
    ['dashes alone, and something else', '-- -', /^[0-9a-f]{32}$/],
  ])('%s: what is readable, and a hash', (_, key, name) => {
    expect(executionName(key)).toMatch(name);
  });

  test('by the hash: nothing of any key, and never the name of another one', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 2 }), keys => {
        const names = keys.map(key => executionName(key, 'hash'));

        expect(new Set(names).size).toBe(keys.length);
        for (const name of names) expect(name).toMatch(/^[0-9a-f]{32}$/);
      }),
    );
    expect(executionName('order 7')).toBe(`order-7-${executionName('order 7', 'hash')}`);
  });

  test('any key: a legal name, the same each time', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }), key => {
        expect(executionName(key)).toMatch(/^[0-9A-Za-z_-]{1,80}$/);
        expect(executionName(key)).toBe(executionName(key));
        if (executionName(key) !== key) expect(executionName(key)).toMatch(/^(?!-)(?:.*[^-]-)?[0-9a-f]{32}$/);
      }),
    );
  });
});

describe('retryName', () => {
  const SUFFIX = '0123456789abcdef';

  test.each([
    ['order-7', `order-7-${SUFFIX}`],
    ['x'.repeat(63), `${'x'.repeat(63)}-${SUFFIX}`],
    ['x'.repeat(64), `${'x'.repeat(63)}-${SUFFIX}`],
    ['x'.repeat(80), `${'x'.repeat(63)}-${SUFFIX}`],
  ])('%s: as much of it as fits, and the suffix', (name, expected) => {
    expect(retryName(name, SUFFIX)).toBe(expected);
  });

  test('any key and suffix: a legal name that ends with the suffix', () => {
    const suffix = fc.stringMatching(/^[0-9A-Za-z_-]{1,64}$/);
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }), suffix, (key, suffix) => {
        const name = retryName(executionName(key), suffix);

        expect(name).toMatch(/^[0-9A-Za-z_-]{1,80}$/);
        expect(name.endsWith(`-${suffix}`)).toBe(true);
      }),
    );
  });

  test.each(['', 'x'.repeat(65), 'a b', 'ä'])('the suffix %j: rejected', suffix => {
    expect(() => retryName('order-7', suffix)).toThrow(RangeError);
  });
});

describe('isNameOf', () => {
  const long = 'x'.repeat(80);
  const hash = '0123456789abcdef';
  test.each([
    ['the name', 'order-7', 'order-7', true],
    ['started again', 'order-7', `order-7-${hash}`, true],
    ['recovered', 'order-7', `order-7-recovery-1-${hash}`, true],
    ['a long one, started again', long, `${long.slice(0, 63)}-${hash}`, true],
    ['a long one, recovered', long, `${long.slice(0, 52)}-recovery-8-${hash}`, true],
    ['delivered again', 'order-7', `order-7-redelivery-12-${hash}`, true],
    ['delivered again, and recovered', 'order-7', `order-7-redelivery-12-recovery-1-${hash}`, true],
    ['a long one, delivered again', long, `${long.slice(0, 36)}-redelivery-100-${hash}`, true],
    ['delivered again, of a key that begins alike', 'order-7', `order-redelivery-1-${hash}`, false],
    ["another key's", 'order-7', `order-8-recovery-1-${hash}`, false],
    ['of a key that begins alike', 'order-7', `order-${hash}`, false],
    ['something else', 'order-7', 'order-7-again', false],
  ])('%s', (_, name, candidate, expected) => {
    expect(isNameOf(name, candidate)).toBe(expected);
  });
});
