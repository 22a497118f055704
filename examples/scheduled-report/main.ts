import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startLocal, VirtualClock } from '@onceflow/local';
import { App } from 'aws-cdk-lib';
import { play, type Row, START, Witness } from './play';
import { ScheduledReportStack } from './stack';

// The SDK's notice about coming versions of Node is not about this run.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

main().then(
  isRight => {
    process.exitCode = isRight ? 0 : 1;
  },
  (error: unknown) => {
    console.error(`scheduled-report: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);

async function main(): Promise<boolean> {
  const directory = await mkdtemp(path.join(tmpdir(), 'scheduled-report-'));
  try {
    const app = new App({ outdir: directory });
    new ScheduledReportStack(app, 'ScheduledReport');
    const clock = new VirtualClock(START);
    const witness = new Witness();
    const { interceptor, deliveryInterceptor } = witness;
    const assembly = app.synth().directory;
    const stack = await startLocal({ assembly, clock, interceptor, deliveryInterceptor });
    try {
      return print(await play(stack, clock, witness));
    } finally {
      await stack.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
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
