import { Key as ClientKey } from '../../client/index';
import { Key } from '../../infra/index';
import { payloadHash } from '../../state-machine/contract/index';
import type { Variant } from '../support/variant';
import { openWorld, type World } from '../support/world';

const ORDER = { orderId: 'order-7', amount: 12.5, lines: [{ sku: 'a', n: 1 }] };
const SAME = { lines: [{ n: 1, sku: 'a' }], amount: 12.5, orderId: 'order-7' };
const VARIANT: Variant = {
  name: 'key of a payload',
  settings: () => ({ idempotencyKey: Key.ofPayload('{% $states.input.detail %}') }),
};

describe('a key that is the hash of a payload', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(VARIANT);
  });
  afterAll(() => world.close());

  test('the same payload from the bus, members in another order: one execution, by the name of its hash', async () => {
    await world.publish(ORDER);
    await world.publish(SAME);

    const [execution, ...others] = await world.executions();
    expect(others).toEqual([]);
    expect(execution).toMatchObject({ name: payloadHash(ORDER), status: 'SUCCEEDED' });
    expect(world.runs).toHaveLength(1);
    expect(ClientKey.ofPayload(SAME)).toBe(payloadHash(ORDER));
  });

  test('started without a name: the record knows it', async () => {
    const { output } = await world.delivered(SAME);
    const { output: other } = await world.delivered({ ...SAME, amount: 13 });

    expect([output, other]).toEqual(['{"charge":1}', '{"charge":2}']);
    expect(await world.record(`ChargePayment#${payloadHash(ORDER)}`)).toMatchObject({ attempt: { N: '1' } });
  });

  test('an empty payload: no key', async () => {
    expect(await world.delivered({})).toMatchObject({ error: 'Idempotency.InvalidEvent' });
  });
});
