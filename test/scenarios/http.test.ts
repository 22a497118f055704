import { failing, loseFirstAnswer } from '../support/faults';
import { askedAt, BODY, type HttpWorld, keyed, openHttp, REPLAYED, told } from '../support/http';
import { fails, returns } from '../support/world';

const DAY = 24 * 3_600_000;
const RECORD = 'ChargePayment#anonymous,k1';

describe('a request by HTTP', () => {
  let world: HttpWorld;
  beforeEach(async () => {
    world = await openHttp('reference', { errors: { CardDeclined: 402 } });
  });
  afterEach(() => world.close());

  /** Makes the step take so long. */
  const slow = (ms: number) => {
    world.step = async () => {
      await world.pause(ms);
      return returns({ charge: world.runs.length });
    };
  };

  test('the first time: the result, and the step gets its caller', async () => {
    const answer = await world.answered(keyed('"k1"'));

    expect(answer).toEqual({ status: 200, headers: {}, body: '{"charge":1}', tookMs: 0 });
    expect(world.runs).toEqual([
      {
        idempotencyKey: RECORD,
        attempt: 1,
        input: { idempotencyKey: ['anonymous', 'k1'], principal: 'anonymous', path: {}, body: BODY },
      },
    ]);
  });

  test('again: the same answer with its mark, by one start and one read', async () => {
    const first = await world.answered(keyed('k1'));
    const calls = world.calls.length;
    const again = await world.answered(keyed('"k1"'));

    expect(again).toEqual({ ...first, headers: REPLAYED, tookMs: 0 });
    expect(world.calls.slice(calls)).toEqual([
      'states:startExecution from Start the request',
      'dynamodb:getItem from Read its record',
    ]);
    expect(world.runs).toHaveLength(1);
  });

  test('again after the retention: a new run', async () => {
    await world.answered(keyed('k1'));
    await world.pass(91 * DAY);

    expect(await world.answered(keyed('k1'))).toMatchObject({ headers: {}, body: '{"charge":2}' });
  });

  test.each([
    ['no header', [], '400 missing-key'],
    ['an empty one', [['Idempotency-Key', '  ']], '400 missing-key'],
    ['an empty string', [['Idempotency-Key', '""']], '400 invalid-key'],
    ['a quote that does not end', [['Idempotency-Key', '"abc']], '400 invalid-key'],
    ['beyond ASCII', [['Idempotency-Key', '"café"']], '400 invalid-key'],
    ['two in one line', [['Idempotency-Key', '"one", "two"']], '400 invalid-key'],
    ['two bare ones in one line', [['Idempotency-Key', 'one, two']], '400 invalid-key'],
    ['a parameter', [['Idempotency-Key', '"k";v=1']], '400 invalid-key'],
    ['an escape that is none', [['Idempotency-Key', '"a\\b"']], '400 invalid-key'],
    ['256 characters', [['Idempotency-Key', 'k'.repeat(256)]], '400 invalid-key'],
    [
      'two headers',
      [
        ['Idempotency-Key', 'k1'],
        ['idempotency-key', 'k1'],
      ],
      '400 invalid-key',
    ],
  ] as const)('with %s for a key: rejected, and nothing starts', async (_, headers, expected) => {
    expect(told(await world.answered({ headers, body: BODY }))).toBe(expected);
    expect(world.calls).toEqual([]);
  });

  test.each([
    ['quotes and spaces around it', '  "k1"  ', 'k1'],
    ['quotes and backslashes', '"a\\"b\\\\c"', 'a"b\\c'],
    [
      'what a name may not have',
      '"shop/7: #3 {x} $ & * ? ^ ~ | ` <y>"',
      'shop/7: #3 {x} $ & * ? ^ ~ | ` <y>',
    ],
    ['255 characters', 'k'.repeat(255), 'k'.repeat(255)],
  ])('with %s for a key: it is the key', async (_, header, key) => {
    await world.answered(keyed(header));

    expect(world.runs[0]?.input).toMatchObject({ idempotencyKey: ['anonymous', key] });
    expect(await world.answered(keyed(header))).toMatchObject({ status: 200, headers: REPLAYED });
  });

  test.each(['{"orderId":', '[1]', '7', 'null', ' '])(
    'with the body `%s`: rejected, and nothing starts',
    async text => {
      expect(told(await world.answered({ ...keyed('k1'), text }))).toBe('400 invalid-payload');
      expect(world.calls).toEqual([]);
    },
  );

  test('that is too long for an execution: rejected, and nothing starts', async () => {
    expect(told(await world.answered({ tooLong: true }))).toBe('413 too-long');
    expect(world.calls).toEqual([]);
  });

  test('with another body: rejected, and the first stays as it was', async () => {
    const first = await world.answered(keyed('k1'));
    const other = await world.answered(keyed('k1', {}, { ...BODY, amount: 13 }));

    expect(told(other)).toBe('422 payload-mismatch');
    expect(other.headers).toEqual({ 'Content-Type': 'application/problem+json' });
    expect((await world.answered(keyed('k1'))).body).toBe(first.body);
    expect(world.runs).toHaveLength(1);
  });

  test('while the first is at work: rejected at once, by one start and one read; then the answer', async () => {
    slow(3000);
    const first = world.request(keyed('k1'));
    await world.pass(500);
    const calls = world.calls.length;
    const second = await world.request(keyed('k1'));
    const made = world.calls.slice(calls);
    await world.settle();

    expect(told(second)).toBe('409 in-progress');
    expect(second).toMatchObject({ headers: { 'Retry-After': '1' }, tookMs: 0 });
    expect(made).toEqual([
      'states:startExecution from Start the request',
      'dynamodb:getItem from Read its record',
    ]);
    expect(await first).toMatchObject({ status: 200, headers: {}, body: '{"charge":1}' });
    expect(await world.answered(keyed('k1'))).toMatchObject({ headers: REPLAYED, body: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });

  test('that takes longer than it may wait: 202 after 24 reads at once and one a second, and the answer at its location', async () => {
    slow(35_000);
    const request = world.request(keyed('"k 1"'));
    await world.pass(20_000);
    const answer = await request;
    const reads = world.calls.filter(call => call.endsWith('from Read its record'));
    const asked = askedAt(answer);
    const before = await world.request({ asked });
    await world.settle();
    await world.pass(15 * 60_000);
    const stranger = await world.answered({ asked, principal: 'bob' });
    const calls = world.calls.length;
    const after = await world.answered({ asked });

    expect(answer).toMatchObject({ status: 202, headers: { 'Retry-After': '10' }, tookMs: 20_000 });
    expect(reads).toHaveLength(44);
    expect(before).toMatchObject({ status: 202, headers: { Location: `./${asked}` } });
    expect(told(stranger)).toBe('404 not-found');
    expect(after).toMatchObject({ status: 200, headers: REPLAYED, body: '{"charge":1}' });
    expect(world.calls.slice(calls)).toEqual(['dynamodb:getItem from Read its record']);
    expect(await world.answered(keyed('"k 1"'))).toMatchObject({ status: 200, body: after.body });
  });

  test.each([
    ['respond-async', 0],
    ['Respond-Async; x=1, handling=lenient', 0],
    ['respond-async, wait=2', 2000],
    ['wait="3"', 3000],
    ['wait=999', 20_000],
    ['handling=lenient, await=1, foo=bar; x=1', 20_000],
  ])('that prefers %s: 202 in time', async (Prefer, tookMs) => {
    slow(35_000);
    expect(await world.answered(keyed('k1', { Prefer }))).toMatchObject({ status: 202, tookMs });
  });

  test('with a line break in its path: no header is begun by its location', async () => {
    const sent = { ...keyed('k1', { Prefer: 'respond-async' }), url: '/prod/payments\r\nSet-Cookie: a' };

    expect((await world.answered(sent)).headers['Location']).toMatch(/^\.\/paymentsSet-Cookie:a\/requests\//);
  });

  test('asked for before there is a record: accepted; a question that is made up: not found', async () => {
    world.faults = failing('Claim record', 'DynamoDB.SdkClientException', 3);
    const answer = await world.request(keyed('k1', { Prefer: 'respond-async' }));

    expect(await world.request({ asked: askedAt(answer) })).toMatchObject({ status: 202 });
    for (const asked of ['x', 'c2sxIl0.0.1', '', '../..', `${askedAt(answer).split('.')[0]}.x.1`]) {
      await world.settle();
      expect(told(await world.answered({ asked }))).toBe('404 not-found');
    }
  });

  test('whose step fails: the status of its error without its cause; again: it runs again', async () => {
    world.step = () => fails('CardDeclined', '{"trace":["at Object"]}');
    const declined = await world.answered(keyed('k1'));
    world.step = () => fails('Error', 'no');
    const failed = await world.answered(keyed('k1'));
    world.step = () => returns('paid');

    expect(declined).toMatchObject({ status: 402, headers: { 'Content-Type': 'application/problem+json' } });
    expect(JSON.parse(declined.body)).toEqual({
      type: expect.stringMatching(/#step-failed$/),
      title: 'The request failed.',
      status: 402,
      error: 'CardDeclined',
    });
    expect(told(failed)).toBe('500 step-failed');
    expect(await world.answered(keyed('k1'))).toMatchObject({ status: 200, headers: {}, body: '"paid"' });
  });

  test('whose step has failed before, asked for before it is claimed anew: accepted, and not the old failure', async () => {
    world.step = () => fails('CardDeclined');
    await world.answered(keyed('k1'));
    await world.pass(2000);
    slow(3000);
    const taken = await world.request(keyed('k1', { Prefer: 'respond-async' }));
    const asked = await world.request({ asked: askedAt(taken) });
    await world.settle();

    expect(asked).toMatchObject({ status: 202, headers: { 'Retry-After': '1' } });
    expect(await world.answered({ asked: askedAt(taken) })).toMatchObject({ status: 200 });
  });

  test('of two callers with one key: each has its own', async () => {
    const alice = await world.answered({ ...keyed('k1'), principal: 'alice' });
    const bob = await world.answered({ ...keyed('k1'), principal: 'bob' });
    const role = 'arn:aws:sts::111111111111:assumed-role/Shop';
    const one = await world.answered({ ...keyed('k1'), principal: `${role}/session-1` });
    const other = await world.answered({ ...keyed('k1'), principal: `${role}/session-2` });

    expect([alice.body, bob.body, one.body]).toEqual(['{"charge":1}', '{"charge":2}', '{"charge":3}']);
    expect(other).toMatchObject({ headers: REPLAYED, body: one.body });
  });

  test('whose result the record cannot hold exactly: the text of the execution that ran the step', async () => {
    const long = { text: '"'.repeat(40_000), é: 'é' };
    world.step = () => returns(long);
    const first = await world.answered(keyed('k1'));
    const again = await world.answered(keyed('k1'));

    expect(JSON.parse(first.body)).toEqual(long);
    expect(await world.record(RECORD)).toMatchObject({ result: { S: 'ELSEWHERE' } });
    expect(again).toMatchObject({ status: 200, headers: REPLAYED, body: first.body });
  });

  test('whose record is completed without the result, by an execution that failed: unavailable', async () => {
    world.step = () => fails('CardDeclined');
    await world.answered(keyed('k1'));
    const record = await world.record(RECORD);
    await world.putRecord({ ...record, status: { S: 'COMPLETED' }, result: { S: 'ELSEWHERE' } });

    expect(told(await world.answered(keyed('k1')))).toBe('500 result-unavailable');
  });

  test('whose result cannot be read now: accepted, and the result at its location later', async () => {
    world.step = () => returns('"'.repeat(40_000));
    world.faults = failing("Read the owner's end", 'Sfn.ThrottlingException');
    const answer = await world.answered(keyed('k1'));
    world.faults = (_, next) => next();

    expect(answer.status).toBe(202);
    expect(await world.answered({ asked: askedAt(answer) })).toMatchObject({ status: 200 });
  });

  test('whose result is long, and beyond ASCII: the answer, as an execution may end with its bytes', async () => {
    const long = '中'.repeat(60_000);
    world.step = () => returns(long);

    expect(await world.answered(keyed('k1'))).toMatchObject({ status: 200, body: JSON.stringify(long) });
    world.step = () => returns('\u0001'.repeat(20_000) + '中'.repeat(45_000));
    expect(told(await world.answered(keyed('k2')))).toBe('500 result-unavailable');
  });

  test('whose record is longer than a state may read: unavailable, also at its location', async () => {
    world.step = () => world.never();
    const answer = await world.answered(keyed('k1'));
    await world.putRecord({ ...(await world.record(RECORD)), note: { S: 'x'.repeat(300_000) } });

    expect(told(await world.answered(keyed('k1')))).toBe('500 result-unavailable');
    expect(told(await world.answered({ asked: askedAt(answer) }))).toBe('500 result-unavailable');
  });

  test('whose result is too long for an answer: unavailable, and not run again', async () => {
    world.step = () => returns('"'.repeat(110_000));

    expect(told(await world.answered(keyed('k1')))).toBe('500 result-unavailable');
    expect(told(await world.answered(keyed('k1')))).toBe('500 result-unavailable');
    expect(world.runs).toHaveLength(1);
  });

  test('of which the answer of the start is lost: one run, and its result', async () => {
    world.faults = loseFirstAnswer('Start the request', 'StepFunctions.SdkClientException');

    expect(await world.answered(keyed('k1'))).toMatchObject({ status: 200, body: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });

  test('that cannot be started: 503 within the time of the gateway; later all is well', async () => {
    world.faults = failing('Start the request', 'StepFunctions.ThrottlingException');
    const rejected = await world.answered(keyed('k1'));
    world.faults = (_, next) => next();

    expect(told(rejected)).toBe('503 not-started');
    expect(rejected.headers).toMatchObject({ 'Retry-After': '5' });
    expect(rejected.tookMs).toBeLessThan(10_000);
    expect(await world.answered(keyed('k1'))).toMatchObject({ status: 200, headers: {} });
  });

  test('whose record cannot be read: accepted, as it was started; a duplicate: 503', async () => {
    world.faults = failing('Read its record', 'DynamoDB.AmazonDynamoDBException');
    const first = await world.answered(keyed('k1'));

    expect(first.status).toBe(202);
    expect(told(await world.answered(keyed('k1')))).toBe('503 not-started');
    expect(await world.answered({ asked: askedAt(first) })).toMatchObject({ status: 202 });
    world.faults = (_, next) => next();
    expect(await world.answered({ asked: askedAt(first) })).toMatchObject({
      status: 200,
      body: '{"charge":1}',
    });
  });
});
