import { deliverEvent } from '../../local/index';
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

  test('an event that no rule matches: nothing', async () => {
    expect(await deliver({ source: 'shop.other' })).toEqual([]);
  });

  test('a bus that is not there: refused with those that are', async () => {
    await expect(deliver({}, 'nobus')).rejects.toThrow(/no event bus nobus; there are: default, Onceflow/);
  });

  test('an event too large for an execution: refused by the target', async () => {
    const detail = { orderId: 'b', note: 'x'.repeat(300_000) };
    await expect(deliver({ detail })).rejects.toThrow(/did not take the event: .*262144 bytes/);
  });
});
