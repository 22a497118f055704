import { spawnSync } from 'node:child_process';
import { RUN_TYPESCRIPT } from '../../support/run-typescript';

/** What `npm run changes -- --list` prints in an environment. */
function listed(env: NodeJS.ProcessEnv) {
  const command = [...RUN_TYPESCRIPT, 'proof/changes/main.ts', '--list', '--count', '1'];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', env });
  return { status, stdout, stderr };
}

test.each([
  [
    'git',
    { PATH: '/nowhere' },
    'git is not on the PATH, and changes are tried in a copy of the last commit. Install git',
  ],
  [
    'repository',
    { ...process.env, GIT_DIR: '/nowhere' },
    'this directory has no commit that could be changed. Run it in a clone of the repository',
  ],
])('npm run changes without a %s says what is missing', (_, env, message) => {
  const stderr = `changes: ${message}\nSee npm run changes -- --help\n`;
  expect(listed(env)).toEqual({ status: 2, stdout: '', stderr });
});
