import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import type { DeliveriesView } from '@onceflow/console';
import { sendsOfExample } from '../../../cli/app/sends';
import { commandsFor, renderSummary } from '../../../cli/dev/render';
import type { Summary } from '../../../cli/dev/summary';
import { referenceAssembly } from '../../support/reference-app';
import { newDirectory } from '../../support/shared';
import { cleanUp, endOf, runToEnd, type Started, start } from './started';

const run = promisify(execFile);
const ROOT = path.join(__dirname, '../../..');

/** The milliseconds within which Ctrl-C must have ended the process. It takes some 50. */
const END_MS_MAX = 1_000;

const SUMMARY: Summary = {
  endpoint: 'http://127.0.0.1:8083',
  console: 'http://127.0.0.1:8084',
  region: 'us-east-1',
  account: '111111111111',
  pid: 1,
  state: null,
  stateMachines: [{ name: 'Pay', arn: 'arn:aws:states:us-east-1:111111111111:stateMachine:Pay' }],
  tables: ['Charges', 'Records'],
  functions: ['Charge'],
  eventBuses: [],
  queues: ['http://127.0.0.1:8083/111111111111/orders'],
  topics: ['arn:aws:sns:us-east-1:111111111111:news'],
  buckets: ['receipts'],
  restApis: [],
  outputs: {},
  notRun: [],
  resumed: 0,
  example: {
    stateMachineArn: 'arn:aws:states:us-east-1:111111111111:stateMachine:Pay',
    input: { detail: { orderId: 'order-1', note: "it's" } },
    request: null,
    frontDoor: null,
    key: ['order-1'],
    workflowName: null,
    about: 'The key of Pay is at $states.input.detail.orderId.',
  },
  sends: [
    {
      kind: 'event',
      eventBus: 'Shop',
      source: 'shop.orders',
      detailType: 'OrderPlaced',
      detail: { orderId: 'order-1', note: "it's" },
    },
    { kind: 'message', queue: 'orders', body: { detail: { orderId: 'order-1' } } },
    { kind: 'message', queue: 'orders.fifo', body: {} },
    { kind: 'notification', topicArn: 'arn:aws:sns:us-east-1:111111111111:news', message: {} },
  ],
};

describe('npm start', () => {
  let assembly: string;
  let started: Started;

  beforeAll(async () => {
    assembly = await referenceAssembly();
    started = await start('--assembly', assembly);
  }, 60_000);

  afterAll(cleanUp);

  test('its page: served beside it, and knows its workflow', async () => {
    const { console: page } = started.summary;
    const html = await fetch(`${page}/`);
    const place = await fetch(`${page}/api/connection`);

    expect(html.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await html.text()).toContain('<script src="/main.js"');
    expect(await place.json()).toMatchObject({
      where: started.summary.endpoint,
      isLocal: true,
      workflows: [{ name: expect.stringMatching(/ChargePayment/), scope: 'ChargePayment' }],
    });
  });

  test('ready: one line of JSON that names what there is', () => {
    expect(started.summary).toEqual({
      endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      console: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      region: 'us-east-1',
      account: '111111111111',
      pid: expect.any(Number),
      state: null,
      stateMachines: [
        { name: expect.any(String), arn: expect.stringMatching(/ChargePaymentStateMachine/) },
        { name: expect.any(String), arn: expect.stringMatching(/RecoveryStateMachine/) },
        { name: expect.any(String), arn: expect.stringMatching(/RecoverySearchStateMachine/) },
        { name: expect.any(String), arn: expect.stringMatching(/SourceOrdersDispatcher/) },
        { name: expect.any(String), arn: expect.stringMatching(/SourceOrdersQueueDispatcher/) },
      ],
      tables: [expect.stringMatching(/Charges/), expect.stringMatching(/Records/)],
      functions: [
        expect.stringMatching(/Function/),
        expect.stringMatching(/RedriveFunction/),
        expect.stringMatching(/Starter/),
        expect.stringMatching(/Settler/),
      ],
      eventBuses: [expect.stringMatching(/Orders/)],
      queues: expect.arrayContaining([
        expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\d{12}\/\S*NotStarted/),
      ]),
      topics: expect.any(Array),
      buckets: expect.any(Array),
      restApis: [],
      outputs: {
        OnceflowPayments: expect.objectContaining({
          StateMachineArn: started.summary.stateMachines[0]?.arn,
          RecordTableName: started.summary.tables[1],
        }),
      },
      notRun: [],
      resumed: 0,
      example: {
        stateMachineArn: expect.stringMatching(/ChargePaymentStateMachine/),
        input: {
          source: 'shop.orders',
          'detail-type': 'OrderPlaced',
          detail: { orderId: 'order-1', amount: 12.5, currency: 'EUR' },
        },
        request: null,
        frontDoor: null,
        key: ['order-1'],
        workflowName: null,
        about: expect.stringContaining('is at $states.input.detail.orderId. The values are examples'),
      },
      sends: [
        {
          kind: 'event',
          eventBus: expect.stringMatching(/Orders/),
          source: 'shop.orders',
          detailType: 'OrderPlaced',
          detail: { orderId: 'order-1', amount: 12.5, currency: 'EUR' },
        },
        {
          kind: 'message',
          queue: expect.stringMatching(/OrdersQueue/),
          body: expect.objectContaining({ detail: { orderId: 'order-1', amount: 12.5, currency: 'EUR' } }),
        },
      ],
    });
  });

  test('the command for the SDK, pasted into a shell: starts an execution', async () => {
    const { sdk } = commandsFor(started.summary);

    const { stdout } = await run('sh', ['-c', sdk], { cwd: ROOT });

    const [machine] = started.summary.stateMachines;
    const { executions } = await started.sfn.listExecutions({ stateMachineArn: machine?.arn });
    expect(executions).toHaveLength(1);
    expect(stdout).toContain(executions?.[0]?.executionArn);
    const { executionArn } = executions?.[0] ?? {};
    await expect(endOf(started, executionArn)).resolves.toMatchObject({ status: 'SUCCEEDED' });
  }, 30_000);

  test('its page: sends an event, skips time, and tells what functions did', async () => {
    const { console: page } = started.summary;
    const read = async (view: string) =>
      (await fetch(`${page}/api${view}`)).json() as Promise<DeliveriesView>;
    const html = await (await fetch(`${page}/`)).text();
    const [, token = ''] = /name="onceflow-token" content="([^"]+)"/.exec(html) ?? [];
    const act = async (title: string, given: Readonly<Record<string, string>> = {}) => {
      const item = (await read('/deliveries')).actions.find(one => one.title === title);
      const values = {
        ...Object.fromEntries((item?.fields ?? []).map(({ name, value }) => [name, value])),
        ...given,
      };
      const answer = await fetch(`${page}/api/actions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-onceflow-token': token },
        body: JSON.stringify({ request: item?.request, values, once: title }),
      });
      return answer.json();
    };
    const { now } = await read('/deliveries');

    expect(await act('Send an event')).toMatchObject({ kind: 'done' });
    for (;;) {
      const { functions } = await read('/deliveries');
      if (functions?.some(({ invocations }) => invocations[0]?.error === null)) break;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    expect((await read('/deliveries')).deliveries).toMatchObject([{ error: null, retryCount: 0 }]);
    expect(await act('Skip time', { time: '2min' })).toMatchObject({ kind: 'done' });
    // The clock of the page is that of the stack, which its answers tell.
    expect((await read('/deliveries')).now - now).toBeGreaterThan(110_000);
  });

  test('Ctrl-C with an execution under way and a connection open: ends with exit code 0', async () => {
    const { code, ms } = await started.end('SIGINT');

    expect(code).toBe(0);
    expect(ms).toBeLessThan(END_MS_MAX);
  }, 30_000);

  test.each([
    ["an assembly of one's own", () => ['--assembly', assembly]],
    ['the reference app, which is not synthesized then', () => []],
  ])(
    'a port that is in use, with %s: a sentence, exit code 2, no directory',
    async (_case, args) => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as { port: number };
      const state = path.join(newDirectory(), 'state');

      const ended = await runToEnd(...args(), '--port', String(port), '--state', state);
      other.close();

      expect(ended).toEqual({
        code: 2,
        stdout: '',
        stderr:
          `onceflow dev: the port cannot be used\n  port ${port} of 127.0.0.1 is in use; ` +
          'choose another, or 0 for any that is free\n' +
          'See onceflow dev --help\n',
      });
      expect(existsSync(state)).toBe(false);
      other.close();
    },
    30_000,
  );

  test('no assembly in the directory: a sentence, exit code 2', async () => {
    const ended = await runToEnd('--assembly', 'nowhere', '--port', '0');

    expect(ended).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^onceflow dev: what is given cannot be run here\n {2}.*nowhere/),
    });
  }, 30_000);
});

describe('npm start as people end it', () => {
  afterAll(cleanUp);

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s to all its processes: all of them end, and no directory is left',
    async signal => {
      const temporary = newDirectory();
      const env = { ...process.env, TMPDIR: temporary };
      const child = spawn('npm', ['start', '--', '--port', '0'], { cwd: ROOT, env, detached: true });
      let printed = '';
      for (const output of [child.stdout, child.stderr])
        output.on('data', chunk => {
          printed += String(chunk);
          if (printed.includes('Ctrl-C ends it.')) process.kill(-(child.pid ?? 0), signal);
        });

      // With what code npm ends is the shell's and npm's own business.
      await once(child, 'close');

      expect(printed).toContain('synthesizing the app');
      expect(readdirSync(temporary).filter(name => name.startsWith('onceflow'))).toEqual([]);
    },
    60_000,
  );
});

describe('the summary for people', () => {
  test('a stack in memory: what there is, and commands that name it', () => {
    const text = renderSummary(SUMMARY);

    expect(text).toContain(
      '  endpoint       http://127.0.0.1:8083\n  console        http://127.0.0.1:8084\n  state machine  Pay\n  table          Charges\n',
    );
    expect(text).toContain('                 Records\n');
    expect(text).toContain('  queue          http://127.0.0.1:8083/111111111111/orders\n');
    expect(text).toContain(
      '  topic          arn:aws:sns:us-east-1:111111111111:news\n  bucket         receipts\n',
    );
    expect(text).not.toContain('resumed');
  });

  test('the command for the AWS CLI: has the region as an option, which every version reads', () => {
    expect(commandsFor(SUMMARY).cli).toContain(
      'aws --region us-east-1 --endpoint-url http://127.0.0.1:8083 stepfunctions start-execution',
    );
  });

  test('a send through each source, and a start by the key', () => {
    const text = renderSummary(SUMMARY);

    expect(text).toContain(
      'events put-events \\\n  --entries \'[{"EventBusName":"Shop","Source":"shop.orders","DetailType":"OrderPlaced",' +
        '"Detail":"{\\"orderId\\":\\"order-1\\",\\"note\\":\\"it\\u0027s\\"}"}]\'',
    );
    expect(text).toContain(
      'sqs send-message \\\n  --queue-url http://127.0.0.1:8083/111111111111/orders \\\n  --message-body',
    );
    expect(text).toContain('--message-group-id example --message-deduplication-id example-1');
    expect(text).toContain(
      'sns publish \\\n  --topic-arn arn:aws:sns:us-east-1:111111111111:news \\\n  --message',
    );
    expect(text).toContain('npx onceflow start order-1 --endpoint http://127.0.0.1:8083 --input -\n');
    expect(text).not.toContain('start-execution');
  });

  test('the command for the SDK, if no key is known: says where it works', () => {
    const example = SUMMARY.example && { ...SUMMARY.example, key: null };
    expect(renderSummary({ ...SUMMARY, example })).toContain(
      'With the SDK, in a folder where @aws-sdk/client-sfn is installed',
    );
  });

  test.each([
    [1, '1 execution continues'],
    [2, '2 executions continue'],
  ])('%d that were under way: %s', (resumed, words) => {
    expect(renderSummary({ ...SUMMARY, resumed })).toContain(`  resumed        ${words}\n`);
  });

  test('an example: what is known of it, and the command that shows its key', () => {
    expect(renderSummary(SUMMARY)).toContain(
      'The key of Pay is at $states.input.detail.orderId.\n\nThe story of its key:\n\n' +
        'npx onceflow show order-1 --endpoint http://127.0.0.1:8083\n',
    );
    expect(commandsFor(SUMMARY).cli).toContain(`"note":"it\\u0027s"`);
  });

  describe('requests by HTTP', () => {
    const NO_SOURCES = {
      stateMachines: [],
      rules: [],
      functions: [],
      queueSources: [],
      subscriptions: [],
      customBusSubscribers: [],
    };
    const FRONT_DOOR = 'arn:aws:states:us-east-1:111111111111:stateMachine:FrontDoor';
    const example = SUMMARY.example && {
      ...SUMMARY.example,
      request: { note: "it's" },
      frontDoor: FRONT_DOOR,
    };
    const api = (methods: readonly string[], started: Readonly<Record<string, string>> = {}) => ({
      name: 'Shop',
      stage: 'prod',
      url: 'http://127.0.0.1:8085/prod/',
      methods,
      starts: Object.entries(started).map(([method, stateMachineArn]) => ({ method, stateMachineArn })),
    });
    const printed = (...restApis: readonly ReturnType<typeof api>[]) =>
      renderSummary({
        ...SUMMARY,
        example,
        restApis,
        sends: [...(example ? sendsOfExample(NO_SOURCES, restApis, example) : []), ...SUMMARY.sends],
      });

    test('a method that takes a body: one with curl', () => {
      const methods = ['OPTIONS /shops/{shop}', 'GET /shops/{shop}', 'PUT /shops/{shop}/payments'];

      expect(printed(api(methods, { 'PUT /shops/{shop}/payments': FRONT_DOOR }))).toContain(
        'By HTTP:\n\ncurl -i -X PUT http://127.0.0.1:8085/prod/shops/shop-1/payments ' +
          `-H 'Idempotency-Key: "key-1"' --json '{"note":"it\\u0027s"}'\n\nAn event`,
      );
      expect(printed(api(methods))).toContain('curl -i -X PUT');
      expect(renderSummary({ ...SUMMARY, restApis: [api(methods)] })).not.toContain('curl');
      expect(printed()).not.toContain('curl');
    });

    test('several: the one that leads to the front door of the example', () => {
      const methods = ['GET /health', 'POST /login', 'POST /other', 'POST /payments'];
      const started = { 'POST /other': `${FRONT_DOOR}2`, 'POST /payments': FRONT_DOOR };

      expect(printed(api(methods, started))).toContain('curl -i http://127.0.0.1:8085/prod/payments ');
      expect(printed(api(methods.slice(0, 2)), api(methods, started))).toContain('/prod/payments ');
    });

    test.each([
      ['none of several is known to lead there', api(['POST /login', 'POST /payments'])],
      ['the only one leads elsewhere', api(['POST /other'], { 'POST /other': `${FRONT_DOOR}2` })],
      ['what leads there takes no body', api(['POST /login', 'DELETE /a'], { 'DELETE /a': FRONT_DOOR })],
    ])('%s: nothing is printed', (_case, restApi) => {
      expect(printed(restApi)).not.toContain('curl');
    });
  });

  test('an unknown key: no command for it', () => {
    const example = SUMMARY.example && { ...SUMMARY.example, key: null };

    expect(renderSummary({ ...SUMMARY, example })).not.toContain('onceflow show');
  });

  test('no machine: commands that list them', () => {
    const { cli, sdk } = commandsFor({ ...SUMMARY, stateMachines: [], example: null });

    expect(cli).toMatch(/list-state-machines$/);
    expect(sdk).toContain('listStateMachines()');
  });
});
