import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RUN_TYPESCRIPT } from '../../../../test/support/run-typescript';

const MAIN = [...RUN_TYPESCRIPT, path.join(__dirname, '../../command/main.ts')];
const LOCK = path.join(__dirname, '../../../../docs/guide/snippets/testing/lock.asl.json');
const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-explore-'));
afterAll(() => rmSync(directory, { recursive: true }));

test.each(['mjs', 'cjs'])('explore asks the invariants of a module, here .%s', ending => {
  const file = path.join(directory, `with.${ending}`);
  const members = "invariants = { imported: seen => seen.effects.length < 2 || 'imported twice' }";
  writeFileSync(file, ending === 'mjs' ? `export const ${members};` : `exports.${members};`);

  const given = ['explore', LOCK, '--with', file, '--faults', '0'];
  const { status, stdout } = spawnSync(process.execPath, [...MAIN, ...given], { encoding: 'utf8' });

  expect(stdout).toContain('=> imported: imported twice');
  expect(status).toBe(1);
});

test('a fault in the module is said, without a stack', () => {
  const file = path.join(directory, 'broken.mjs');
  writeFileSync(file, 'throw new Error("no such thing");');

  const given = ['explore', LOCK, '--with', file];
  const { status, stderr } = spawnSync(process.execPath, [...MAIN, ...given], { encoding: 'utf8' });

  expect(stderr).toContain(`onceflow-local: --with ${file} cannot be loaded: no such thing`);
  expect(status).toBe(2);
});

test('an invariant that is async and fails is rejected, without a stack', () => {
  const file = path.join(directory, 'async.mjs');
  writeFileSync(file, 'export const invariants = { once: async () => { throw new Error("twice"); } };');

  const given = ['explore', LOCK, '--with', file];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...MAIN, ...given], { encoding: 'utf8' });

  expect(stdout).toBe('');
  expect(stderr).toBe(
    'onceflow-local: `once` of `invariants` returns a promise; it must return its answer directly\n',
  );
  expect(status).toBe(2);
});
