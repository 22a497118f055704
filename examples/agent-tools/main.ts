import { play, type Row } from './play';
import { World } from './world';

// The SDK's notice about coming versions of Node is not about this run.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

main().then(
  isRight => {
    process.exitCode = isRight ? 0 : 1;
  },
  (error: unknown) => {
    console.error(`agent-tools: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);

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
