import { addressOf, routeOf } from '../../page/address';

describe('the address of a key', () => {
  test.each([
    'order-1',
    '..',
    '.',
    'a/b',
    'a%2Fb',
    '?',
    '#',
    'keys',
    ' ',
    '%',
    '<b>"\'',
    '😀',
    '__proto__',
    '...',
  ])('%s: leads back to it through a browser', key => {
    const route = { view: 'key', workflow: 'orders', key } as const;

    expect(routeOf(new URL(addressOf(route), 'http://127.0.0.1'))).toEqual(route);
  });

  test('half of a surrogate pair: has an address', () => {
    expect(addressOf({ view: 'key', workflow: 'orders', key: 'a\ud800' })).toBe(
      '/workflows/orders/keys/a%EF%BF%BD',
    );
  });
});
