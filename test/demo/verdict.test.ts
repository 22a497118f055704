import type { OrderOf } from '../../demo/order';
import { isExactlyOnce } from '../../demo/verdict';

const good = (key: string | undefined): OrderOf => ({ key, isChargeable: true });
const bad = (key: string): OrderOf => ({ key, isChargeable: false });
const ledger = (charges: Record<string, number>) =>
  new Map(Object.entries(charges).map(([key, count]) => [`ChargePayment#${key}`, count]));

describe('isExactlyOnce', () => {
  const cases: [string, OrderOf[], Record<string, number>, boolean][] = [
    ['each order charged once', [good('a'), good('a'), good('b')], { a: 1, b: 1 }, true],
    ['nothing to charge', [good(undefined), bad('a')], {}, true],
    ['an order charged twice', [good('a')], { a: 2 }, false],
    ['an order not charged', [good('a'), good('b')], { a: 1 }, false],
    ['a charge that nobody asked for', [good('a')], { a: 1, b: 1 }, false],
    ['an order charged that could not be', [bad('a')], { a: 1 }, false],
    ['payable and not, charged', [good('a'), bad('a')], { a: 1 }, true],
    ['payable and not, not charged', [bad('a'), good('a')], {}, true],
    ['payable and not, charged twice', [bad('a'), good('a')], { a: 2 }, false],
  ];
  test.each(cases)('%s', (_, orders, charges, verdict) => {
    expect(isExactlyOnce(orders, ledger(charges))).toBe(verdict);
  });
});
