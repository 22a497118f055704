import { play, type Row } from './play';
import { Studio, synthesizeStudio } from './studio';

// The SDK's notice about coming versions of Node is not about this run.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

main().then(
  isRight => {
    process.exitCode = isRight ? 0 : 1;
  },
  (error: unknown) => {
    console.error(`long-step: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);

async function main(): Promise<boolean> {
  const { assembly, remove } = synthesizeStudio();
  process.once('exit', remove);
  const studio = await Studio.open(assembly);
  try {
    return print(await play(studio));
  } finally {
    await studio.close();
  }
}

function print(rows: readonly Row[]): boolean {
  const line = (...[what = '', ...cells]: readonly string[]) =>
    console.log(`${what.padEnd(42)}${cells.map(cell => cell.padStart(11)).join('')}`);
  line('the worker', 'hours', 'attempts', 'published', 'refused');
  for (const { what, hours, attempts, publications, refused, isRight } of rows) {
    line(what, hours.toFixed(1), `${attempts}`, `${publications}`, `${refused}`);
    if (!isRight) console.log('    ^ this is wrong');
  }
  const isRight = rows.every(row => row.isRight);
  console.log(isRight ? '\nok: each film was published once' : '\nnot ok');
  return isRight;
}
