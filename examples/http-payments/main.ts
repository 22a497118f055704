import { startLocal } from '@onceflow/local';
import { run, synthesized } from '../fixture';
import { charges, play, type Row } from './play';
import { HttpPaymentsStack } from './stack';

run('http-payments', main);

async function main(): Promise<boolean> {
  const { assembly, remove } = synthesized(app => new HttpPaymentsStack(app, 'HttpPayments'));
  process.once('exit', remove);
  const stack = await startLocal({ assembly });
  try {
    const rows = await play(stack.output('Url'));
    return print(rows, await charges(stack));
  } finally {
    await stack.close();
  }
}

function print(rows: readonly Row[], charged: ReadonlyMap<string, number>): boolean {
  const line = (...[what = '', key = '', status = '', ...rest]: readonly string[]) =>
    console.log([what.padEnd(28), key.padEnd(6), status.padEnd(8), ...rest].join('').trimEnd());
  line('request', 'key', 'status', 'answer');
  for (const { what, key, status, isReplayed, body, isRight } of rows) {
    line(what, key ?? '-', String(status), isReplayed ? 'replayed' : status < 300 ? 'first' : titleOf(body));
    if (!isRight) console.log('    ^ this is wrong');
  }
  const counts = [...charged].sort().map(([order, times]) => `${order} ${times} time${times > 1 ? 's' : ''}`);
  console.log(`\ncharged: ${counts.join(', ')}`);
  const isRight = rows.every(row => row.isRight) && counts.join() === 'order-1 1 time,order-3 1 time';
  console.log(isRight ? 'ok: every payment was made once' : 'not ok');
  return isRight;
}

function titleOf(body: string): string {
  return String(JSON.parse(body).title);
}
