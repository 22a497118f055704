import { run, synthesized } from '../fixture';
import { play, type Row } from './play';
import { LongStepStack } from './stack';
import { Studio } from './studio';

run('long-step', main);

async function main(): Promise<boolean> {
  const { assembly, remove } = synthesized(app => new LongStepStack(app, 'LongStep'));
  process.once('exit', remove);
  const studio = await new Studio().open(assembly);
  try {
    return print(await play(studio));
  } finally {
    await studio.close();
  }
}

function print(rows: readonly Row[]): boolean {
  const line = (...[what = '', ...cells]: readonly string[]) =>
    console.log(`${what.padEnd(42)}${cells.map(cell => cell.padStart(11)).join('')}`);
  line('the worker', 'hours', 'attempts', 'published', 'rejected');
  for (const { what, hours, attempts, publications, rejected, isRight } of rows) {
    line(what, hours.toFixed(1), `${attempts}`, `${publications}`, `${rejected}`);
    if (!isRight) console.log('    ^ this is wrong');
  }
  const isRight = rows.every(row => row.isRight);
  console.log(isRight ? '\nok: each film was published once' : '\nnot ok');
  return isRight;
}
