import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { asset, closeAll } from './fixture';

afterEach(closeAll);

const ROOT = resolve(__dirname, '../../../../..');

/** Runs a TypeScript program on its own, under the loader that the demo runs under. */
async function program(text: string): Promise<string> {
  const directory = asset({ 'main.ts': text });
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', `${directory}/main.ts`], {
    cwd: ROOT,
    timeout: 20_000,
  });
  const { stdout, stderr } = await run;
  return stdout + stderr;
}

function main(handler: string, body: string): string {
  const directory = asset({ 'index.js': handler });
  return `
    import { createLambdaFunctions } from ${JSON.stringify(`${ROOT}/packages/local/services/lambda/functions.ts`)};
    const functions = createLambdaFunctions({ functions: [{
      arn: 'arn:aws:lambda:us-east-1:111111111111:function:fn', name: 'fn',
      directory: ${JSON.stringify(directory)}, handler: 'index.handler',
      timeoutSeconds: 1, memoryMb: 128, environment: {},
    }] });
    async function run() { ${body} }
    void run();`;
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
});
