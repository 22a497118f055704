import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { DefinitionBody, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { assemblyOf } from '../../support/assembly';
import { RUN_TYPESCRIPT } from '../../support/run-typescript';
import { newDirectory } from '../../support/shared';
import { openWorld, type World } from '../../support/world';

const ROOT = path.join(__dirname, '../../..');

let world: World;

beforeAll(async () => {
  world = await openWorld({ name: 'reference' }, { port: 0 });
}, 60_000);
afterAll(() => world.close());

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command against the local endpoint. */
function validate(...args: readonly string[]): Promise<Ran> {
  const command = [...RUN_TYPESCRIPT, 'cli/main.ts', 'validate', ...args];
  const env = { PATH: process.env['PATH'], AWS_ENDPOINT_URL: world.stack.endpoint };
  return new Promise(resolve => {
    execFile(process.execPath, command, { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** An assembly with a definition that is none. */
function brokenAssembly(): string {
  const app = new App({ outdir: newDirectory() });
  const stack = new Stack(app, 'Broken');
  new StateMachine(stack, 'Broken', {
    definitionBody: DefinitionBody.fromString('{"StartAt":"A","States":{}}'),
  });
  return app.synth().directory;
}

describe('onceflow validate, at the local endpoint', () => {
  test('the shipped app: accepted, and its errors go where they are to go; nothing is rejected', async () => {
    const { code, stdout } = await validate('--assembly', assemblyOf({ name: 'reference' }), '--json');

    const { rows } = JSON.parse(stdout) as { rows: { claim: string; verdict: string; detail: string }[] };
    const definitions = rows.filter(({ claim }) => claim === 'the definition is accepted');
    expect(definitions.map(({ verdict }) => verdict)).toEqual(['confirmed', 'confirmed']);
    const errors = rows.filter(({ claim }) => claim.startsWith('errors of '));
    expect(errors.map(({ claim }) => claim)).toContain('errors of "Claim record": 3 by name');
    expect(rows.filter(({ verdict }) => verdict !== 'confirmed')).toEqual([]);
    expect(code).toBe(0);
  }, 60_000);

  test('a definition that is none: rejected with the reason, and exit code 1', async () => {
    const { code, stdout } = await validate('--assembly', brokenAssembly());

    expect(stdout).toMatch(/the definition is accepted +rejected +\w+: /);
    expect(stdout).toMatch(
      /rows?: \d+ confirmed, 1 rejected, \d+ unknown; asked of http:\/\/127\.0\.0\.1:\d+, and not of AWS\n$/,
    );
    expect(code).toBe(1);
  }, 60_000);

  test('an endpoint without a server: every row says so, and the exit code that nothing is known', async () => {
    const nowhere = ['--endpoint', 'http://127.0.0.1:1'];
    const { code, stdout } = await validate('--assembly', assemblyOf({ name: 'reference' }), ...nowhere);

    expect(stdout).toMatch(/ unknown +ValidateStateMachineDefinition got no answer from 127\.0\.0\.1:1 /);
    expect(stdout).toMatch(/: 0 confirmed, 0 rejected, \d+ unknown; /);
    expect(code).toBe(1);
  }, 60_000);

  test('answers are recorded, and later ones compared with them', async () => {
    const file = path.join(newDirectory(), 'answers.json');
    const app = ['--assembly', assemblyOf({ name: 'reference' })];
    const recorded = await validate(...app, '--record', file);
    const same = await validate(...app, '--compare', file);
    const recording = JSON.parse(readFileSync(file, 'utf8'));
    recording.rows[0].verdict = 'unknown';
    recording.rows[0].detail = 'no permission';
    recording.rows[1].claim = 'something else';
    writeFileSync(file, JSON.stringify(recording));
    const other = await validate(...app, '--compare', file);

    expect([recorded.code, same.code, other.code]).toEqual([0, 0, 1]);
    expect(same.stdout).toMatch(/\nthe same as the answers of http:\S+, recorded \d{4}-\d\d-\d\dT\S+Z\n$/);
    expect(other.stdout).toMatch(/\n3 rows not as in the answers of /);
    expect(other.stdout).toMatch(
      /, the definition is accepted: unknown: no permission before, confirmed now\n/,
    );
    expect(other.stdout).toMatch(/, something else: confirmed before, not asked now\n$/);
  }, 60_000);

  test.each(['package.json', 'README.md'])(
    'a file that is not a recording is rejected as wrong usage: %s',
    async name => {
      const file = path.join(ROOT, name);
      const { code, stderr } = await validate('--assembly', ROOT, '--compare', file);

      expect([code, stderr.split('\n')[0]]).toEqual([
        2,
        `onceflow: ${file} is not a recording: npm run onceflow -- validate --record FILE writes one`,
      ]);
    },
    60_000,
  );

  test('a directory without an assembly: usage', async () => {
    const { code, stderr } = await validate('--assembly', ROOT);

    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^onceflow: what is given cannot be run here: .*: has nothing to run; give a directory that `cdk synth` writes.*\n/,
    );
    expect(stderr).toContain('See onceflow validate --help');
  }, 60_000);
});
