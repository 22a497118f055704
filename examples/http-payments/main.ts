import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startLocal } from '@onceflow/local';
import { App } from 'aws-cdk-lib';
import { charges, play, type Row } from './play';
import { HttpPaymentsStack } from './stack';

// The SDK's notice about coming versions of Node is not about this run.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

main().then(
  isRight => {
    process.exitCode = isRight ? 0 : 1;
  },
  (error: unknown) => {
    console.error(`http-payments: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);

async function main(): Promise<boolean> {
  const directory = await mkdtemp(path.join(tmpdir(), 'http-payments-'));
  try {
    const app = new App({ outdir: directory });
    new HttpPaymentsStack(app, 'HttpPayments');
    const stack = await startLocal({ assembly: app.synth().directory });
    try {
      const rows = await play(stack.output('Url'));
      return print(rows, await charges(stack));
    } finally {
      await stack.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
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
