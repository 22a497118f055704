import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CreateStateMachineCommand, SFNClient } from '@aws-sdk/client-sfn';
import { RUN_TYPESCRIPT } from '../../../../test/support/run-typescript';

const MAIN = [...RUN_TYPESCRIPT, path.join(__dirname, '../../command/main.ts')];
const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-command-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

function fileWith(name: string, content: unknown): string {
  const file = path.join(directory, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Outputs are long. */
const OPTIONS = { cwd: directory, maxBuffer: 1e8 };

/** What the command prints, and how it ends. */
function command(...given: readonly string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>(resolve => {
    execFile(process.execPath, [...MAIN, ...given], OPTIONS, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

const ORDER = fileWith('order.asl.json', {
  StartAt: 'Think',
  States: {
    Think: { Type: 'Wait', Seconds: 86_400, Next: 'Ask' },
    Ask: { Type: 'Task', Resource: 'arn:aws:states:::bedrock:invokeModel', Parameters: {}, End: true },
  },
});
const MOCKS = fileWith('mocks.yaml', 'Answers:\n  Ask:\n    Return: { answer: 42 }\n');
const TOKEN = fileWith('token.asl.json', {
  StartAt: 'Ask',
  States: {
    Ask: {
      Type: 'Task',
      Resource: 'arn:aws:states:::events:putEvents.waitForTaskToken',
      Parameters: {
        Entries: [{ Source: '${From}', DetailType: 'ask', Detail: { 'token.$': '$$.Task.Token' } }],
      },
      End: true,
    },
  },
});
const TEMPLATE = fileWith('template.yaml', {
  Parameters: { Word: { Type: 'String' } },
  Resources: Object.fromEntries(
    ['First', 'Second'].map(name => [
      name,
      {
        Type: 'AWS::Serverless::StateMachine',
        Properties: {
          Definition: { StartAt: 'A', States: { A: { Type: 'Pass', Result: '${Word}', End: true } } },
          DefinitionSubstitutions: { Word: { Ref: 'Word' } },
        },
      },
    ]),
  ),
});

const LATIN_1 = path.join(directory, 'latin-1.json');
writeFileSync(LATIN_1, Buffer.from('{"name":"caf\xe9"}', 'latin1'));
const TWICE = fileWith('twice.json', '{"a":{"b":1,"b":2}}');
const BOMB = fileWith(
  'bomb.asl.yaml',
  ['a: &a [x]', ...[...'bcdef'].map((key, at) => `${key}: &${key} [${`*${'abcde'[at]},`.repeat(20)}]`)].join(
    '\n',
  ),
);
const ENDLESS = fileWith('endless.asl.json', '{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"A"}}}');
const INVOKE = fileWith('invoke.asl.json', {
  StartAt: 'Charge',
  States: {
    Charge: { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:111111111111:function:Charge', End: true },
  },
});
const RETURN = { Return: 1 };
/** So that the execution succeeds. */
const ANSWER = { 'order/Ask': RETURN };
const cases = (machines: Readonly<Record<string, object>>) => ({
  StateMachines: Object.fromEntries(
    Object.entries(machines).map(([name, TestCases]) => [name, { TestCases }]),
  ),
  MockedResponses: { a: { 0: RETURN } },
  Answers: {},
});
const CASES = fileWith('cases.json', cases({ order: { Busy: { Ask: 'a' }, Fine: { Ask: 'a' } } }));

describe('run', () => {
  test('prints the history, in which a day passes at once, and ends with the status', async () => {
    const { code, stdout } = await command(
      'run',
      ORDER,
      '--mocks',
      MOCKS,
      '--input',
      fileWith('in.json', { a: 1 }),
    );

    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {3}1 {7}0\.000 s {2}ExecutionStarted {2}\{"a":1\}$/m);
    expect(stdout).toMatch(/ 86400\.000 s {2}TaskStateEntered {2}Ask/);
    expect(stdout).toMatch(/\nSUCCEEDED\n\{"answer":42\}\n$/);
  });

  test('without an answer: status 1, and the line to add', async () => {
    const { code, stdout } = await command('run', ORDER, '--json');

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'FAILED',
      cause: expect.stringContaining('"Ask": {"Return": {}}'),
    });
  });

  test('a task token without an answer: RUNNING, and the state', async () => {
    const { code, stdout } = await command('run', TOKEN, '--parameter', 'From=shop');

    expect(code).toBe(1);
    expect(stdout).toMatch(
      /\nRUNNING {2}The state 'Ask' waits for an answer .*: "Ask": \{"Return": \{\}\}\n$/,
    );
  });

  test('a state machine of a template, by its logical id', async () => {
    const { code, stdout } = await command('run', TEMPLATE, '--machine', 'Second', '--parameter', 'Word=hi');

    expect([code, stdout.split('\n').at(-2)]).toEqual([0, '"hi"']);
  });
});

test.each([
  [['run'], /`run` takes one state machine/],
  [['order.asl.json'], /there is no command order\.asl\.json; did you mean `serve order\.asl\.json`/],
  [['serve'], /`serve` needs a file or a directory/],
  [['run', ORDER, '--port', '1'], /`run` has no option --port/],
  [['--prot', '1'], /unknown option --prot; did you mean --port\?; --help shows all options\n/],
  [['serve', ORDER, '--parameter', 'x'], /--parameter must be NAME=VALUE; got "x"/],
  [['run', ORDER, '--input', 'none.json'], /--input none\.json does not exist/],
  [['run', ORDER, '--input', '.'], /--input \. is a directory, and must be a file/],
  [['run', ORDER, '--input', LATIN_1], /--input .*latin-1\.json is not UTF-8/],
  [['run', ORDER, '--input', '{"a":1,"a":2}'], /has the member a twice/],
  [['run', ORDER, '--input', TWICE], /--input .*twice\.json has the member a\.b twice/],
  [['run', LATIN_1], /what is given cannot be run here\n {2}.*latin-1\.json: is not UTF-8/],
  [['run', ENDLESS], /a state machine cannot be run here\n.*: Workflow has no terminal state'/],
  [['run', BOMB], /what is given cannot be run here\n {2}.*bomb\.asl\.yaml: uses an alias too often/],
  [['run', TEMPLATE, '--parameter', 'Wrod=a'], /Wrod: is not a parameter here; did you mean Word\?/],
  [['run', TOKEN, '--parameter', 'Form=a'], /Form: is not a parameter here; there are none/],
  [['run', INVOKE, '--function', 'Chrage=./charge.js'], /Chrage: is not a function here; there are none/],
  [['run', TEMPLATE, '--parameter', 'Word=a', '--machine', 'Frist'], /Frist .*; did you mean First\?/],
  [['run', ORDER, '--mocks', CASES], /the mocks only have test cases; pass --case with one of Busy, Fine/],
  [['run', TOKEN, '--mocks', CASES], /the mocks have no test case of token, only those of order/],
  [['run', ORDER, '--mocks', CASES, '--case', 'Bsuy'], /no test case Bsuy of order; .*: Busy, Fine/],
  [['run', ORDER, '--input', MOCKS], /Invalid State Machine Execution Input/],
  [['run', 'none.asl.json'], /none\.asl\.json: does not exist; give a directory/],
  [['run', ORDER, '--mocks', 'none.json'], /none\.json does not exist/],
  [['run', TEMPLATE], /Parameters\.Word: has no value and no default; pass --parameter 'Word=VALUE'/],
  [
    ['run', TEMPLATE, '--parameter', 'Word=a'],
    /several state machines; pass --machine with one of First, Second/,
  ],
] as const)('%j: status 2, and one clear sentence', async (given, message) => {
  const { code, stderr } = await command(...given);

  expect(code).toBe(2);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/ {4}at /);
});

describe('mocks with a name that nothing has', () => {
  test.each([
    [
      { Answers: { Aks: RETURN } },
      /warning: .*: Answers\.Aks is not a state that calls, .*did you mean Ask\?/,
    ],
    [{ Answers: { 'bedrok:invokeModel': RETURN } }, /did you mean bedrock:invokeModel\?/],
    [{ Answers: { 'oder/Ask': RETURN } }, /Answers\.oder\/Ask is not a state that calls/],
    [{ Answers: { Think: RETURN } }, /Answers\.Think is not a state that calls/],
    [
      cases({ oder: { A: { Ask: 'a' } } }),
      /StateMachines\.oder is not a state machine here; did you mean order\?/,
    ],
    [cases({ order: { A: { Aks: 'a' } } }), /StateMachines\.order: Aks is not a state .*did you mean Ask\?/],
  ])('%j: a warning, with what there is', async (content, warning) => {
    const mocks = fileWith('typo.json', { ...content, Answers: { ...ANSWER, ...content.Answers } });

    const { code, stderr } = await command('run', ORDER, '--mocks', mocks);

    expect(stderr).toMatch(warning);
    expect(code).toBe(0);
  });

  test('no warning for names that the state machine has', async () => {
    const Answers = { Ask: RETURN, 'order/Ask': RETURN, 'bedrock:invokeModel': RETURN };
    const mocks = fileWith('right.json', { ...cases({ order: { A: { Ask: 'a' } } }), Answers });

    expect(await command('run', ORDER, '--mocks', mocks)).toMatchObject({ code: 0, stderr: '' });
  });
});

test('a definition with a byte order mark runs', async () => {
  const definition = { StartAt: 'A', States: { A: { Type: 'Pass', End: true } } };

  expect(
    await command('run', fileWith('marked.asl.json', `\uFEFF${JSON.stringify(definition)}`)),
  ).toMatchObject({
    code: 0,
    stderr: '',
  });
});

describe('serve', () => {
  /** Starts the command; its first line, and the rest once it is ready. */
  function started(...given: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, [...MAIN, ...given, '--port', '0'], { cwd: directory });
    children.push(child);
    return new Promise(resolve => {
      let text = '';
      child.stdout.setEncoding('utf8').on('data', chunk => {
        text += chunk;
        if (text.includes('Ctrl-C ends it.')) resolve(text);
      });
    });
  }

  test('without a source: an empty endpoint, whose address is the first line', async () => {
    const text = await started();
    const [, endpoint = ''] = /^AWS_ENDPOINT_URL=(http:\/\/127\.0\.0\.1:\d+)\n/.exec(text) ?? [];
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
    const client = new SFNClient({ endpoint, region: 'us-east-1', credentials });
    const definition = JSON.stringify({ StartAt: 'A', States: { A: { Type: 'Pass', End: true } } });

    const created = await client.send(
      new CreateStateMachineCommand({ name: 'a', definition, roleArn: 'arn:aws:iam::111111111111:role/r' }),
    );

    expect(created.stateMachineArn).toBe('arn:aws:states:us-east-1:111111111111:stateMachine:a');
  });

  test('several state machines in files, and a template', async () => {
    const text = await started('serve', ORDER, TOKEN, TEMPLATE, '--parameter', 'Word=a');

    const names = [...text.matchAll(/^state machine {2}.*:(.+)$/gm)].map(([, name]) => name);
    expect(names.map(name => name?.replace(/^.*-(?=First|Second)/, ''))).toEqual([
      'First',
      'Second',
      'order',
      'token',
    ]);
  });
});
