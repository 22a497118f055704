import { Archive, synthesizeArchive } from './archive';
import { play, type Row } from './play';

// The SDK's notice about coming versions of Node is not about this run.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

main().then(
  isRight => {
    process.exitCode = isRight ? 0 : 1;
  },
  (error: unknown) => {
    console.error(`s3-objects: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);

async function main(): Promise<boolean> {
  const { assembly, remove } = synthesizeArchive();
  process.once('exit', remove);
  const archive = await Archive.open(assembly);
  try {
    return print(await play(archive));
  } finally {
    await archive.close();
  }
}

function print(rows: readonly Row[]): boolean {
  const line = (...[what = '', ...cells]: readonly string[]) =>
    console.log(`${what.padEnd(46)}${cells.map(cell => cell.padStart(12)).join('')}`);
  line('the events arrive', 'objects', 'deliveries', 'scans', 'last state');
  for (const { what, objects, deliveries, scans, right, isRight } of rows) {
    line(what, `${objects}`, `${deliveries}`, `${scans}`, `${right}`);
    if (!isRight) console.log('    ^ this is wrong');
  }
  const isRight = rows.every(row => row.isRight);
  console.log(isRight ? '\nok: each version was scanned once, and the last state is the last' : '\nnot ok');
  return isRight;
}
