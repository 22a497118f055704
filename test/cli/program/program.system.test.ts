import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { RUN_TYPESCRIPT } from '../../support/run-typescript';

const ROOT = path.join(__dirname, '../../..');
const COMMAND = [...RUN_TYPESCRIPT, path.join(__dirname, 'sample/main.ts')];

/** How a program ended. */
interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the sample program; `onReady` is called when it says that it is ready. */
function sample(
  args: readonly string[],
  onReady?: (child: ReturnType<typeof spawn>) => void,
): Promise<Ended> {
  const child = spawn(process.execPath, [...COMMAND, ...args], { cwd: ROOT });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (stdout === '') onReady?.(child);
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise(resolve => child.on('close', code => resolve({ code, stdout, stderr })));
}

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

describe('a program', () => {
  test.each([
    [['--help'], { code: 0, stdout: 'Usage: sample\n', stderr: '' }],
    [[], { code: 2, stdout: '', stderr: 'sample: what?\nSee sample --help\n' }],
    [['reject'], { code: 2, stdout: '', stderr: 'sample: not this one\nSee sample --help\n' }],
    [['fail'], { code: 3, stdout: '', stderr: 'sample: out of paper\n' }],
  ])('%j: %j', async (args, expected) => {
    expect(await sample(args)).toEqual(expected);
  });

  test('its exit code is set when all is written', async () => {
    const { code, stdout } = await sample(['talk']);

    expect({ code, lines: stdout.split('\n').length }).toEqual({ code: 1, lines: 10_001 });
  });
});

describe('Ctrl-C', () => {
  test('twice within a moment, as npm hands it on: once; the program cleans up', async () => {
    const { code, stdout } = await sample(['wait', '300'], async child => {
      child.kill('SIGINT');
      await wait(50);
      child.kill('SIGINT');
    });

    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ready\ncleaned up\n' });
  });

  test('again later: the process ends at once', async () => {
    const { code, stdout } = await sample(['wait', '20000'], async child => {
      child.kill('SIGINT');
      await wait(1_200);
      child.kill('SIGTERM');
    });

    expect({ code, stdout }).toEqual({ code: 130, stdout: 'ready\n' });
  });
});

describe('the output', () => {
  test('closed by its reader: no complaint', async () => {
    const { stderr } = await sample(['talk'], child => child.stdout?.destroy());

    expect(stderr).toBe('');
  });

  const onLinux = existsSync('/dev/full') ? test : test.skip;
  onLinux('on a full disk: a line that says so, and 1', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [...COMMAND, '--help'], {
      cwd: ROOT,
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const code = await new Promise(resolve => child.on('close', resolve));

    expect({ code, stderr }).toEqual({ code: 1, stderr: 'sample: the output cannot be written (ENOSPC)\n' });
  });
});
