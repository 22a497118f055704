/** Uniform in [0, 1). */
export type Random = () => number;
/** Makes a value; undefined for a member that must be left out. */
export type Maker = (random: Random) => unknown;

/** When all of it is evaluated. */
export const NOW = Date.parse('2026-10-19T20:00:00.000Z');

/** One of several values, or what one of several makers makes. */
export const oneOf =
  (...values: readonly unknown[]): Maker =>
  random => {
    const value = values[Math.floor(random() * values.length)];
    return typeof value === 'function' ? (value as Maker)(random) : value;
  };

const LEFT_OUT = 0.12;

/** An object, of whose members each is left out now and then. */
export const madeOf =
  (members: Readonly<Record<string, Maker>>): Maker =>
  random =>
    Object.fromEntries(
      Object.entries(members)
        .map(([name, make]) => [name, random() < LEFT_OUT ? undefined : make(random)] as const)
        .filter(([, value]) => value !== undefined),
    );

const at = (seconds: number) => new Date(NOW + seconds * 1000);
export const TIME = oneOf(
  ...[-86400 * 40, -86400, -1000, -100, -20, -5, 0, 5, 3600].flatMap(seconds => [
    at(seconds).toISOString(),
    at(seconds).toISOString().replace('.000', ''),
  ]),
);
export const MILLIS = oneOf(
  ...[-86400 * 40, -1000, -100, -20, -5, 0, 5].map(seconds => NOW + seconds * 1000),
);
export const COUNT = oneOf(0, 1, 2, 3, 7, 8, 30);

const TEXTS = [
  ...[
    'order-7',
    'ü',
    '😀',
    '😀4',
    'a😀',
    'ab\nc',
    "it's",
    '\u2028',
    '\u0001',
    'a"b\\c',
    'x/y',
    '-x-',
    '--',
    '€',
  ],
  ...['a,b', '#7', '~', '~#a,b', '[', 'null', 'x'.repeat(63), 'x'.repeat(80), 'x'.repeat(81)],
  ...['x'.repeat(401), '😀'.repeat(200), '😀'.repeat(401), 'a😀'.repeat(30), ''],
];
const HALVES = ['\ud83d', 'a\ude00b'];
const NUMBERS = [
  0,
  1,
  -1,
  7,
  12.5,
  0.1,
  1 / 3,
  1e-7,
  5e-324,
  1e15,
  1000000000000000.2,
  0.12345678901234568,
  -0.1,
];
const LONG_NUMBERS = [2 ** 53 - 1, 2 ** 53, 1e21, Number.MAX_VALUE];
const SCALARS = [...TEXTS, ...NUMBERS, ...LONG_NUMBERS, null, true, false];
const DOCUMENTS = [
  ...[[], {}, [null], [null, 1], [[null], []], { a: null }, [1, [2, [3]]], { b: [{ c: null }], a: 1 }],
  ...[[['a']], ['a', 7], ['a', null], ['😀', 1], { 'ü "x"': [0.1, '€'] }, { amount: 0.1, currency: 'EUR' }],
  ...[NUMBERS, { list: Array.from({ length: 60 }, (_, index) => ({ index, text: '😀'.repeat(index) })) }],
];
export const ANY = oneOf(oneOf(...SCALARS), oneOf(...SCALARS), oneOf(...DOCUMENTS), oneOf(...HALVES));
export const VALUE = oneOf(oneOf(...SCALARS), oneOf(...DOCUMENTS));
export const TEXT = oneOf(...TEXTS);

export const MACHINE = 'arn:aws:states:eu-west-1:1:stateMachine:Pay';
export const RUN = 'arn:aws:states:eu-west-1:1:execution:Pay:';
export const NAME = oneOf(
  ...['order-7', 'x'.repeat(80), 'order-7-0123456789abcdef', 'a-recovery-2-0123456789abcdef', '-'.repeat(70)],
  ...[
    'a-redelivery-3-0123456789abcdef',
    'a-redelivery-3-recovery-1-0123456789abcdef',
    `${'x'.repeat(50)}-recovery-x`,
  ],
);
export const ARN: Maker = random => `${RUN}${NAME(random)}`;
export const OWNER = oneOf(`${RUN}me`, ARN, ARN, 'arn:aws:states:eu-west-1:1:execution:Other:x', 'nobody');
export const STATUS = oneOf('RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED', 'PENDING_REDRIVE');
export const ERROR = oneOf(
  ...['Idempotency.InDoubt', 'Idempotency.InProgress', 'Idempotency.Released', 'Idempotency.InvalidEvent'],
  ...[
    'Idempotency.Stopped',
    'States.Timeout',
    'Lambda.AWSLambdaException',
    'Lambda.TooManyRequestsException',
  ],
  ...['CardDeclined', '😀', '', 'States.DataLimitExceeded', 'SQS.Denied', 'Sandbox.Timedout'],
);
export const CAUSE = oneOf(
  TEXT,
  'x'.repeat(9000),
  '😀'.repeat(9000),
  `{"heldBy":"${RUN}order-7","error":"E"}`,
);
export const FAILURE: Maker = random => ({ Error: ERROR(random), Cause: CAUSE(random) });
const POINTER = { storedResult: { bucket: 'results', key: 'Pay/0/1/x', sha256: 'aGFzaA==' } };
export const RESULT_TEXT: Maker = random => JSON.stringify(oneOf(VALUE, null, POINTER)(random));

const attribute =
  (type: 'S' | 'N', make: Maker): Maker =>
  random => ({ [type]: type === 'N' ? String(make(random)) : make(random) });

const EXPIRY = attribute('N', random => Math.floor(Number(MILLIS(random)) / 1000));
export const RECORD = madeOf({
  idempotencyKey: attribute('S', random => `Pay#${TEXT(random)}`),
  status: attribute('S', oneOf('IN_PROGRESS', 'COMPLETED', 'FAILED')),
  owner: attribute('S', OWNER),
  attempt: attribute('N', oneOf(1, 2, 17)),
  payloadHash: attribute('S', oneOf('0'.repeat(64), 'f'.repeat(64))),
  payload: attribute('S', oneOf(RESULT_TEXT, RESULT_TEXT, 'TOO_LONG', 'NOT_REDACTED')),
  claimedAt: attribute('S', TIME),
  claimId: attribute('S', oneOf('claim', TIME)),
  finishedAt: attribute('S', TIME),
  result: attribute('S', oneOf(RESULT_TEXT, RESULT_TEXT, 'ELSEWHERE', 'null')),
  resultLocation: attribute('S', oneOf('s3://results/Pay/0/1/x', 's3://results', '')),
  resultHash: attribute('S', oneOf('aGFzaA==', 'b3RoZXI=')),
  error: attribute('S', random => JSON.stringify(FAILURE(random))),
  stepTimeout: attribute('N', oneOf(33, 600)),
  leaseExpiry: attribute('N', MILLIS),
  expiry: EXPIRY,
  ttl: EXPIRY,
});

export const TOKEN = oneOf('', '', 'further');
export const EVENT = madeOf({
  Id: oneOf(1, 2, 3, 4),
  PreviousEventId: oneOf(0, 1, 2, 3),
  Type: oneOf(
    'ExecutionFailed',
    'TaskFailed',
    'TaskStateEntered',
    'MapStateFailed',
    'TaskTimedOut',
    'PassStateExited',
  ),
  Timestamp: TIME,
  StateEnteredEventDetails: oneOf(
    undefined,
    { name: 'x' },
    { Name: 'Business step' },
    { Name: 'Pay: Claim record' },
  ),
  StateExitedEventDetails: oneOf(undefined, undefined, { Name: 'Business step' }),
});
/** A list of up to three. */
export const listOf =
  (make: Maker): Maker =>
  random =>
    Array.from({ length: Math.floor(random() * 4) }, () => make(random));
