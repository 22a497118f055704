import { synthesized } from './assembly';
import type { Booked } from './order-state';
import { play, type Row } from './play';
import { openShop } from './shop';

// The SDK's notice about coming versions of Node is not about this run.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

main().then(
  isRight => {
    process.exitCode = isRight ? 0 : 1;
  },
  (error: unknown) => {
    console.error(`order-saga: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);

async function main(): Promise<boolean> {
  const assembly = synthesized();
  try {
    const shop = await openShop(assembly.directory);
    try {
      return print(await play(shop));
    } finally {
      await shop.close();
    }
  } finally {
    assembly.remove();
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
