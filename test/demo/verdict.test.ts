import type { OrderOf } from '../../demo/order';
import { wrongCharges } from '../../demo/verdict';

const good = (key: string | undefined): OrderOf => ({ key, isChargeable: true });
const bad = (key: string): OrderOf => ({ key, isChargeable: false });
const ledger = (charges: Record<string, number>) =>
  new Map(Object.entries(charges).map(([key, count]) => [`ChargePayment#${key}`, count]));

describe('wrongCharges', () => {
  const cases: [string, OrderOf[], Record<string, number>, string[]][] = [
    ['each order charged once', [good('a'), good('a'), good('b')], { a: 1, b: 1 }, []],
    ['nothing to charge', [good(undefined), bad('a')], {}, []],
    ['an order charged twice', [good('a')], { a: 2 }, ['ChargePayment#a was charged 2 times']],
    ['an order not charged', [good('a'), good('b')], { a: 1 }, ['ChargePayment#b was not charged']],
    [
      'a charge that nobody asked for',
      [good('a')],
      { a: 1, b: 1 },
      [expect.stringContaining('ChargePayment#b was charged, although')],
    ],
    [
      'an order charged that could not be',
      [bad('a')],
      { a: 1 },
      [expect.stringContaining('ChargePayment#a was charged, although')],
    ],
    ['payable and not, charged', [good('a'), bad('a')], { a: 1 }, []],
    ['payable and not, not charged', [bad('a'), good('a')], {}, []],
    [
      'payable and not, charged twice',
      [bad('a'), good('a')],
      { a: 2 },
      ['ChargePayment#a was charged 2 times'],
    ],
  ];
  test.each(cases)('%s', (_, orders, charges, verdict) => {
    expect(wrongCharges(orders, ledger(charges))).toEqual(verdict);
  });
});
