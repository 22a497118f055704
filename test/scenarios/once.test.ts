import { runs } from '../support/scale';
import { fails, openWorld, returns, T0, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };

describe('one order', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

  test('delivered for the first time: three transitions, two writes, one run', async () => {
    const execution = await world.delivered(ORDER);

    expect(execution).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.stack.runtime.billedTransitions(execution.executionArn)).toBe(3);
    expect(world.calls).toEqual([
      'dynamodb:putItem from Claim record',
      'lambda:invoke from Business step',
      'dynamodb:updateItem from Record the result',
    ]);
  });

  test('delivered again when finished: four transitions, no run, the first result', async () => {
    await world.delivered(ORDER);

    const duplicate = await world.delivered(ORDER);

    expect(duplicate).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.stack.runtime.billedTransitions(duplicate.executionArn)).toBe(4);
    expect(world.runs).toHaveLength(1);
  });

  test('many deliveries at once: one run; those that succeed have its result, the others must wait', async () => {
    const deliveries = Array.from({ length: runs(50, 1000) }, () => world.deliver(ORDER));
    const arns = await Promise.all(deliveries);
    await world.settle();

    const executions = await Promise.all(arns.map(world.execution));
    const outcomes = new Set(executions.map(({ status, output, error }) => `${status} ${output ?? error}`));
    expect(world.runs).toHaveLength(1);
    expect([...outcomes].filter(outcome => outcome !== 'FAILED Idempotency.InProgress')).toEqual([
      'SUCCEEDED {"charge":1}',
    ]);
  }, 60_000);

  test('delivered again after the retention: counts as new', async () => {
    await world.delivered(ORDER);
    world.clock.advanceBy(90 * 24 * 3600 * 1000);

    const later = await world.delivered(ORDER);

    expect(later.output).toBe('{"charge":2}');
    expect(await world.record(KEY)).toMatchObject({ attempt: { N: '1' }, owner: { S: later.executionArn } });
  });

  test('with another amount: rejected, and the record stays as it was', async () => {
    await world.delivered(ORDER);
    const before = await world.record(KEY);

    const other = await world.delivered({ ...ORDER, amount: 13 });

    expect(other).toMatchObject({ status: 'FAILED', error: 'Idempotency.PayloadMismatch' });
    expect(await world.record(KEY)).toEqual(before);
    expect(world.runs).toHaveLength(1);
  });

  test('with its members in another order and other members besides: the same payload', async () => {
    await world.delivered(ORDER);

    const again = await world.delivered({ note: 'x', currency: 'EUR', amount: 12.5, orderId: 'order-7' });

    expect(again).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
  });

  test('step fails: its own error, a failed record; the next delivery runs it again', async () => {
    world.step = () => fails('CardDeclined', '{"errorMessage":"no money"}');
    const first = await world.delivered(ORDER);
    const record = await world.record(KEY);
    world.step = () => returns('paid');

    const second = await world.delivered(ORDER);

    expect(first).toMatchObject({
      status: 'FAILED',
      error: 'CardDeclined',
      cause: '{"errorMessage":"no money"}',
    });
    expect(record).toMatchObject({
      status: { S: 'FAILED' },
      attempt: { N: '1' },
      error: { S: '{"Error":"CardDeclined","Cause":"{\\"errorMessage\\":\\"no money\\"}"}' },
      expiry: { N: String(T0 / 1000 + 90 * 24 * 3600) },
    });
    expect(second).toMatchObject({ status: 'SUCCEEDED', output: '"paid"' });
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('many deliveries at once of a failed order: one of them takes over', async () => {
    world.step = () => fails('CardDeclined');
    await world.delivered(ORDER);
    world.step = () => returns('paid');

    await Promise.all(Array.from({ length: runs(20, 100) }, () => world.deliver(ORDER)));
    await world.settle();

    expect(world.runs).toHaveLength(2);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '2' } });
  }, 30_000);

  test('a rejection tells key, owner and attempt, never the payload', async () => {
    const owner = await world.delivered({ ...ORDER, note: 'secret-note', card: 'secret-card' });

    const other = await world.delivered({ ...ORDER, amount: 987654 });

    expect(JSON.parse(other.cause ?? '')).toEqual({
      message:
        'the idempotency key was used before with another payload: compare the inputs of both executions',
      idempotencyKey: KEY,
      status: 'COMPLETED',
      owner: owner.executionArn,
      attempt: 1,
      claimedAt: '2026-11-20T09:00:00.000Z',
    });
  });
});
