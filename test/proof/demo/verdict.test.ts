import type { OrderOf } from '../../../proof/demo/order';
import { unfinishedWork, wrongCharges } from '../../../proof/demo/verdict';

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

  const cutOff: [string, Record<string, number>, string[]][] = [
    ['charged once', { a: 1 }, []],
    ['charged once more for each time', { a: 3 }, []],
    [
      'charged more often than that',
      { a: 4 },
      ['ChargePayment#a was charged 4 times, and its step was cut off 2 times'],
    ],
    ['not charged', {}, ['ChargePayment#a was not charged']],
    ['another one charged twice', { a: 1, b: 2 }, ['ChargePayment#b was charged 2 times']],
  ];
  test.each(cutOff)('an order whose step was cut off twice, %s', (_, charges, verdict) => {
    const orders = Object.keys({ a: 1, ...charges }).map(good);
    expect(wrongCharges(orders, ledger(charges), new Map([['a', 2]]))).toEqual(verdict);
  });
});

describe('leftLying', () => {
  test('all at its end: nothing', () => {
    expect(unfinishedWork({ unfinished: 0, givenUp: 0 })).toEqual([]);
  });

  test('an unfinished record, an execution that was given up: a sentence each', () => {
    expect(unfinishedWork({ unfinished: 1, givenUp: 2 })).toEqual([
      '1 record is unfinished, and no execution continues it',
      'recovery abandoned 2 executions',
    ]);
  });
});
