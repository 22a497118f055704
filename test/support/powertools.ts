import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { BaselinePackage } from '../../proof/bench/baseline-package';
import { makeTable } from '../../proof/guards/make-table';
import { openPowertools, type PowertoolsGuard } from '../../proof/guards/powertools';
import { RUN_TYPESCRIPT } from './run-typescript';
import type { World } from './world';

/** A suite with the released Powertools, which is installed the first time; skipped by name where it cannot be. */
export function describeWithPowertools(name: string, suite: (folder: string) => void): void {
  const found = installed();
  if (found.kind === 'missing') describe.skip(`${name} (skipped: ${found.reason})`, () => suite(''));
  else describe(name, () => suite(found.folder));
}

/** Suites are declared before anything can be awaited, so a process of its own installs it. */
function installed(): BaselinePackage {
  const code =
    "const { installBaseline, POWERTOOLS } = require('./proof/bench/baseline-package.ts');" +
    'installBaseline(POWERTOOLS).then(found => process.stdout.write(JSON.stringify(found)))';
  const root = path.join(__dirname, '../..');
  const { stdout, stderr } = spawnSync(process.execPath, [...RUN_TYPESCRIPT, '-e', code], {
    cwd: root,
    encoding: 'utf8',
  });
  if (stdout !== '') return JSON.parse(stdout);
  return { kind: 'missing', reason: stderr.trim().split('\n').at(-1) ?? '' };
}

/** The guard as it is released, with its records in a table of the world, which must be reachable at a port. */
export async function openGuard(folder: string, { stack }: World): Promise<PowertoolsGuard> {
  const { client } = stack.dynamoDb;
  const tableName = await makeTable(client, 'Guard');
  const config = {
    endpoint: stack.endpoint,
    region: await client.config.region(),
    credentials: await client.config.credentials(),
  };
  return openPowertools(folder, { tableName, config }).guard;
}
