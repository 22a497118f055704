import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startLocal, VirtualClock } from '@onceflow/local';
import { App } from 'aws-cdk-lib';
import { play, type Row, Runs } from './play';
import { SqsPaymentsStack } from './stack';

// The SDK's notice about coming versions of Node is not about this run.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

main().then(
  isRight => {
    process.exitCode = isRight ? 0 : 1;
  },
  (error: unknown) => {
    console.error(`sqs-payments: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);

async function main(): Promise<boolean> {
  const directory = await mkdtemp(path.join(tmpdir(), 'sqs-payments-'));
  try {
    const app = new App({ outdir: directory });
    new SqsPaymentsStack(app, 'SqsPayments');
    const clock = new VirtualClock(Date.now());
    const runs = new Runs();
    const { interceptor } = runs;
    const stack = await startLocal({ assembly: app.synth().directory, clock, interceptor });
    try {
      return print(await play(stack, clock, runs));
    } finally {
      await stack.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
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
