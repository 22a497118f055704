import jsonata206 from 'jsonata206';

import {
  ANY,
  ARN,
  CAUSE,
  COUNT,
  ERROR,
  EVENT,
  FAILURE,
  listOf,
  MACHINE,
  type Maker,
  MILLIS,
  madeOf,
  NAME,
  OWNER,
  oneOf,
  type Random,
  RECORD,
  RESULT_TEXT,
  RUN,
  STATUS,
  TEXT,
  TIME,
  TOKEN,
  VALUE,
} from './values';

/** JSON with a whole number that no double holds: some evaluators keep it as it is. */
const BEYOND_A_DOUBLE = `{"a":[1,{"b":${'9'.repeat(400)}}]}`;

/** An object of variables for an expression. What it reads of them, each has by chance, and lacks now and then. */
export function scopeFor(source: string, random: Random): Readonly<Record<string, unknown>> {
  const read = Object.entries(VARIABLES).filter(([name]) => variablesOf(source).has(name));
  const scope = madeOf(Object.fromEntries(read))(random) as Readonly<Record<string, unknown>>;
  // The state before it says so of each body with a number that a double cannot hold.
  const { body } = Object((scope['states'] as { readonly input?: unknown } | undefined)?.input);
  const isLong = typeof body === 'string' && /\d{200}|\de\+?\d{3}/i.test(body);
  return isLong && 'mayBeTooLarge' in scope ? { ...scope, mayBeTooLarge: true } : scope;
}

const known = new Map<string, ReadonlySet<string>>();

function variablesOf(source: string): ReadonlySet<string> {
  const names = known.get(source) ?? new Set(namesIn(jsonata206(source).ast()));
  known.set(source, names);
  return names;
}

function namesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, value } = node as { readonly type?: unknown; readonly value?: unknown };
  return [...(type === 'variable' ? [String(value)] : []), ...Object.values(node).flatMap(namesIn)];
}

const EXECUTION = {
  ExecutionArn: OWNER,
  StateMachineArn: oneOf(MACHINE),
  Name: NAME,
  Status: STATUS,
  StartDate: TIME,
  StopDate: TIME,
  RedriveCount: COUNT,
};
const RESULT = madeOf({
  ...EXECUTION,
  RedriveStatus: oneOf('REDRIVABLE', 'NOT_REDRIVABLE'),
  Error: ERROR,
  Cause: CAUSE,
  Input: RESULT_TEXT,
  Output: RESULT_TEXT,
  Body: RESULT_TEXT,
  ChecksumSHA256: oneOf('aGFzaA==', 'b3RoZXI='),
  Item: RECORD,
  Payload: VALUE,
  Events: listOf(EVENT),
  Executions: listOf(madeOf(EXECUTION)),
  NextToken: oneOf('further'),
  recordKey: oneOf('Pay#x'),
  payloadHash: oneOf('0'.repeat(64)),
  input: ANY,
});

const KEY_PART = Buffer.from(encodeURIComponent('order~#7')).toString('base64url');
/** A place to ask at, in its exact form: key, check, sent, started. */
const LOCATION = `${KEY_PART}.${'0a'.repeat(16)}.1797796800.0000000000`;

const HEADER = madeOf({
  name: oneOf('Idempotency-Key', 'prefer', 'X-😀'),
  value: oneOf('"k-1"', 'k-1', '"a\\"b"', ' k ', 'wait=3', TEXT),
});
const DETAIL = { orderId: ANY, id: ANY, amount: ANY, currency: oneOf('EUR', null) };
const INPUT = oneOf(
  madeOf({
    detail: madeOf(DETAIL),
    ...DETAIL,
    shop: ANY,
    source: ANY,
    body: VALUE,
    idempotencyKey: ANY,
    'detail-type': TEXT,
    time: TIME,
  }),
  madeOf({
    ...{
      headers: listOf(HEADER),
      path: listOf(HEADER),
      query: listOf(HEADER),
      asked: oneOf('', 'YQ.0.1'),
      url: oneOf('/pay', '/'),
    },
    ...{
      body: oneOf(
        '',
        '{"a":0.1}',
        'null',
        '[1]',
        '{',
        '{"a":[{"b":1e308}]}',
        '{"a":[{"b":-1e999}]}',
        BEYOND_A_DOUBLE,
      ),
      tooLong: oneOf(true, ''),
      principal: oneOf('', 'sha256:x', 'arn:aws:sts::1:assumed-role/r/s', TEXT),
    },
  }),
  madeOf({
    executionArn: ARN,
    name: NAME,
    startDate: MILLIS,
    stopDate: MILLIS,
    redriveCount: COUNT,
    status: STATUS,
    error: ERROR,
    input: RESULT_TEXT,
    stateMachineArn: oneOf(MACHINE),
    isAsked: oneOf(true),
  }),
  madeOf({ executions: listOf(madeOf({ executionArn: ARN, stopDate: TIME, redriveCount: COUNT })) }),
  VALUE,
);

const CONTEXT = madeOf({
  Execution: madeOf({ Id: oneOf(`${RUN}me`), Input: INPUT, StartTime: TIME, RedriveCount: oneOf(0, 1) }),
  State: madeOf({ EnteredTime: TIME, RetryCount: COUNT }),
  StateMachine: madeOf({ Id: oneOf(MACHINE) }),
});

const KEY = oneOf('Pay#order-7', 'Pay#anonymous,k', 'Pay#😀', `Pay#${'x'.repeat(400)}${'0'.repeat(64)}`);

const VARIABLES: Readonly<Record<string, Maker>> = {
  states: madeOf({
    input: INPUT,
    result: oneOf(RESULT, RESULT, RESULT, [null], [{ key: 'k' }], ['text', null]),
    context: CONTEXT,
    errorOutput: oneOf(madeOf({ Error: ERROR, Cause: CAUSE }), null),
  }),
  record: RECORD,
  owner: madeOf({
    status: oneOf(STATUS, 'NOT_FOUND'),
    stopDate: TIME,
    error: ERROR,
    redriveCount: COUNT,
    redriveStatus: oneOf('REDRIVABLE'),
    lookedIn: oneOf(0, 1),
  }),
  execution: madeOf({
    executionArn: ARN,
    name: NAME,
    startDate: MILLIS,
    stopDate: MILLIS,
    redriveCount: COUNT,
    status: STATUS,
    error: ERROR,
  }),
  failure: FAILURE,
  idempotencyKey: KEY,
  recordKey: KEY,
  attempt: oneOf(1, 2, 17),
  rejections: COUNT,
  failedEvaluations: COUNT,
  payloadHash: oneOf('0'.repeat(64), 'f'.repeat(64)),
  claimId: oneOf('claim'),
  includedData: oneOf('ALL_DATA'),
  redriveError: oneOf('', 'E'),
  serviceError: oneOf('', 'E: 😀'),
  doubt: random => JSON.stringify(FAILURE(random)),
  redrives: oneOf(0, 1),
  pageToken: TOKEN,
  nextToken: TOKEN,
  runningToken: TOKEN,
  place: oneOf(
    madeOf({
      isOfThisEnd: oneOf(true, false),
      nextId: oneOf(1, 10),
      state: oneOf('Business step', 'Pay: Claim record', 'Claim record'),
      isLeft: oneOf(true, false),
      seek: oneOf(-1, -2, 3),
    }),
    {},
  ),
  deliveredAt: oneOf(0, MILLIS),
  deliveries: COUNT,
  end: oneOf(0, MILLIS),
  delivery: oneOf('', 'STARTED', 'LEFT', 'RUNNING'),
  deliveryArn: ARN,
  reason: TEXT,
  at: oneOf(0, 1, 9),
  runningAt: oneOf(0, 1, 9),
  pages: COUNT,
  runningPages: COUNT,
  looks: COUNT,
  waits: COUNT,
  hasNoKey: oneOf(true, false),
  isRejected: oneOf(true, false),
  hasWaited: oneOf(true, false),
  seconds: oneOf(1, 3600),
  since: MILLIS,
  oldest: MILLIS,
  waitUntil: MILLIS,
  found: listOf(madeOf({ executionArn: ARN, stopDate: TIME, redriveCount: COUNT })),
  searches: oneOf([{ StateMachineArn: MACHINE, StatusFilter: 'FAILED' }]),
  running: oneOf([{ StateMachineArn: MACHINE }]),
  asked: oneOf(
    LOCATION,
    `${LOCATION}${LOCATION}`,
    'c29yZGVy.0.1',
    '',
    'x',
    'bCUyMg.00.1797796800.1797796800',
    TEXT,
  ),
  keyLines: listOf(oneOf('"k-1"', 'k-1', '"a\\"b"', ' k ', '""', '"', TEXT)),
  caller: oneOf('anonymous', 'sha256:x'),
  who: oneOf('anonymous', 'sha256:x', 'ü', 'x'.repeat(49)),
  url: oneOf('/prod/payments', '/payments/', ''),
  started: madeOf({ arn: ARN, at: MILLIS }),
  ownerStatus: STATUS,
  replayed: oneOf(true, false),
  location: oneOf('./payments/requests/x', './😀'),
  text: oneOf(RESULT_TEXT, '', 'null', 'ELSEWHERE'),
  isReadable: oneOf(true, false),
  isOurs: oneOf(true, false),
  mayBeTooLarge: oneOf(true, false),
  differing: oneOf({}, { fields: [] }, { fields: ['a', 'b'] }),
  doubtCause: TEXT,
  key: TEXT,
  check: TEXT,
  requests: oneOf(['Claim record', 'Call recovery']),
  resultLocation: oneOf('s3://results/x'),
  resultHash: oneOf('aGFzaA=='),
  input: RESULT_TEXT,
};
