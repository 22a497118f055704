import fc from 'fast-check';
import { deterministicUuid, physicalName } from '../../assembly/names';

describe('physicalName', () => {
  test('within the limit: stack and logical id', () => {
    expect(physicalName('Shop', 'Table', 10)).toBe('Shop-Table');
  });

  test('one character over: shortened to the limit, ending in a hash', () => {
    expect(physicalName('ShopStack', 'OrdersTable', 20)).toMatch(/^ShopStack-O-[0-9a-f]{8}$/);
  });

  test('any two logical ids of a stack: two names', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9]{1,100}$/);
    fc.assert(
      fc.property(id, id, fc.integer({ min: 20, max: 100 }), (one, other, limit) => {
        const names = [physicalName('Stack', one, limit), physicalName('Stack', other, limit)];

        expect(names.every(name => name.length <= limit)).toBe(true);
        expect(names[0] === names[1]).toBe(one === other);
      }),
    );
  });
});

describe('deterministicUuid', () => {
  test('same name: same id, in the shape of a UUID', () => {
    expect(deterministicUuid('a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    expect(deterministicUuid('a')).toBe(deterministicUuid('a'));
    expect(deterministicUuid('a')).not.toBe(deterministicUuid('b'));
  });
});
