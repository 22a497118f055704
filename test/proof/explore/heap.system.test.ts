import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { isHeapNearlyFull } from '../../../proof/explore/search/heap';
import { RUN_TYPESCRIPT } from '../../support/run-typescript';

const HEAP = path.join(__dirname, '../../../proof/explore/search/heap.ts');

/** The message about a heap of 256 MB of which so many MB are in use, and so many are garbage. */
function isNearlyFull(used: number, garbage: number): string {
  const program = `
    const { isHeapNearlyFull } = require(${JSON.stringify(HEAP)});
    const filled = megabytes => Array.from({ length: megabytes }, () => new Array(131072).fill(1.5));
    const kept = filled(${used});
    filled(${garbage});
    console.log(isHeapNearlyFull(), kept.length > 0);
  `;
  const args = ['--max-old-space-size=256', ...RUN_TYPESCRIPT, '-e', program];
  const { stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return stdout.split(' ')[0] ?? '';
}

describe('isHeapNearlyFull', () => {
  test('little in use: no', () => expect(isHeapNearlyFull()).toBe(false));

  test('much garbage: no', () => expect(isNearlyFull(1, 100)).toBe('false'));

  test('nearly all in use: yes', () => expect(isNearlyFull(210, 0)).toBe('true'));
});
