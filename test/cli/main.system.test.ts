import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GRACE_MS } from '../support/variant';
import { fails } from '../support/world';
import { onceflow } from './run-program';
import { type CliWorld, ORDER, openCliWorld } from './world';

const ROOT = path.join(__dirname, '../..');

describe('the program, on a stack of this machine', () => {
  let c: CliWorld;
  let here: string[];
  beforeAll(async () => {
    c = await openCliWorld({ name: 'at most once', workflow: { delivery: 'at-most-once' } });
    here = ['--endpoint', c.world.stack.endpoint];
    c.world.step = () => fails('Lambda.SdkClientException');
    await c.world.delivered(ORDER);
    await c.world.pass(GRACE_MS);
  });
  afterAll(() => c.close());

  test('show, a scope that the workflow does not have: names the one that it has', async () => {
    const { code, stderr } = await onceflow(['show', 'order-7', '--scope', 'Other', ...here]);

    expect(stderr).toMatch(/\n {2}scope: Other was passed; the scope of the workflow is ChargePayment\n/);
    expect(code).toBe(1);
  });

  test('show: words on stdout, nothing on stderr, no colours in a pipe', async () => {
    const { code, stdout, stderr } = await onceflow(['show', 'order-7', '--since', '36500d', ...here]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^ChargePayment#order-7\n\n {2}status +HELD, held for review \(Idempotency\.InDoubt\)/,
    );
    expect(stdout).not.toContain('\u001b');
  });

  test('show --json: one document', async () => {
    const { code, stdout } = await onceflow(['show', 'order-7', '--json', ...here]);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      recordKey: 'ChargePayment#order-7',
      record: { status: 'HELD', attempt: 1 },
      owner: { kind: 'ended', status: 'FAILED' },
      nextDelivery: 'heldForReview',
      executions: [
        { status: 'FAILED', timeline: expect.arrayContaining([expect.objectContaining({ kind: 'held' })]) },
      ],
      searched: { opened: 1, unopened: 0 },
    });
  });

  test('nothing known: 1, what was looked for on stderr, and with --json one document on stdout', async () => {
    const { code, stdout, stderr } = await onceflow(['show', 'order-8', '--json', ...here]);

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^onceflow: there is no record and no known execution of "ChargePayment#order-8"\.\n {2}record: /,
    );
    expect(JSON.parse(stdout)).toEqual({ message: expect.stringContaining('there is no record') });
  });

  test('resend without a terminal: whether there is the queue comes before the question', async () => {
    const { code, stderr } = await onceflow(['resend', 'nope', ...here]);

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^onceflow: there is no queue nope/),
    });
  });

  test('help with the name of a command: the help of that command', async () => {
    const [byHelp, byOption] = [await onceflow(['help', 'show']), await onceflow(['show', '--help'])];

    expect(byHelp).toEqual(byOption);
    expect(byHelp).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: onceflow show KEY/) });
  });

  test('release without a terminal and without --yes: 2, and the record as it was', async () => {
    const before = await c.world.record('ChargePayment#order-7');
    const { code, stdout, stderr } = await onceflow(['release', 'order-7', ...here], {}, 'y\n');

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^onceflow: there is no terminal to ask on\. Pass --yes .*\nSee onceflow release --help\n$/,
    );
    expect(await c.world.record('ChargePayment#order-7')).toEqual(before);
  });

  test('list and start, the input from stdin', async () => {
    const input = JSON.stringify({ detail: { ...ORDER, orderId: 'order-9' } });
    const [listed, started] = await Promise.all([
      onceflow(['list', '--json', ...here]),
      onceflow(['start', 'order-9', '--input', '-', '--json', ...here], {}, input),
    ]);

    expect(JSON.parse(listed.stdout).records).toContainEqual(expect.objectContaining({ status: 'HELD' }));
    expect(JSON.parse(started.stdout)).toMatchObject({ outcome: 'started' });
    expect(started.code).toBe(0);
  });

  test('start with another payload: 1, rejected on stderr, and the error by its name on stdout', async () => {
    const input = JSON.stringify({ detail: { ...ORDER, amount: 99 } });
    const args = ['start', 'order-7', '--input', '-', '--wait', '30s', '--json', ...here];

    const { code, stdout, stderr } = await onceflow(args, {}, input);

    expect(code).toBe(1);
    expect(stderr).toMatch(/^onceflow: --input was rejected with Idempotency\.PayloadMismatch: /);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'rejected',
      error: 'Idempotency.PayloadMismatch',
      message: expect.stringContaining('was rejected with Idempotency.PayloadMismatch'),
    });
  });

  test('start with an input of another key: 2, and nothing is started', async () => {
    const input = JSON.stringify({ detail: { ...ORDER, orderId: 'order-11' } });

    const { code, stderr } = await onceflow(['start', 'order-10', '--input', '-', ...here], {}, input);

    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^onceflow: nothing was started, because the input belongs to order-11, not to order-10: \S+ reads its key there, at \$states\.input\.detail\.orderId\./,
    );
    const [ten, eleven] = ['order-10', 'order-11'].map(key => c.world.record(`ChargePayment#${key}`));
    expect([await ten, await eleven]).toEqual([undefined, undefined]);
  });

  test('start, rejected by its options: named as on the command line', async () => {
    const input = JSON.stringify({ detail: { ...ORDER, orderId: 'order-9', note: 'x'.repeat(300_000) } });

    const { code, stderr } = await onceflow(['start', 'order-9', '--input', '-', ...here], {}, input);

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^onceflow: --input has \d+ bytes, and Step Functions accepts 262144/),
    });
  });

  test('a table that is not ours, by the environment: a sentence', async () => {
    const { code, stderr } = await onceflow(['show', 'order-7', ...here], { ONCEFLOW_TABLE: 'nowhere' });

    expect(code).toBe(1);
    expect(stderr).toBe(
      'onceflow: there is no table nowhere in this region and account. Check --table, AWS_REGION and AWS_PROFILE\n',
    );
  });
});

describe('the program, where something is missing', () => {
  const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' };
  const ARN = 'arn:aws:states:us-east-1:111111111111:stateMachine:M';

  test.each([
    [
      'no region',
      [],
      CREDENTIALS,
      /no AWS region is set\. Set AWS_REGION.* pass --endpoint with an address of this machine/,
    ],
    ['no credentials', [], { AWS_REGION: 'us-east-1' }, /no AWS credentials were found\. Set AWS_PROFILE/],
    [
      'nobody there',
      ['--endpoint', 'http://127.0.0.1:9'],
      {},
      /DescribeStateMachine got no answer from 127.0.0.1:9 \(ECONNREFUSED\)/,
    ],
    [
      'an unknown host',
      ['--endpoint', 'http://nowhere.invalid'],
      { ...CREDENTIALS, AWS_REGION: 'x' },
      /got no answer from nowhere.invalid/,
    ],
  ])('%s: 1, a sentence, no stack trace', async (_, args, env, sentence) => {
    const { code, stdout, stderr } = await onceflow(['show', 'k', '--state-machine', ARN, ...args], env);

    expect(stderr).toMatch(sentence);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  test.each([
    ['no AWS endpoint', 404, {}, '<html>', /The endpoint might not be an AWS endpoint/],
    [
      'not allowed',
      400,
      {},
      '{"__type":"AccessDeniedException","message":"secret"}',
      /DescribeStateMachine is denied\. Allow states:DescribeStateMachine/,
    ],
    [
      'a key that encrypts, and rejects',
      400,
      {},
      '{"__type":"KmsAccessDeniedException","message":"secret"}',
      /is denied by the KMS key of state machine .* Allow kms:Decrypt on the key/,
    ],
    [
      'a fault of AWS',
      500,
      {},
      '{"__type":"InternalServerError","message":"secret"}',
      /AWS failed to process DescribeStateMachine \(InternalServerError\)\. Try again/,
    ],
    [
      'expired',
      400,
      {},
      '{"__type":"ExpiredTokenException","message":"secret"}',
      /AWS rejects these credentials \(ExpiredTokenException\)/,
    ],
  ])('%s: said, without what the answer quotes', async (_, status, headers, body, sentence) => {
    const server = createServer((_request, response) => response.writeHead(status, headers).end(body));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await onceflow(['show', 'k', '--state-machine', ARN, '--endpoint', endpoint]);
    server.close();

    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/secret|\n {4}at /);
    expect(code).toBe(1);
  });

  test('https where the endpoint speaks http: says which address to pass', async () => {
    const server = createServer((_request, response) => response.end());
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await onceflow(['show', 'k', '--state-machine', ARN, '--endpoint', endpoint]);
    server.close();

    expect(stderr).toMatch(/the endpoint does not speak TLS\. A local stack has http:\/\/ addresses/);
    expect(code).toBe(1);
  });

  test('a profile whose session is over: how to begin another one', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-cli-'));
    const file = path.join(directory, 'config');
    const lines = ['[profile p]', 'region = eu-central-1', 'sso_start_url = https://sso.invalid/start'];
    const account = ['sso_region = eu-central-1', 'sso_account_id = 111111111111', 'sso_role_name = R'];
    writeFileSync(file, [...lines, ...account].join('\n'));
    const env = { HOME: directory, AWS_CONFIG_FILE: file, AWS_PROFILE: 'p' };
    const { code, stderr } = await onceflow(['show', 'k', '--state-machine', ARN], env);
    rmSync(directory, { recursive: true });

    expect(stderr).toMatch(
      /^onceflow: the AWS SSO session of this profile has expired.*Run `aws sso login`[^\n]*\n$/,
    );
    expect(code).toBe(1);
  });

  test.each([
    [
      'a profile that there is not',
      ['--profile', 'nobody', '--region', 'eu-west-1'],
      /: profile nobody: no AWS credentials/,
    ],
    ['no region', [], /: no AWS region is set/],
    [
      'an endpoint that does not answer',
      ['--endpoint', 'http://127.0.0.1:9', '--region', 'us-east-1'],
      /^onceflow console: ListStateMachines got no answer from 127\.0\.0\.1:9 \(ECONNREFUSED\)/,
    ],
  ])('the console with %s: rejected, and no page is served', async (_, options, sentence) => {
    const env = { HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' };
    const { code, stdout, stderr } = await onceflow(['console', '--port', '0', ...options], env);

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
  });

  test('an endpoint that is none, an unknown command: 2', async () => {
    const [endpoint, withPath, command] = await Promise.all([
      onceflow(['show', 'k', '--endpoint', 'localhost:8083']),
      onceflow(['show', 'k', '--endpoint', 'http://127.0.0.1:8083/foo']),
      onceflow(['shw', 'k']),
    ]);

    expect(endpoint).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('got "localhost:8083"; did you mean http://localhost:8083?'),
    });
    expect(withPath).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('an address without a path, such as http://127'),
    });
    expect(command).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/there is no command shw; .*\nSee onceflow --help\n$/),
    });
  });

  test.each([['list'], ['console --port 0'], ['verify --yes --evidence /dev/null']])(
    '%s: tells no password of the address that it was given',
    async line => {
      const endpoint = 'http://me:PASS@127.0.0.1:9/?token=PASS';
      const { code, stdout, stderr } = await onceflow([...line.split(' '), '--endpoint', endpoint]);

      expect(code).not.toBe(0);
      expect(stdout + stderr).not.toBe('');
      expect(stdout + stderr).not.toContain('PASS');
    },
  );

  test('--json with a value: 2, and one document with the message on stdout', async () => {
    const { code, stdout } = await onceflow(['show', 'k', '--json=yes']);

    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({ message: '--json does not take a value; got "yes"' });
  });

  test.each(['dev', 'console'])('%s --json, wrong usage: 2, and one document on stdout', async command => {
    const { code, stdout, stderr } = await onceflow([command, '--json', '--port', 'x']);

    expect(code).toBe(2);
    expect(stderr).toMatch(
      new RegExp(`^onceflow ${command}: --port must be .*\nSee onceflow ${command} --help\n$`),
    );
    expect(JSON.parse(stdout)).toEqual({ message: expect.stringMatching(/^--port must be /) });
  });

  test('dev --json, an app that fails: 1, and one document on stdout', async () => {
    const args = ['dev', '--json', '--port', '0', '--app', 'node -e "process.exit(7)"'];
    const { code, stdout, stderr } = await onceflow(args);

    expect(code).toBe(1);
    expect(stderr).toMatch(/^onceflow dev: the app cannot be synthesized: /);
    expect(JSON.parse(stdout)).toEqual({
      message: expect.stringMatching(/^the app cannot be synthesized: /),
    });
  });

  test.each(['--version', '-V'])('%s: the version of the package', async option => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

    expect(await onceflow([option])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('--help: 0, on stdout', async () => {
    const { code, stdout } = await onceflow(['release', '--help']);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: onceflow release KEY/);
  });
});
