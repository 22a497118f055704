import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { GetExecutionHistoryCommand, type HistoryEvent, SFNClient } from '@aws-sdk/client-sfn';
import { readAssembly } from '@onceflow/local';
import { Recovery } from '../../../infra/index';
import { assemblyOf } from '../../support/assembly';
import { failing, noFault, stopping } from '../../support/faults';
import { RUN_TYPESCRIPT } from '../../support/run-typescript';
import { newDirectory } from '../../support/shared';
import { fails, openWorld, returns, type World } from '../../support/world';

const ROOT = path.join(__dirname, '../../..');
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const REFERENCE = { name: 'reference' };
/** What CloudFormation and another account would have made of the names that the local stack gives. */
const DEPLOYED: readonly (readonly [RegExp, string])[] = [
  [/OnceflowPayments-(\w+)/g, 'OnceflowPayments-$1-QX7ZK2L9'],
  [/111111111111/g, '999988887777'],
  [/us-east-1/g, 'eu-west-1'],
];

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let world: World;
let sfn: SFNClient;
const directory = newDirectory();

beforeAll(async () => {
  world = await openWorld(REFERENCE, { port: 0 });
  const credentials = { accessKeyId: 'x', secretAccessKey: 'y' };
  sfn = new SFNClient({ region: 'us-east-1', credentials, endpoint: world.stack.endpoint });
}, 60_000);
afterAll(async () => {
  sfn.destroy();
  await world.close();
});

function replay(...args: readonly string[]): Promise<Ran> {
  const command = [...RUN_TYPESCRIPT, 'cli/main.ts', 'replay', ...args];
  const env = { PATH: process.env['PATH'] };
  return new Promise(resolve => {
    execFile(process.execPath, command, { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** Writes what the AWS CLI would have printed of an execution in its account, and returns the file. */
async function exported(executionArn: string, name: string): Promise<string> {
  const events: HistoryEvent[] = [];
  let nextToken: string | undefined;
  do {
    const page = await sfn.send(new GetExecutionHistoryCommand({ executionArn, nextToken, maxResults: 10 }));
    events.push(...(page.events ?? []));
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return fileWith(deployed(JSON.stringify({ events }, undefined, 4)), name);
}

function fileWith(text: string, name: string): string {
  const file = path.join(directory, name);
  writeFileSync(file, text);
  return file;
}

/** A file with the history of another state machine. */
function strangerFile(): string {
  const entered = { name: 'Hello', input: '{}' };
  const events = [
    { id: 1, type: 'ExecutionStarted', timestamp: 1, executionStartedEventDetails: { input: '{}' } },
    { id: 2, type: 'PassStateEntered', timestamp: 1, stateEnteredEventDetails: entered },
  ];
  return fileWith(JSON.stringify({ events }), 'stranger.json');
}

/** A file with the definition that the workflow was deployed with, changed. */
function changed(from: string | RegExp, to: string): string {
  const text = readAssembly(assemblyOf(REFERENCE)).stateMachines[0]?.definitionText ?? '';
  const other = text.replace(from, to);
  if (other === text) throw new Error(`nothing is changed by ${from}`);
  return fileWith(deployed(other), 'changed.asl.json');
}

function deployed(text: string): string {
  return DEPLOYED.reduce((now, [before, after]) => now.replace(before, after), text);
}

describe('onceflow replay, of what the shipped workflow did', () => {
  const histories: string[] = [];

  beforeAll(async () => {
    const keep = async (execution: { readonly executionArn: string }, name: string) => {
      histories.push(await exported(execution.executionArn, name));
    };
    await keep(await world.delivered(ORDER), 'first.json');
    await keep(await world.delivered(ORDER), 'duplicate.json');
    await keep(await world.delivered({ ...ORDER, amount: 13 }), 'other-payload.json');
    world.step = () => fails('CardDeclined');
    await keep(await world.delivered({ ...ORDER, orderId: 'order-8' }), 'failed.json');
    world.step = () => returns('paid');
    world.faults = failing('Claim record', 'DynamoDB.ProvisionedThroughputExceededException');
    await keep(await world.delivered({ ...ORDER, orderId: 'order-9' }), 'throttled.json');
    world.faults = stopping(world, 'Record the result', 'before');
    const owner = await world.deliver({ ...ORDER, orderId: 'order-10' });
    await world.settle();
    world.faults = noFault;
    await keep({ executionArn: owner }, 'aborted.json');
    await world.stack.runtime.redriveExecution({ executionArn: owner });
    await world.settle();
    await keep({ executionArn: owner }, 'redriven.json');
  }, 60_000);

  test('against its assembly, with the names of a deployment: all go the same way', async () => {
    const { code, stdout } = await replay(...histories, '--assembly', assemblyOf(REFERENCE));

    expect(stdout).toContain('first.json  the same way (');
    expect(stdout).toMatch(
      /Taken from the recordings, .*: OnceflowPayments-\w+ \(OnceflowPayments-\w+-QX7ZK2L9\)/,
    );
    expect(stdout).toMatch(/\n7 histories: 7 the same way, 0 another way, 0 not replayed\n$/);
    expect(code).toBe(0);
  }, 60_000);

  test('against a workflow with another payload: told at the first call, and exit code 1', async () => {
    const payload = '{% $states.input.detail.amount %}';
    const other = assemblyOf({ name: 'other payload', workflow: { payload } });
    const { code, stdout } = await replay(...histories, '--assembly', other);

    expect(stdout).toMatch(
      new RegExp(
        'first\\.json {2}another way \\(\\d+ events, SUCCEEDED\\)\\n' +
          ' {2}at event 3, 2026-11-20 09:00:00Z, state "Claim record": other arguments, .*payloadHash.*\\n' +
          ' {4}recorded {9}"\\w{64}"\\n' +
          ' {4}this definition {2}"\\w{64}"\\n',
      ),
    );
    expect(stdout).toMatch(/7 histories: 0 the same way, 7 another way, 0 not replayed\n$/);
    expect(code).toBe(1);
  }, 60_000);

  test('against an app of several state machines: the one that has the states is found', async () => {
    const several = assemblyOf({ name: 'with recovery', workflow: { recovery: Recovery.automatic() } });
    const { stdout } = await replay(...histories, '--assembly', several);
    const none = await replay(
      ...histories,
      '--assembly',
      several,
      '--state-machine',
      'ChargePaymentRecoveryState',
    );

    expect(readAssembly(several).stateMachines.length).toBeGreaterThan(1);
    expect(stdout).toMatch(/7 histories: 7 the same way, 0 another way, 0 not replayed\n$/);
    expect(none.stdout).toMatch(/7 histories: 0 the same way, \d another way, \d not replayed\n$/);
  }, 60_000);

  test('against the definition in a file, another state after the claim: told of those that claimed, as JSON', async () => {
    const file = changed('"Next":"Business step"', '"Next":"Read record"');
    const { code, stdout } = await replay(...histories, '--definition', file, '--json');

    const { histories: rows } = JSON.parse(stdout) as {
      histories: { file: string; outcome: string; divergence?: object }[];
    };
    expect(rows.map(({ outcome }) => outcome)).toEqual([
      'diverged',
      'same',
      'same',
      'diverged',
      'same',
      'diverged',
      'diverged',
    ]);
    expect(rows[0]?.divergence).toMatchObject({
      state: 'Claim record',
      aspect: 'next',
      recorded: 'enters "Business step", a Task state',
      replayed: 'enters "Read record"',
    });
    expect(code).toBe(1);
  }, 60_000);

  test('a history that is nested too deep, beside a good one: named, the good one is replayed, and exit code 2', async () => {
    const [good = ''] = histories;
    const deep = fileWith(`${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'deep.json');
    const nested = JSON.stringify(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    const within = fileWith(
      readFileSync(good, 'utf8').replace(/"input": ".*?[^\\]"/, () => `"input": ${nested}`),
      'within.json',
    );
    const { code, stdout } = await replay(good, deep, within, '--assembly', assemblyOf(REFERENCE));

    expect(stdout).toContain('first.json  the same way (');
    expect(stdout).toMatch(
      /deep\.json {2}not replayed: it is nested more than 1,000 levels deep at character/,
    );
    expect(stdout).toMatch(/within\.json {2}not replayed: input of event 1 is nested more than/);
    expect(code).toBe(2);
  }, 60_000);

  test('a file that is not a history, and one of another machine: named, the others are replayed, and exit code 2', async () => {
    const [good = ''] = histories;
    const answer = fileWith('{"executionArn":"arn","status":"RUNNING"}', 'answer.json');
    const files = [good, answer, strangerFile(), path.join(directory, 'nowhere.json')];
    const { code, stdout } = await replay(...files, '--assembly', assemblyOf(REFERENCE));

    expect(stdout).toMatch(
      /answer\.json {2}not replayed: it is not a history: it has no `events`; it has executionArn/,
    );
    expect(stdout).toMatch(
      /stranger\.json {2}not replayed: none of its states are in the definition: it begins with "Hello"/,
    );
    expect(stdout).toMatch(/nowhere\.json {2}not replayed: .*nowhere\.json does not exist/);
    expect(stdout).toMatch(/4 histories: 1 the same way, 0 another way, 3 not replayed\n$/);
    expect(code).toBe(2);
  }, 60_000);

  test('the only file is missing: named, and no app is asked for', async () => {
    const { code, stdout, stderr } = await replay('nope.json');

    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(stdout).toMatch(/^nope\.json {2}not replayed: nope\.json does not exist\n/);
    const { stdout: json } = await replay('nope.json', '--json');
    expect(JSON.parse(json)).toMatchObject({
      histories: [
        { file: 'nope.json', outcome: 'notReplayed', reason: expect.stringContaining('does not exist') },
      ],
    });
  });

  test.each<[string, readonly string[], RegExp]>([
    ['nothing to replay', [], /^onceflow: which history\? Pass a file .*\nSee onceflow replay --help\n$/],
    ['two definitions', ['a.json', '--definition', 'a', '--assembly', 'b'], /both select/],
    [
      'no such definition',
      ['-', '--definition', 'nowhere.json'],
      /--definition: nowhere\.json does not exist/,
    ],
    [
      'a definition that is none',
      [strangerFile(), '--definition', 'package.json'],
      /^onceflow: the definition cannot be used: SCHEMA_VALIDATION_FAILED: /,
    ],
    [
      'no such state machine',
      ['-', '--assembly', assemblyOf(REFERENCE), '--state-machine', 'Orders'],
      /--state-machine "Orders" is not a state machine of this app: ChargePaymentStateMachine\w+\n/,
    ],
  ])('%s: usage', async (_title, args, complaint) => {
    const { code, stdout, stderr } = await replay(...args);

    expect(stderr).toMatch(complaint);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});
