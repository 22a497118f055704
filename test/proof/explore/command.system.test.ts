import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RUN_TYPESCRIPT } from '../../support/run-typescript';

const ROOT = path.join(__dirname, '../../..');
const GOLDEN = golden('payload-and-retention');

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'onceflow-explore-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

const MAIN = path.join(ROOT, 'proof/explore/main.ts');

function explore(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...RUN_TYPESCRIPT, MAIN, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function shell(command: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: ROOT, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** How many synthesized apps there are in a directory. */
function appsNowIn(temporary: string): number {
  return readdirSync(temporary).filter(name => name.startsWith('onceflow-app-')).length;
}

/** Waits until the number of apps, and the one before, are what they should be. */
async function appsIn(temporary: string, isTime: (apps: number, before: number) => boolean): Promise<void> {
  for (let [apps, before] = [0, 0]; !isTime(apps, before); ) {
    await new Promise(resolve => setTimeout(resolve, 20));
    const now = appsNowIn(temporary);
    if (now !== apps) [apps, before] = [now, apps];
  }
}

/** Runs the command as a shell reads it. */
function asPrinted(words = '') {
  return shell(`'${process.execPath}' ${RUN_TYPESCRIPT.join(' ')} proof/explore/main.ts ${words}`);
}

function golden(name: string): string {
  return path.join(ROOT, `test/golden/${name}.asl.json`);
}

/** The golden definition with one text in it replaced, in a file. */
function changed(from: string, to: string): string {
  const text = readFileSync(GOLDEN, 'utf8');
  if (!text.includes(from)) throw new Error(`no ${from} in the definition`);
  const file = path.join(directory, "it's changed.asl.json");
  writeFileSync(file, text.replace(from, to));
  return file;
}

describe('npm run explore', () => {
  test('definition that holds: exit 0, the counts as JSON', () => {
    const { status, stdout } = explore(
      '--definition',
      GOLDEN,
      '--recovery',
      golden('recovery'),
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

  test('definition without a guard: exit 1, the story, and the command that tells it again', () => {
    const file = changed('attribute_not_exists(#idempotencyKey) OR', 'attribute_exists(#idempotencyKey) OR');

    const { status, stdout } = explore('--definition', file, '--faults', '0');

    expect(status).toBe(1);
    expect(stdout).toContain('VIOLATION of nothingIsStuck: with more deliveries the record is absent');
    const again = asPrinted(/^Again: npm run explore -- (.*)$/m.exec(stdout)?.[1]);
    expect(again.status).toBe(1);
    expect(stdout).toContain(again.stdout.trim());
  }, 60_000);

  test('mutation of a definition: its schedule goes through as printed', () => {
    const { status, stdout } = explore(
      '--definition',
      GOLDEN,
      '--mutations',
      '--only',
      'claim-unconditional',
    );

    expect(status).toBe(0);
    const again = asPrinted(/^ +npm run explore -- (.*)$/m.exec(stdout)?.[1]);
    expect(again.stdout).toContain('VIOLATION of completedStays');
    expect(again.status).toBe(1);
  }, 60_000);

  test('nothing is compared: no violation, and says so', () => {
    const { status, stdout } = explore(
      ...['--definition', golden('minimal'), '--recovery', golden('recovery'), '--faults', '1'],
    );

    expect(stdout).toMatch(/^ {2}payloads {10}not compared: all deliveries have the same$/m);
    expect(status).toBe(0);
  }, 60_000);

  test('reader that has gone: no stack trace', () => {
    const { stdout, stderr } = shell(
      `node ${RUN_TYPESCRIPT.join(' ')} proof/explore/main.ts --help | true; echo "\${PIPESTATUS[0]}"`,
    );

    expect(stderr).toBe('');
    expect(stdout).toBe('0\n');
  }, 60_000);

  test.each([
    ['while it synthesizes', (apps: number) => apps === 1, ''],
    [
      'while it explores',
      (apps: number, before: number) => apps === 0 && before === 1,
      'interrupted: no violation so far',
    ],
  ])(
    'interrupted %s: ends with 130, says what it knows, leaves nothing',
    async (_title, isTime, says) => {
      const temporary = mkdtempSync(path.join(directory, 'tmp-'));
      const child = spawn(process.execPath, [...RUN_TYPESCRIPT, MAIN, '--executions', '4', '--faults', '3'], {
        cwd: ROOT,
        env: { ...process.env, TMPDIR: temporary },
      });
      const printed: string[] = [];
      child.stdout.on('data', chunk => printed.push(String(chunk)));
      const ended = new Promise<number | null>(resolve => void child.on('close', resolve));
      try {
        await appsIn(temporary, isTime);
        child.kill('SIGINT');

        expect(await ended).toBe(130);
        expect(says === '' ? printed : printed.join('')).toEqual(
          says === '' ? [] : expect.stringContaining(says),
        );
        expect(appsNowIn(temporary)).toBe(0);
      } finally {
        child.kill('SIGKILL');
      }
    },
    60_000,
  );

  test.each([
    ['unknown option', ['--what'], /unknown option --what/],
    ['definition of a dispatcher', ['--definition', golden('dispatcher')], /no state `Claim record`/],
    ['unknown variant', ['--variant', 'x'], /--variant must be one of express, /],
    [
      'key that the explored event does not have',
      ['--definition', golden('composite-key')],
      /ends with Idempotency\.InvalidEvent before its claim; key and payload must be in the explored input/,
    ],
    [
      'step that is not possible',
      ['--definition', GOLDEN, '--replay', 'start1 works1.1'],
      /step 2 cannot happen: works1\.1\. Can happen: start2; do1/,
    ],
    [
      'mutation of a dispatcher that there is none of',
      ['--definition', GOLDEN, '--mutations', '--only', 'dispatch-read-fails'],
      /dispatch-read-fails is of the dispatcher, which there is none of/,
    ],
    [
      'mutation of another definition',
      ['--definition', golden('minimal'), '--mutations'],
      /judge-any-payload cannot be made: What does the record say\? has no rule "Another payload"/,
    ],
    ['definition that is not there', ['--definition', 'no.json'], /no\.json: ENOENT/],
    ['definition that is none', ['--definition', path.join(ROOT, 'package.json')], /package\.json: /],
    [
      'chain as a step',
      ['--definition', path.join(ROOT, 'test/golden/chain.asl.json')],
      /takes one function for the step, and it calls 0/,
    ],
    [
      'unknown mutation',
      ['--mutations', '--only', 'x', '--definition', GOLDEN],
      /--only must be one of claim-unconditional/,
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
