import { seededIds } from '../../../packages/local/runtime/ids';
import { REQUESTS } from '../../../packages/local/services/dynamodb/database/requests';
import { BATCH_OPERATIONS } from '../../../packages/local/services/sqs/api/batch-operations';
import { QUEUE_OPERATIONS } from '../../../packages/local/services/sqs/api/queue-operations';
import { ACTIVITY_OPERATIONS } from '../../../packages/local/services/states/api/activity-operations';
import { EXECUTION_OPERATIONS } from '../../../packages/local/services/states/api/execution-operations';
import { MACHINE_OPERATIONS } from '../../../packages/local/services/states/api/machine-operations';
import { MAP_RUN_OPERATIONS } from '../../../packages/local/services/states/api/map-run-operations';
import { TAG_OPERATIONS } from '../../../packages/local/services/states/api/tag-operations';
import { TASK_OPERATIONS } from '../../../packages/local/services/states/api/task-operations';
import { VERSION_OPERATIONS } from '../../../packages/local/services/states/api/version-operations';
import { parseOptions } from '../../../proof/fuzz/options';
import { renderReport } from '../../../proof/fuzz/report';
import type { Known } from '../../../proof/fuzz/requests/known';
import { operationNames } from '../../../proof/fuzz/requests/operations';
import { nextRequest } from '../../../proof/fuzz/requests/request';

const ARN = 'arn:aws:states:us-east-1:111111111111';
const KNOWN: Known = {
  environment: { region: 'us-east-1', account: '111111111111' },
  tables: ['orders'],
  functions: ['charge'],
  stateMachines: [`${ARN}:stateMachine:m`],
  executions: [`${ARN}:execution:m:n`],
  queues: ['http://127.0.0.1/111111111111/q'],
  receiptHandles: ['handle'],
  taskTokens: ['token'],
  restApis: ['http://127.0.0.1:1/prod/'],
};

function requestsOf(seed: string, count: number) {
  const { random } = seededIds(seed);
  return Array.from({ length: count }, () => nextRequest(random, KNOWN));
}

describe('random requests', () => {
  test('one seed: the same requests again; another: others', () => {
    expect(requestsOf('one', 200)).toEqual(requestsOf('one', 200));
    expect(requestsOf('one', 200)).not.toEqual(requestsOf('two', 200));
  });

  test('2,000 of them: every service, each also as a client would send it', () => {
    const requests = requestsOf('all', 2000);

    const services = new Set(requests.map(({ title }) => title.split(' ')[0]));
    expect([...services].sort()).toEqual([
      'api',
      'dynamodb',
      'events',
      'lambda',
      's3',
      'sns',
      'sqs',
      'states',
    ]);
    const readable = requests.filter(({ body }) => {
      try {
        return typeof JSON.parse(String(body)) === 'object';
      } catch {
        return false;
      }
    });
    expect(readable.length).toBeGreaterThan(1000);
    expect(readable.length).toBeLessThan(2000);
  });
});

describe('operations', () => {
  const states = {
    ...MACHINE_OPERATIONS,
    ...VERSION_OPERATIONS,
    ...TAG_OPERATIONS,
    ...ACTIVITY_OPERATIONS,
    ...EXECUTION_OPERATIONS,
    ...MAP_RUN_OPERATIONS,
    ...TASK_OPERATIONS,
  };

  test.each([
    ['dynamodb', Object.keys(REQUESTS)],
    ['states', Object.keys(states)],
    ['sqs', [...QUEUE_OPERATIONS, ...BATCH_OPERATIONS].map(([name]) => name)],
  ] as const)('%s: each that is there is asked for', (service, there) => {
    expect(operationNames(service)).toEqual(expect.arrayContaining([...there]));
  });
});

describe('the command line', () => {
  test('nothing given: 200,000 requests of seed 1', () => {
    expect(parseOptions([])).toEqual({
      kind: 'options',
      options: { requests: 200_000, seed: 1, concurrency: 16, state: false, restarts: 0, json: false },
    });
  });

  test.each([
    [['--requests', '0'], /--requests must be a whole number from 1/],
    [['--restarts', '2'], /--restarts needs --state/],
    [['--request', '5'], /did you mean --requests/],
  ])('%j: rejected', (args, message) => {
    expect(parseOptions(args)).toEqual({ kind: 'usage', message: expect.stringMatching(message) });
  });
});

test('a report with something wrong: says what, and how much more there is', () => {
  const report = {
    requests: 10,
    seconds: 1,
    answered: { 200: 9, 500: 1 },
    accepted: {},
    timedOut: 0,
    broken: 0,
    checks: 2,
    slowestCheckMs: 7,
    residentMegabytes: 0,
    wrong: ['request 3 (sqs ListQueues): 500 oops'],
    wrongCount: 3,
  };

  const text = renderReport(report, 7);

  expect(text).toContain('9 with 200, 1 with 500');
  expect(text).toContain('FAILED: 3 times\n  request 3 (sqs ListQueues): 500 oops\n  and 2 more');
  expect(renderReport({ ...report, wrong: [], wrongCount: 0 }, 7)).toContain('ok: ');
});
