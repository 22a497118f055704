import { Duration } from 'aws-cdk-lib';
import { OnFailed, OnInProgress, Recovery } from '../../infra/index';
import { askedAt, BODY, type HttpWorld, keyed, openHttp, REPLAYED, told } from '../support/http';
import { GRACE_MS } from '../support/variant';
import { fails, returns } from '../support/world';

describe('a request by HTTP, by other settings', () => {
  let world: HttpWorld | undefined;
  afterEach(() => world?.close());

  test('whose execution is stopped in its step, and the event of that is lost: the next one has it recovered', async () => {
    const opened = await openHttp('recovered', {}, { recovery: Recovery.automatic() });
    world = opened;
    opened.deliveries = async () => ({ executionArn: 'lost' });
    opened.step = () => opened.never();
    const first = opened.request(keyed('k1'));
    await opened.pass(2000);
    await opened.stop((await opened.executions())[0]?.executionArn ?? '');
    await opened.settle();
    opened.step = () => returns('paid');
    const soon = await opened.answered(keyed('k1'));
    await opened.pass(GRACE_MS);
    const calling = await opened.answered(keyed('k1'));

    expect((await first).status).toBe(202);
    expect(told(soon)).toBe('409 in-progress');
    expect(calling).toMatchObject({ status: 200, body: '"paid"' });
    expect(opened.calls.filter(call => call.endsWith('Call recovery'))).toHaveLength(1);
    expect(await opened.answered(keyed('k1'))).toMatchObject({ status: 200, headers: REPLAYED });
    expect(opened.runs.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  test('without a payload: another body with the key gets the first result', async () => {
    world = await openHttp('no payload', {}, { payload: undefined });
    world.step = () => returns('paid');

    expect(await world.answered(keyed('k1'))).toMatchObject({ status: 200, body: '"paid"' });
    expect(await world.answered(keyed('k1', {}, { amount: 999 }))).toMatchObject({
      status: 200,
      headers: REPLAYED,
      body: '"paid"',
    });
    expect(world.runs).toHaveLength(1);
  });

  test('where failures are stored: the same failure, byte for byte, without another run', async () => {
    world = await openHttp('stored', {}, { onFailedBefore: OnFailed.returnStoredFailure() });
    world.step = () => fails('CardDeclined');
    const first = await world.answered(keyed('k1'));
    const again = await world.answered(keyed('k1'));

    expect(told(first)).toBe('500 step-failed');
    expect(first.headers).not.toHaveProperty('Idempotent-Replayed');
    expect(again).toMatchObject({ status: 500, headers: REPLAYED, body: first.body });
    expect(world.runs).toHaveLength(1);
  });

  test('where some errors are stored answers: these again without a run, after another one the step runs', async () => {
    const onFailedBefore = OnFailed.returnStoredFailure({ errors: ['CardDeclined'] });
    world = await openHttp('some stored', {}, { onFailedBefore });
    world.step = () => fails('CardDeclined');
    const first = await world.answered(keyed('k1'));
    expect(await world.answered(keyed('k1'))).toMatchObject({ headers: REPLAYED, body: first.body });
    world.step = () => fails('ServiceBusy');
    expect(told(await world.answered(keyed('k2')))).toBe('500 step-failed');
    expect(world.runs).toHaveLength(2);

    world.step = () => returns('paid');
    expect(await world.answered(keyed('k1'))).toMatchObject({ status: 500, headers: REPLAYED });
    expect(await world.answered(keyed('k2'))).toMatchObject({ status: 200, body: '"paid"' });
    expect(world.runs).toHaveLength(3);
  });

  test('where some errors are stored answers: the failure of an earlier attempt answers a question only if it is one', async () => {
    const onFailedBefore = OnFailed.returnStoredFailure({ errors: ['CardDeclined'] });
    const opened = await openHttp('some stored, asked', {}, { onFailedBefore });
    world = opened;
    const asked = async (error: string) => {
      opened.step = () => fails(error);
      const sent = await opened.request(keyed(error, { Prefer: 'respond-async' }));
      await opened.pass(2000);
      // The location of a request that came after the failure.
      const [key, check, at] = askedAt(sent).split('.');
      const started = Math.floor(opened.clock.now() / 1000);
      return await opened.answered({ asked: [key, check, at, started].join('.') });
    };

    expect(told(await asked('CardDeclined'))).toBe('500 step-failed');
    expect(await asked('ServiceBusy')).toMatchObject({ status: 202 });
  });

  test('where duplicates wait: they get the answer of the first', async () => {
    world = await openHttp('waiting', {}, { onDuplicateInProgress: OnInProgress.wait(Duration.seconds(30)) });
    const { pause } = world;
    world.step = async () => {
      await pause(3000);
      return returns('paid');
    };
    const first = world.request(keyed('k1'));
    await world.pass(500);
    const second = await world.answered(keyed('k1'));

    expect(await first).toMatchObject({ status: 200, headers: {}, body: '"paid"' });
    expect(second).toMatchObject({ status: 200, headers: REPLAYED, body: '"paid"' });
    expect(world.runs).toHaveLength(1);
  });

  test('at most once, and cut off in its step: in doubt, again and again', async () => {
    world = await openHttp('at most once', {}, { delivery: 'at-most-once' });
    world.step = () => fails('Lambda.SdkClientException', 'Connection reset');
    const first = await world.answered(keyed('k1'));
    await world.pass(GRACE_MS);

    expect([202, 500]).toContain(first.status);
    for (const _ of [1, 2]) expect(told(await world.answered(keyed('k1')))).toBe('500 in-doubt');
    expect(world.runs).toHaveLength(1);
  });

  test('with a key, an input and an answer of its own: all as the app says, the same each time', async () => {
    world = await openHttp(
      'mapped',
      {
        idempotencyKey: '{% $states.input.body.orderId %}',
        input: "{% {'detail': $states.input.body} %}",
        response: {
          status: 201,
          headers: { Location: "{% '/charges/' & $result.charge %}", 'X-Kind': 'charge' },
          body: "{% {'number': $result.charge} %}",
        },
      },
      { idempotencyKey: '{% $states.input.detail.orderId %}', payload: '{% $states.input.detail.amount %}' },
    );
    const first = await world.answered({ body: BODY });
    const again = await world.answered({ body: { ...BODY, note: 'x' } });

    expect(first).toMatchObject({
      status: 201,
      headers: { Location: '/charges/1', 'X-Kind': 'charge' },
      body: '{"number":1}',
    });
    expect(again).toMatchObject({ ...first, headers: { ...first.headers, ...REPLAYED }, tookMs: 0 });
    expect(await world.record('ChargePayment#order-7')).toBeDefined();
    expect(told(await world.answered({ body: {} }))).toBe('400 missing-key');
    expect(told(await world.answered({ body: { orderId: { a: 1 } } }))).toBe('400 invalid-key');
    expect(told(await world.answered({ body: { orderId: 'order-8' } }))).toBe('400 invalid-payload');
    const slow = await world.answered({
      headers: { Prefer: 'respond-async' },
      body: { ...BODY, orderId: 'order-9' },
    });
    expect(await world.answered({ asked: askedAt(slow) })).toMatchObject({
      status: 201,
      body: '{"number":2}',
    });
  });

  test('with an answer of its own that is none: unavailable, and no header is begun by a result', async () => {
    world = await openHttp('no answer', {
      response: {
        status: '{% $result.status %}',
        headers: { ETag: '{% $result.tag %}' },
        body: '{% $result.body %}',
      },
    });
    const results = ['{"body":1}', '{"status":"201","body":1}', '{"status":600,"body":1}', '{"status":201}'];
    for (const result of results) {
      world.step = () => returns(JSON.parse(result));
      const key = Buffer.from(result).toString('hex');
      expect(told(await world.answered(keyed(key)))).toBe('500 result-unavailable');
    }
    world.step = () => returns({ status: 201, tag: 'a\r\nSet-Cookie: b', body: 'text' });
    expect(await world.answered(keyed('fine'))).toMatchObject({
      status: 201,
      headers: { ETag: 'a  Set-Cookie: b' },
      body: 'text',
    });
  });

  test('where callers have to sign: a caller without a principal is rejected', async () => {
    world = await openHttp('authorized', { principal: '$context.authorizer.principalId' });

    for (const principal of ['', '$context.authorizer.principalId']) {
      expect(told(await world.answered({ ...keyed('k1'), principal }))).toBe('403 no-principal');
    }
    expect(await world.answered({ ...keyed('k1'), principal: 'alice' })).toMatchObject({ status: 200 });
  });
});
