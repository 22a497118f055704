import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { RUN_TYPESCRIPT } from '../../../../test/support/run-typescript';
import { machine, newDirectory, synthesize } from './world';

const PASS = { S: { Type: 'Pass', End: true } };
const ROOT = path.resolve(__dirname, '../../../..');

/** What a program prints that starts a stack, and leaves it open. */
async function printed(assembly: string, body: string): Promise<string> {
  const program = path.join(newDirectory(), 'main.ts');
  const [stack, kit] = ['start-local', 'testing/test-stack'].map(file => `${ROOT}/packages/local/${file}.ts`);
  const text = `
    import { startLocal } from ${JSON.stringify(stack)};
    import { startTestStack } from ${JSON.stringify(kit)};
    const assembly = ${JSON.stringify(assembly)};
    async function run() { ${body} }
    void run();`;
  writeFileSync(program, text);
  const run = promisify(execFile)(process.execPath, [...RUN_TYPESCRIPT, program], {
    cwd: ROOT,
    timeout: 20_000,
  });
  return (await run).stdout;
}

describe('a program that leaves a stack without functions open', () => {
  test.each(['startLocal', 'startTestStack'])(
    'by %s: ends on its own',
    async start => {
      const assembly = synthesize(stack => machine(stack, 'Machine', PASS));

      expect(await printed(assembly, `await ${start}({ assembly }); console.log('started');`)).toBe(
        'started\n',
      );
    },
    30_000,
  );

  test('and has asked it: ends on its own, whatever connections it keeps', async () => {
    const assembly = synthesize(stack => machine(stack, 'Machine', PASS));
    const asked = `const stack = await startLocal({ assembly });
      const answer = await fetch(stack.endpoint, { method: 'POST' }); console.log(typeof await answer.text());`;

    expect(await printed(assembly, asked)).toBe('string\n');
  }, 30_000);

  test('and closes it: is done when it is closed', async () => {
    const assembly = synthesize(stack => machine(stack, 'Machine', PASS));
    const body = `const stack = await startLocal({ assembly }); await stack.close(); console.log('closed');`;

    expect(await printed(assembly, body)).toBe('closed\n');
  }, 30_000);
});
