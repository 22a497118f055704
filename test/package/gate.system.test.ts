import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { newDirectory } from '../support/shared';

const GATE = readFileSync(path.join(__dirname, '../../.ci/run'), 'utf8');
const SIDE_BY_SIDE = /^side_by_side\(\) \{\n[\s\S]*?^\}\n/m.exec(GATE)?.[0] ?? '';

/** Runs two commands as the gate does, which ends at the first failure. */
function ran(first: string, second: string) {
  const script = `set -euo pipefail\n${SIDE_BY_SIDE}\nside_by_side "$1" "$2"\necho 'goes on'`;
  const { status, stdout } = spawnSync('bash', ['-c', script, 'gate', first, second], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { status, stdout };
}

describe('two commands side by side in .ci/run', () => {
  test('both well: the output of each in one piece, and the gate goes on', () => {
    const slow = 'echo a; sleep 0.2; echo b';

    expect(ran(slow, 'echo c; echo d >&2')).toEqual({ status: 0, stdout: 'a\nb\nc\nd\ngoes on\n' });
  });

  test('they run at the same time: one waits for what the other does', () => {
    const fifo = `'${path.join(newDirectory(), 'fifo')}'`;

    expect(
      ran(`mkfifo ${fifo}; cat ${fifo}`, `until [ -p ${fifo} ]; do :; done; echo met > ${fifo}`),
    ).toEqual({
      status: 0,
      stdout: 'met\ngoes on\n',
    });
  });

  test.each([
    ['the first', 'echo a; exit 3', 'echo b', 3],
    ['the second', 'echo a', 'echo b; exit 4', 4],
    ['both', 'echo a; exit 3', 'echo b; exit 4', 4],
  ])('%s fails: so does the gate, with both outputs', (_case, first, second, status) => {
    expect(ran(first, second)).toEqual({ status, stdout: 'a\nb\n' });
  });
});
