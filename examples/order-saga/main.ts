import { run, synthesized } from '../fixture';
import type { Booked } from './order-state';
import { play, type Row } from './play';
import { Shop } from './shop';
import { OrderSagaStack } from './stack';

run('order-saga', main);

async function main(): Promise<boolean> {
  const { assembly, remove } = synthesized(app => new OrderSagaStack(app, 'OrderSaga'));
  process.once('exit', remove);
  const shop = await new Shop().open(assembly);
  try {
    return print(await play(shop));
  } finally {
    await shop.close();
  }
}

function print(rows: readonly Row[]): boolean {
  const line = (order: string, what: string, booked: readonly string[], answer: string) =>
    console.log(
      `${order.padEnd(9)}${what.padEnd(47)}${booked.map(cell => cell.padEnd(10)).join('')}${answer}`,
    );
  line('order', '', ['reserved', 'charged', 'shipped'], 'the last delivery answers');
  for (const { part, booked, answer, isRight } of rows) {
    line(part.wish.orderId, part.what, booked.map(inWords), answer);
    if (!isRight) console.log('    ^ this is wrong');
  }
  const isRight = rows.every(row => row.isRight);
  console.log(isRight ? '\nok: every order was done once, or undone once' : '\nnot ok');
  return isRight;
}

/** `1` is done, `1 - 1` done and given back, `0 - 0` never done and never to be. */
function inWords({ done, undone }: Booked): string {
  return undone === undefined ? `${done}` : `${done} - ${undone}`;
}
