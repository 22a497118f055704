import { startTestStack } from '@onceflow/local';
import { run, synthesized } from '../fixture';
import { play, type Row, Runs } from './play';
import { SqsPaymentsStack } from './stack';

run('sqs-payments', main);

async function main(): Promise<boolean> {
  const { assembly, remove } = synthesized(app => new SqsPaymentsStack(app, 'SqsPayments'));
  process.once('exit', remove);
  const runs = new Runs();
  const { interceptor } = runs;
  const stack = await startTestStack({ assembly, startAt: Date.now(), interceptor });
  try {
    return print(await play(stack, runs));
  } finally {
    await stack.close();
  }
}

function print(rows: readonly Row[]): boolean {
  const line = (...[what = '', ...cells]: readonly string[]) =>
    console.log(`${what.padEnd(45)}${cells.map(cell => cell.padStart(10)).join('')}`);
  line('payment', 'messages', 'step runs', 'opened', 'paid in', 'closed', 'dead');
  for (const { part, runs, closed, dead, isRight } of rows) {
    const { paymentId, what, first, later = [], opened, paidIn = 0 } = part;
    const money = [opened, paidIn, closed].map(cents => (cents / 100).toFixed(2));
    line(`${paymentId} ${what}`, `${first.length + later.length}`, `${runs}`, ...money, `${dead}`);
    if (!isRight) console.log('    ^ this is wrong');
  }
  const isRight = rows.every(row => row.isRight);
  console.log(isRight ? '\nok: what could be paid was paid once' : '\nnot ok');
  return isRight;
}
