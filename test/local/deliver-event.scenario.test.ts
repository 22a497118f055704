import { deliverEvent } from '../../packages/local/index';
import { noFault } from '../support/faults';
import { openWorld, type World } from '../support/world';

const EVENT = { source: 'shop.orders', 'detail-type': 'OrderPlaced' };

describe('deliverEvent', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const deliver = (event: object, bus = world.stack.output('EventBusName')) =>
    deliverEvent(world.stack, { ...EVENT, detail: {}, ...event }, bus);

  test('an event that a rule matches: the execution it started, ended', async () => {
    const [execution] = await deliver({ detail: { orderId: 'a', amount: 1, currency: 'EUR' } });

    expect(execution).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
  });

  test('a duplicate of a finished one: no execution', async () => {
    const detail = { orderId: 'twice', amount: 1, currency: 'EUR' };
    const first = await deliver({ detail });
    const again = await deliver({ detail, id: 'another' });

    expect(first).toHaveLength(1);
    expect(again).toEqual([]);
  });

  test('a duplicate while the first delivery runs: the execution of the first', async () => {
    const detail = { orderId: 'at once', amount: 1, currency: 'EUR' };
    const [[first], [again]] = await Promise.all([deliver({ detail }), deliver({ detail })]);

    expect(again).toEqual(first);
    expect(first).toMatchObject({ name: expect.stringMatching(/^at-once-/), status: 'SUCCEEDED' });
  });

  test('an event without a key: the execution that says so', async () => {
    const delivering = deliver({ detail: {} });
    // A key that cannot be read is read once more, a second later.
    await world.settle();

    expect(await delivering).toMatchObject([{ status: 'FAILED', error: 'Idempotency.InvalidEvent' }]);
  });

  test('an event that could not be started: rejected with the reason', async () => {
    world.faults = async (call, next) =>
      call.stateName === 'Start by key' ? { kind: 'failed', error: 'Sfn.Broken', cause: '' } : next();
    const delivering = deliver({ detail: { orderId: 'c' } });
    const rejected = expect(delivering).rejects.toThrow(/:express:.* ended as FAILED: /);
    await world.settle();
    await rejected;
    world.faults = noFault;
  });

  test('an event that no rule matches: nothing', async () => {
    expect(await deliver({ source: 'shop.other' })).toEqual([]);
  });

  test('a bus that is not there: rejected with those that are', async () => {
    await expect(deliver({}, 'nobus')).rejects.toThrow(/no event bus nobus; there are: default, Onceflow/);
  });

  test('an event too large for an execution: rejected by the target', async () => {
    const detail = { orderId: 'b', note: 'x'.repeat(300_000) };
    await expect(deliver({ detail })).rejects.toThrow(/did not take the event: .*262144 bytes/);
  });
});
