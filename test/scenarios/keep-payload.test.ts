import { Queue } from 'aws-cdk-lib/aws-sqs';
import { FailureDestination, KeepPayload } from '../../infra/index';
import { openHttp } from '../support/http';
import type { Variant } from '../support/variant';
import { openWorld, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const KEPT: Variant = { name: 'payload kept', workflow: { keepPayload: true } };
const REDACTED: Variant = {
  name: 'payload redacted',
  settings: () => ({
    payload: '{% $states.input.detail %}',
    keepPayload: KeepPayload.redacted(
      "{% $states.input.detail.{'amount': amount, 'card': '…' & $substring(card, -4)} %}",
    ),
  }),
};

describe('a payload that is kept', () => {
  let world: World;
  afterEach(() => world.close());

  const mismatch = async (order: object) => {
    const { error, cause = '' } = await world.delivered(order);
    expect(error).toBe('Idempotency.PayloadMismatch');
    return JSON.parse(cause) as Readonly<Record<string, unknown>>;
  };

  test('another payload: the fields that differ are in the cause, and no value', async () => {
    world = await openWorld(KEPT);
    await world.delivered(ORDER);
    const cause = await mismatch({ ...ORDER, amount: 99.75 });

    expect(cause).toMatchObject({ differingFields: ['amount'], idempotencyKey: KEY });
    expect(JSON.stringify(cause)).not.toMatch(/99\.75|12\.5/);
    expect(await world.record(KEY)).toMatchObject({ payload: { S: '{"amount":12.5,"currency":"EUR"}' } });
  });

  test('the step fails and is run again: the record keeps what was asked first', async () => {
    world = await openWorld(KEPT);
    world.step = async ({ attempt }) =>
      attempt === 1
        ? { kind: 'failed', error: 'Busy', cause: '' }
        : { kind: 'succeeded', output: { Payload: 1 } };
    await world.delivered(ORDER);
    await world.delivered(ORDER);

    expect(await world.record(KEY)).toMatchObject({
      attempt: { N: '2' },
      payload: { S: '{"amount":12.5,"currency":"EUR"}' },
    });
  });

  test('a record from before: the mismatch names no fields', async () => {
    world = await openWorld(KEPT);
    await world.delivered(ORDER);
    const { payload: _, ...former } = (await world.record(KEY)) ?? {};
    await world.putRecord(former);

    expect(await mismatch({ ...ORDER, amount: 1 })).not.toHaveProperty('differingFields');
  });

  test('too long: not kept, and the event is handled like any other', async () => {
    world = await openWorld(KEPT);
    const long = { ...ORDER, currency: 'x'.repeat(10_001) };

    expect(await world.delivered(long)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await world.record(KEY)).toMatchObject({ payload: { S: 'TOO_LONG' } });
    expect(await mismatch(ORDER)).not.toHaveProperty('differingFields');
  });

  test('redacted: only what the expression gives is in the record', async () => {
    world = await openWorld(REDACTED);
    const order = { orderId: 'order-7', amount: 12.5, card: '4111111111111111', note: 'gift' };
    await world.delivered(order);

    expect(await world.record(KEY)).toMatchObject({ payload: { S: '{"amount":12.5,"card":"…1111"}' } });
    expect(await mismatch({ ...order, amount: 13, card: '4111111111112222' })).toMatchObject({
      differingFields: ['amount', 'card'],
    });
    expect(await mismatch({ ...order, note: 'none' })).toMatchObject({ differingFields: [] });
  });

  test('a redaction that cannot be evaluated: nothing is kept, and the step runs; so is a mismatch rejected', async () => {
    world = await openWorld(REDACTED);
    const order = { orderId: 'order-7', amount: 12.5, card: 4111 };
    const end = await world.delivered(order);

    expect(end).toMatchObject({ status: 'SUCCEEDED' });
    expect(await world.record(KEY)).toMatchObject({
      status: { S: 'COMPLETED' },
      payload: { S: 'NOT_REDACTED' },
    });
    expect(await mismatch({ ...order, amount: 13 })).not.toHaveProperty('differingFields');
    expect(world.runs).toHaveLength(1);
  });

  test('the redaction of the other payload cannot be evaluated: rejected as a mismatch, and told before', async () => {
    world = await openWorld({
      name: 'payload redacted, rejections told',
      settings: stack => ({
        ...REDACTED.settings?.(stack),
        onFailure: FailureDestination.queue(new Queue(stack, 'Failures', { queueName: 'failures' }), {
          rejections: true,
        }),
      }),
    });
    await world.delivered({ ...ORDER, card: '4111111111111111' });

    expect(await mismatch({ ...ORDER, card: 4111 })).not.toHaveProperty('differingFields');
    const told = world.stack.queues.peek('failures')?.map(({ body }) => JSON.parse(body).error as string);
    expect(told).toEqual(['Idempotency.PayloadMismatch']);
  });
});

test('a payload that is kept, by HTTP: 422 names the fields that differ, and no value', async () => {
  const http = await openHttp('kept', {}, { keepPayload: true });
  const body = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
  const send = (other: object) => http.answered({ headers: { 'Idempotency-Key': 'k1' }, body: other });
  await send(body);
  const several = await send({ orderId: 'order-7', amount: 99, tip: 1 });
  const one = await send({ ...body, amount: 99 });
  await http.putRecord({
    ...(await http.record('ChargePayment#anonymous,k1')),
    payload: { S: 'TOO_LONG' },
  });
  const unknown = await send({ ...body, amount: 99 });
  await http.close();

  const told = [several, one, unknown].map(answer => ({
    ...JSON.parse(answer.body),
    answered: answer.status,
  }));
  expect(told).toEqual([
    expect.objectContaining({ answered: 422, differingFields: ['amount', 'currency', 'tip'] }),
    expect.objectContaining({ answered: 422, differingFields: ['amount'] }),
    { answered: 422, status: 422, title: told[0]?.title, type: told[0]?.type },
  ]);
  expect(several.body).not.toContain('99');
});
