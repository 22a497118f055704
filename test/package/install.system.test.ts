import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanUp, newDirectory, node, packAll, TARBALLS } from './project';

/** How each package manager adds a tarball without the network: onceflow has nothing else to install. */
const MANAGERS = [
  ['npm', ['install', '--offline', '--no-audit', '--no-fund']],
  ['pnpm', ['add', '--offline']],
  ['yarn', ['add', '--offline']],
] as const;

const isThere = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

let tarball: string;
beforeAll(() => {
  tarball = path.join(packAll(), TARBALLS.onceflow);
}, 120_000);
afterAll(cleanUp);

describe('the line of the guide that installs onceflow', () => {
  for (const [manager, args] of MANAGERS) {
    // Those that this machine does not have are skipped by their names.
    (isThere(manager) ? test : test.skip)(
      `${manager}: the command line runs, and the entries are found by ES modules and CommonJS`,
      async () => {
        const directory = newDirectory();
        writeFileSync(path.join(directory, 'package.json'), '{ "private": true }');
        const env = { ...process.env, npm_config_cache: newDirectory() };
        execFileSync(manager, [...args, tarball], { cwd: directory, env, stdio: 'pipe' });
        writeFileSync(
          path.join(directory, 'names.mjs'),
          "import { ERROR } from 'onceflow/contract'; console.log(ERROR.invalidEvent);",
        );

        const names = await node(directory, 'names.mjs');
        const required = await node(directory, '-p', "require('onceflow/contract').ERROR.invalidEvent");
        const program = execFileSync(path.join(directory, 'node_modules/.bin/onceflow'), ['--version']);

        expect([names.stdout, required.stdout]).toEqual(Array(2).fill('Idempotency.InvalidEvent\n'));
        const { version } = JSON.parse(
          readFileSync(path.join(directory, 'node_modules/onceflow/package.json'), 'utf8'),
        );
        expect(String(program)).toBe(`${version}\n`);
      },
      60_000,
    );
  }
});
