import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assemblyOf } from '../../support/assembly';
import { RUN_TYPESCRIPT } from '../../support/run-typescript';
import { newDirectory } from '../../support/shared';
import { openWorld, type World } from '../../support/world';

const ROOT = path.join(__dirname, '../../..');
const SCRIPT = path.join(ROOT, 'docs/guide/snippets/export-histories.sh');
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };

/** The AWS CLI is the reader's: where the machine has none, the script cannot be run. */
const hasCli = spawnSync('aws', ['--version']).status === 0;
const testThere = hasCli ? test : test.skip;

let world: World;

beforeAll(async () => {
  world = await openWorld({ name: 'reference' }, { port: 0 });
}, 60_000);
afterAll(() => world.close());

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(command, args, { cwd: ROOT, env: { PATH: process.env['PATH'], HOME: '/', ...env } });
  const printed: string[] = [];
  child.stdout.on('data', chunk => printed.push(String(chunk)));
  child.stderr.on('data', chunk => printed.push(String(chunk)));
  return new Promise(resolve => child.on('close', code => resolve(`${printed.join('')}exit code ${code}`)));
}

describe('export-histories.sh, with the AWS CLI', () => {
  testThere(
    'what was executed since a day: a file each, and replay reads them',
    async () => {
      await world.delivered(ORDER);
      await world.pass(8 * 24 * 3600 * 1000);
      await world.delivered({ ...ORDER, orderId: 'order-8' });
      await world.delivered({ ...ORDER, orderId: 'order-8' });
      const directory = newDirectory();
      const config = path.join(newDirectory(), 'config');
      // The default of version 2, and of version 1 where it is said.
      writeFileSync(config, '[default]\ncli_timestamp_format = iso8601\n');
      const aws = {
        AWS_CONFIG_FILE: config,
        AWS_ENDPOINT_URL: world.stack.endpoint,
        AWS_REGION: 'us-east-1',
        AWS_DEFAULT_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'x',
        AWS_SECRET_ACCESS_KEY: 'y',
      };
      const machine = world.stack.output('StateMachineArn');

      expect(await run(SCRIPT, [machine, directory, '2026-11-25'], aws)).toBe('exit code 0');
      const files = readdirSync(directory).map(file => path.join(directory, file));
      expect(files).toHaveLength(2);
      const cli = [...RUN_TYPESCRIPT, 'cli/main.ts', 'replay', ...files, '--assembly'];
      const replayed = await run(process.execPath, [...cli, assemblyOf({ name: 'reference' })], {});
      expect(replayed).toMatch(/\n2 histories: 2 the same way, 0 another way, 0 not replayed\nexit code 0$/);
    },
    120_000,
  );
});
