import { once } from 'node:events';
import { LocalError, type LocalStack, requirePort, startLocal } from '@onceflow/local';
import { EXIT } from '../program/exit';
import { refuse, runProgram } from '../program/program';
import { endedBySignal } from '../program/signals';
import { HELP, type Options, parseOptions } from './options';
import { renderSummary } from './render';
import { summaryOf } from './summary';
import { withSynthesizedApp } from './synthesize';

const ENDED = endedBySignal();
// Whoever read the output may be gone; the stack is still there for its clients.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

const PROGRAM = {
  name: 'start',
  helpCommand: 'npm start -- --help',
  help: HELP,
  parse: parseOptions,
  run: withAssembly,
};
runProgram(PROGRAM);

async function withAssembly(options: Options): Promise<number> {
  if (options.assembly !== undefined) return run(options, options.assembly);
  // Synthesizing takes seconds: what can be said before is said before.
  const problem = await problemOf(() => requirePort(options.port));
  if (typeof problem === 'string') return refuse(PROGRAM, problem);
  if (!options.json) process.stderr.write('synthesizing the app\n');
  try {
    return await withSynthesizedApp(assembly => run(options, assembly), ENDED);
  } catch (error) {
    if (ENDED.aborted) return EXIT.done;
    throw error;
  }
}

async function run(options: Options, assembly: string): Promise<number> {
  const stack = await start(options, assembly);
  if (typeof stack === 'string') return refuse(PROGRAM, stack);
  const summary = summaryOf(stack, options.state);
  process.stdout.write(options.json ? `${JSON.stringify(summary)}\n` : renderSummary(summary));
  if (!ENDED.aborted) await once(ENDED, 'abort');
  await stack.close();
  return EXIT.done;
}

async function start(options: Options, assembly: string): Promise<LocalStack | string> {
  return problemOf(() =>
    startLocal({
      assembly,
      port: options.port,
      ...(options.state !== undefined && { state: options.state }),
      log: (name, text) => process.stderr.write(`${name}: ${text}\n`),
    }),
  );
}

/** What the work comes to, or what somebody has to change before it can be done. */
async function problemOf<Result>(work: () => Promise<Result>): Promise<Result | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LocalError) return error.message;
    throw error;
  }
}
