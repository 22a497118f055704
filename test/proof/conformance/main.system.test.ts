import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RUN_TYPESCRIPT } from '../../support/run-typescript';

const ROOT = path.join(__dirname, '../../..');

/** What `npm run conformance -- ...` does with these arguments. */
function conformance(...args: string[]) {
  const main = path.join(ROOT, 'proof/conformance/main.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [...RUN_TYPESCRIPT, main, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('npm run conformance', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'onceflow-conformance-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('cases that pass: a line per folder and exit code 0, nothing on stderr', () => {
    const ran = conformance('test/proof/conformance/cases', '--filter', 'choice/');

    expect(ran).toMatchObject({ status: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^ {2}choice {2}1 passed, 0 failed, 0 skipped\n {2}[\d.]+ s\n$/);
  });

  test('a case that fails, with --json: one object with the difference, exit code 1', () => {
    writeFileSync(path.join(folder, 'broken.json'), '{"kind":"api"}');

    const ran = conformance(folder, '--json');

    expect(ran).toMatchObject({ status: 1, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ok: false,
      failed: 1,
      failures: [{ file: 'broken.json', path: '/', message: 'lacks /calls' }],
    });
  });

  test('cases of a wrong form: each fails by its name, and the others are run', () => {
    const wrong = { a: '{"kind":"api","calls":5}', b: '{"kind":"execution-batch","runs":3}' };
    const cases = path.join(folder, 'wrong');
    mkdirSync(cases);
    for (const [name, text] of Object.entries(wrong)) writeFileSync(path.join(cases, `${name}.json`), text);
    cpSync(path.join(ROOT, 'test/proof/conformance/cases/choice'), cases, { recursive: true });

    const ran = conformance(cases, '--json');

    expect(ran).toMatchObject({ status: 1, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      passed: 1,
      failed: 2,
      failures: [
        { file: 'a.json', message: '/calls is not a list' },
        { file: 'b.json', message: '/runs is not a list' },
      ],
    });
  });

  test('nothing to run: says why, exit code 2', () => {
    expect(conformance(folder, '--filter', 'nothing')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining("with 'nothing' in their path"),
    });
    expect(conformance(path.join(folder, 'nowhere'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('cannot be read'),
    });
  });
});
