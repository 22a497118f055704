import { run } from '../fixture';
import { play, type Row } from './play';
import { World } from './world';

run('agent-tools', main);

async function main(): Promise<boolean> {
  const world = await World.open();
  try {
    return print(await play(world));
  } finally {
    await world.close();
  }
}

function print(rows: readonly Row[]): boolean {
  const line = (...[what = '', ...cells]: readonly string[]) =>
    console.log(`${what.padEnd(46)}${cells.map(cell => cell.padStart(11)).join('')}`);
  line('the loop', 'tool calls', 'tool runs', 'effects');
  for (const { what, calls, toolRuns, effects, isRight } of rows) {
    line(what, `${calls}`, `${toolRuns}`, `${effects}`);
    if (!isRight) console.log('    ^ this is wrong');
  }
  const isRight = rows.every(row => row.isRight);
  console.log(isRight ? '\nok: every tool call had its effect once' : '\nnot ok');
  return isRight;
}
