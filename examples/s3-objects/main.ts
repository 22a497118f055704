import { run, synthesized } from '../fixture';
import { Archive } from './archive';
import { play, type Row } from './play';
import { S3ObjectsStack } from './stack';

run('s3-objects', main);

async function main(): Promise<boolean> {
  const { assembly, remove } = synthesized(app => new S3ObjectsStack(app, 'S3Objects'));
  process.once('exit', remove);
  const archive = await new Archive().open(assembly);
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
