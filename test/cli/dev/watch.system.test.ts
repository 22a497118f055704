import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { SFN } from '@aws-sdk/client-sfn';
import { RUN_TYPESCRIPT } from '../../support/run-typescript';
import { newDirectory } from '../../support/shared';

const ROOT = path.join(__dirname, '../../..');

/** An app as far as `onceflow dev` knows apps: a command that writes a cloud assembly, or fails and says why. */
const APP = `
const fs = require('node:fs');
const out = process.env.CDK_OUTDIR + '/';
const greeting = fs.readFileSync('greeting.txt', 'utf8');
if (greeting === 'impossible') throw new Error('this greeting cannot be synthesized');
const Type = greeting === 'unknown' ? 'Song' : 'Pass';
const States = { Greet: { Type, Output: greeting, End: true } };
const DefinitionString = JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'Greet', States });
const Properties = { StateMachineName: 'Greeter', RoleArn: 'arn:aws:iam::111111111111:role/r', DefinitionString };
const template = { Resources: { Greeter: { Type: 'AWS::StepFunctions::StateMachine', Properties } } };
fs.writeFileSync(out + 'S.template.json', JSON.stringify(template));
const stack = { type: 'aws:cloudformation:stack', environment: 'aws://unknown-account/unknown-region' };
const artifacts = { S: { ...stack, properties: { templateFile: 'S.template.json' } } };
fs.writeFileSync(out + 'manifest.json', JSON.stringify({ version: '55.0.0', artifacts }));
`;

let child: ChildProcess;
afterEach(() => {
  child.kill('SIGKILL');
});

/** Runs `onceflow dev --watch` in a directory, and collects what it prints. */
function watchIn(directory: string, ...args: readonly string[]) {
  const main = path.join(ROOT, 'cli/main.ts');
  const given = [...RUN_TYPESCRIPT, main, 'dev', '--watch', '--port', '0', ...args];
  child = spawn(process.execPath, given, { cwd: directory });
  let printed = '';
  const printing = new EventEmitter();
  for (const output of [child.stdout, child.stderr]) {
    output?.on('data', chunk => {
      printed += String(chunk);
      printing.emit('more');
    });
  }
  child.on('close', () => printing.emit('more'));
  return {
    /** Resolves to what `pattern` matches in what has been printed since the last match. */
    async prints(pattern: RegExp): Promise<string> {
      for (;;) {
        const match = pattern.exec(printed);
        if (match) {
          printed = printed.slice(match.index + match[0].length);
          return match[0];
        }
        if (child.exitCode !== null) throw new Error(`ended: ${printed}`);
        await once(printing, 'more');
      }
    },
  };
}

async function greetingAt(endpoint: string): Promise<unknown> {
  const sfn = new SFN({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
  });
  const stateMachineArn = 'arn:aws:states:us-east-1:111111111111:stateMachine:Greeter';
  const { executionArn } = await sfn.startExecution({ stateMachineArn });
  for (;;) {
    const { status, output } = await sfn.describeExecution({ executionArn });
    if (status !== 'RUNNING') {
      sfn.destroy();
      return JSON.parse(output ?? 'null');
    }
  }
}

function appIn(directory: string) {
  writeFileSync(path.join(directory, 'app.js'), APP);
  writeFileSync(path.join(directory, 'cdk.json'), '{ "app": "node app.js" }');
  const greet = (greeting: string) => writeFileSync(path.join(directory, 'greeting.txt'), greeting);
  greet('one');
  return greet;
}

describe('onceflow dev --watch', () => {
  test('a change that fails, one that cannot run, one that runs: the stack from before, then the new one', async () => {
    const directory = newDirectory();
    const greet = appIn(directory);
    const { prints } = watchIn(directory);
    const endpoint = await prints(/http:\/\/127\.0\.0\.1:\d+/);
    await prints(/Ctrl-C ends it./);
    expect(await greetingAt(endpoint)).toBe('one');

    greet('impossible');
    await prints(/greeting.txt changed; synthesizing the app\n/);
    await prints(
      /onceflow dev: the app cannot be synthesized: .*\n(?:.*\n)*?.*this greeting cannot be synthesized/,
    );
    await prints(/The stack still runs as it was before the change\.\n/);
    expect(await greetingAt(endpoint)).toBe('one');

    greet('unknown');
    await prints(/onceflow dev: a state machine cannot be run here\n/);
    await prints(/The stack still runs as it was before the change\.\n/);
    expect(await greetingAt(endpoint)).toBe('one');

    writeFileSync(path.join(directory, 'notes.txt'), 'nothing that is deployed');
    greet('one');
    await prints(/no deployed resource has changed, so the stack keeps running\n/);

    greet('two');
    await prints(/restarted with the change; data in memory is lost \(--state DIR keeps it\)\n/);
    expect(await greetingAt(endpoint)).toBe('two');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([0, null]);
  }, 60_000);

  test('with --state in the directory itself, and --json: kept files are not a change; a line for each restart', async () => {
    const directory = newDirectory();
    const greet = appIn(directory);
    const { prints } = watchIn(directory, '--json', '--state', 'kept');
    const first = JSON.parse(await prints(/\{.*\}\n/));
    expect(await greetingAt(first.endpoint)).toBe('one');

    greet('two');
    const second = JSON.parse(await prints(/\{.*\}\n/));

    expect(second).toEqual({ ...first, resumed: 0 });
    expect(await greetingAt(second.endpoint)).toBe('two');
  }, 60_000);

  test('an app that fails at first: waits for a change', async () => {
    const directory = newDirectory();
    const greet = appIn(directory);
    greet('impossible');
    const { prints } = watchIn(directory);
    await prints(/this greeting cannot be synthesized/);

    greet('one');

    await prints(/Ctrl-C ends it./);
  }, 60_000);
});
