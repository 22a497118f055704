import { exitOnBrokenPipe } from '../../../../cli/program/output';
import { type Parsed, reject, runProgram } from '../../../../cli/program/program';
import { endedBySignal } from '../../../../cli/program/signals';

// A program as the repository's own ones are: what it does is named by its only argument.

const ended = endedBySignal();
exitOnBrokenPipe('sample');

const PROGRAM = {
  name: 'sample',
  helpCommand: 'sample --help',
  help: 'Usage: sample\n',
  parse([deed = '']: readonly string[]): Parsed<string> {
    if (deed === '--help') return { kind: 'help' };
    return deed === '' ? { kind: 'usage', message: 'what?' } : { kind: 'options', options: deed };
  },
  run,
};
runProgram(PROGRAM);

async function run(deed: string): Promise<number> {
  switch (deed) {
    case 'fail':
      throw new Error('out of paper');
    case 'reject':
      return reject(PROGRAM, 'not this one');
    case 'talk':
      for (let i = 0; i < 10_000; i += 1) process.stdout.write(`${'x'.repeat(100)}\n`);
      return 1;
    default:
      return waitForTheEnd();
  }
}

/** Takes as long as is said in milliseconds to clean up after the first signal. */
async function waitForTheEnd(): Promise<number> {
  process.stdout.write('ready\n');
  const alive = setInterval(() => undefined, 1000);
  if (!ended.aborted) await new Promise(resolve => ended.addEventListener('abort', resolve));
  await new Promise(resolve => setTimeout(resolve, Number(process.argv[3])));
  clearInterval(alive);
  process.stdout.write('cleaned up\n');
  return 0;
}
