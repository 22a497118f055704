import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asset, closeAll } from './fixture';

afterEach(closeAll);

const ROOT = resolve(__dirname, '../../../../..');

/** Runs a TypeScript program on its own, under the loader that the demo runs under. */
async function program(text: string): Promise<string> {
  const directory = asset({ 'main.ts': text });
  // Of a group of its own, so that it can end itself with all of that.
  const run = spawn(process.execPath, ['--import', 'tsx', `${directory}/main.ts`], {
    cwd: ROOT,
    detached: true,
  });
  let written = '';
  for (const stream of [run.stdout, run.stderr]) {
    stream.on('data', chunk => {
      written += chunk;
    });
  }
  await once(run, 'close');
  return written;
}

/** A program with one function `fn`; `more` are options of the runtime, in JavaScript. */
function main(handler: string, body: string, { timeoutSeconds = 1, more = '' } = {}): string {
  const directory = asset({ 'index.js': handler });
  return `
    import { execFileSync } from 'node:child_process';
    import { createLambdaFunctions } from ${JSON.stringify(`${ROOT}/packages/local/services/lambda/functions.ts`)};
    const functions = createLambdaFunctions({ functions: [{
      arn: 'arn:aws:lambda:us-east-1:111111111111:function:fn', name: 'fn',
      directory: ${JSON.stringify(directory)}, handler: 'index.handler',
      timeoutSeconds: ${timeoutSeconds}, memoryMb: 128, environment: {},
    }], ${more} });
    async function run() { ${body} }
    void run();`;
}

/** Starts a process that nothing but its end ends, says who is there, and goes on for ever. */
const ENDLESS = `
  const { spawn } = require('node:child_process');
  exports.handler = async ({ detached }) => {
    const other = spawn(process.execPath, ['-e', 'for (;;);'], { detached, stdio: 'ignore' });
    console.log(process.pid + ' ' + other.pid);
    for (;;);
  };`;

/** Ends the process that watches those of functions. */
const LOSE_KEEPER = `
  const list = execFileSync('ps', ['-eo', 'pid=,ppid=,args=']).toString().split('\\n');
  const keeper = list.find(line => line.includes('keeper.js') && line.includes(' ' + process.pid + ' '));
  process.kill(Number(keeper.trim().split(' ')[0]), 'SIGKILL')`;

/** Resolves when none of these processes is there any more. */
async function gone(pids: readonly number[]): Promise<void> {
  while (pids.some(isRunning)) await delay(20);
}

function isRunning(pid: number): boolean {
  try {
    // An ended process stays visible until its parent has asked.
    return process.kill(pid, 0) && !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const NOISY = `
  const fs = require('node:fs');
  setInterval(() => {}, 1000);
  exports.handler = async event => {
    console.log('noise'); console.error('noise'); fs.writeSync(1, 'noise'); fs.writeSync(2, 'noise');
    process.emitWarning('noise');
    if (event.exit) process.exit(1);
    if (event.loop) for (;;);
    return process.pid !== event.host;
  };`;

describe('the host process', () => {
  test('functions of all kinds, then close: nothing printed, and the process ends', async () => {
    const text = await program(
      main(
        NOISY,
        `for (const event of [{ host: process.pid }, { exit: true }, { loop: true }, { host: process.pid }]) {
           const outcome = await functions.invoke('fn', event);
           console.log(outcome.kind, JSON.stringify(outcome.payload ?? outcome.errorType));
         }
         await functions.close();
         console.log('closed');`,
      ),
    );

    expect(text.split('\n')).toEqual([
      'succeeded true',
      'functionError "Runtime.ExitError"',
      'functionError "Sandbox.Timedout"',
      'succeeded true',
      'closed',
      '',
    ]);
  }, 30_000);

  test('close forgotten: idle environments do not keep the process alive', async () => {
    const text = await program(main(NOISY, `console.log((await functions.invoke('fn', {})).kind);`));

    expect(text).toBe('succeeded\n');
  }, 30_000);

  test.each([
    ['killed', `process.kill(process.pid, 'SIGKILL')`, false],
    ['interrupted', `process.kill(process.pid, 'SIGINT')`, false],
    ['ended, with a process of another session', 'process.exit()', true],
    [
      'killed, with a keeper that was lost',
      `${LOSE_KEEPER}; setTimeout(() => process.kill(0, 'SIGKILL'), 500)`,
      false,
    ],
  ])(
    '%s while a function runs: none of its processes is left',
    async (_title, end, detached) => {
      const body = `void functions.invoke('fn', { detached: ${detached} });`;
      const more = `log({ text }) { console.log(text); setTimeout(() => { ${end} }, 200); }`;

      const text = await program(main(ENDLESS, body, { timeoutSeconds: 60, more }));

      const pids = text.trim().split(' ').map(Number);
      expect(pids).toEqual([expect.any(Number), expect.any(Number)]);
      await gone(pids);
    },
    30_000,
  );
});
