import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { RUN_TYPESCRIPT } from '../../support/run-typescript';

const ROOT = path.join(__dirname, '../../..');

/** Runs the program as `npm run diagram` does. */
function diagram(...args: readonly string[]) {
  const command = [...RUN_TYPESCRIPT, 'proof/diagram/main.ts', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('npm run diagram', () => {
  test('--help: what it draws, and nothing is drawn', () => {
    expect(diagram('--help')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Usage: npm run diagram\n[\s\S]*docs\/images\/workflow\.svg/),
      stderr: '',
    });
  });

  test('anything else: rejected', () => {
    expect(diagram('--definition', 'x')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'diagram: unknown option --definition\nSee npm run diagram -- --help\n',
    });
  });
});
