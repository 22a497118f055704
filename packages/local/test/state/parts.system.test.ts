import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { RUN_TYPESCRIPT } from '../../../../test/support/run-typescript';

test('a place where no state directory can be made: rejected, and soon', () => {
  const code = `require('./packages/local/state/directory').openStateDirectory('/proc/onceflow/state')
    .then(result => console.log(result.kind))`;

  const ran = spawnSync(process.execPath, [...RUN_TYPESCRIPT, '--eval', code], {
    cwd: path.join(__dirname, '../../../..'),
    encoding: 'utf8',
    timeout: 20_000,
  });

  expect(ran).toMatchObject({ status: 0, stdout: 'rejected\n' });
}, 30_000);
