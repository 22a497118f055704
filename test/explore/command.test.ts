import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.join(__dirname, '../..');
const GOLDEN = path.join(ROOT, 'test/golden/payload-and-retention.asl.json');

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'onceflow-explore-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function explore(...args: readonly string[]) {
  const main = path.join(ROOT, 'explore/main.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', main, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** The golden definition with one text in it replaced, in a file. */
function changed(from: string, to: string): string {
  const text = readFileSync(GOLDEN, 'utf8');
  if (!text.includes(from)) throw new Error(`no ${from} in the definition`);
  const file = path.join(directory, 'changed.asl.json');
  writeFileSync(file, text.replace(from, to));
  return file;
}

describe('npm run explore', () => {
  it('definition that holds: exit 0, the counts as JSON', () => {
    const { status, stdout } = explore(
      '--definition',
      GOLDEN,
      '--executions',
      '1',
      '--faults',
      '1',
      '--json',
    );

    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ executions: 1, faults: 1, states: expect.any(Number) });
    expect(JSON.parse(stdout)).not.toHaveProperty('violation');
  }, 60_000);

  it('definition without a guard: exit 1, the story, and the command that tells it again', () => {
    const file = changed("$owner.status in ['RUNNING', 'PENDING_REDRIVE']", 'false');

    const { status, stdout } = explore('--definition', file, '--faults', '0');

    expect(status).toBe(1);
    expect(stdout).toContain('VIOLATION of oneStepAtATime: 2 runs of the step are under way');
    const schedule =
      /^Again: npm run explore -- .* --definition \S+ --replay '(.*)'$/m.exec(stdout)?.[1] ?? '';
    const again = explore('--definition', file, '--faults', '0', '--replay', schedule);
    expect(again.status).toBe(1);
    expect(stdout).toContain(again.stdout.trim());
  }, 60_000);

  it.each([
    ['unknown option', ['--what'], /Unknown option '--what'/],
    ['definition that is not there', ['--definition', 'no.json'], /no\.json: ENOENT/],
    ['definition that is none', ['--definition', path.join(ROOT, 'package.json')], /package\.json: /],
    [
      'chain as a step',
      ['--definition', path.join(ROOT, 'test/golden/chain.asl.json')],
      /knows no parallel states/,
    ],
    [
      'unknown mutation',
      ['--mutations', '--only', 'x', '--definition', GOLDEN],
      /--only takes one of claim-unconditional/,
    ],
  ])(
    '%s: exit 2, says what is wrong',
    (_title, args, message) => {
      const { status, stderr } = explore(...args);

      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/^ {4}at /m);
      expect(status).toBe(2);
    },
    60_000,
  );
});
