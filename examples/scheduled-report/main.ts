import { startTestStack } from '@onceflow/local';
import { run, synthesized } from '../fixture';
import { play, type Row, START, Witness } from './play';
import { ScheduledReportStack } from './stack';

run('scheduled-report', main);

async function main(): Promise<boolean> {
  const { assembly, remove } = synthesized(app => new ScheduledReportStack(app, 'ScheduledReport'));
  process.once('exit', remove);
  const witness = new Witness();
  const { interceptor, deliveryInterceptor } = witness;
  const stack = await startTestStack({ assembly, startAt: START, interceptor, deliveryInterceptor });
  try {
    return print(await play(stack, witness));
  } finally {
    await stack.close();
  }
}

function print(rows: readonly Row[]): boolean {
  const line = (...[time = '', what = '', ...cells]: readonly string[]) =>
    console.log(`${time.padEnd(22)}${what.padEnd(32)}${cells.map(cell => cell.padStart(12)).join('')}`);
  line('scheduled time', 'what happens', 'deliveries', 'step runs', 'reports', 'total');
  for (const { time, what, deliveries, runs, reports, total, isRight } of rows) {
    line(time, what, `${deliveries}`, `${runs}`, `${reports}`, (total / 100).toFixed(2));
    if (!isRight) console.log('    ^ this is wrong');
  }
  const isRight = rows.every(row => row.isRight);
  console.log(isRight ? '\nok: one report for each scheduled time' : '\nnot ok');
  return isRight;
}
