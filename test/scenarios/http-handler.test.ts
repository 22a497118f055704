import { proxyAnswer, proxyEvent } from '../../docs/guide/snippets/handler';
import { type HttpWorld, openHttp, REPLAYED } from '../support/http';
import { fails, returns } from '../support/world';

const REQUEST = { headers: { 'Idempotency-Key': 'k1' }, body: { orderId: 'order-7', amount: 12.5 } };

describe('a handler from behind API Gateway, by HTTP', () => {
  let world: HttpWorld;
  beforeEach(async () => {
    world = await openHttp('proxy handler', { response: proxyAnswer }, { stepInput: proxyEvent });
  });
  afterEach(() => world.close());

  test.each([
    ['has done its work', 201, '{"id": "ch_1"}'],
    ['has rejected', 402, 'card declined'],
  ])('that %s: its status and its own body, again the same', async (_, statusCode, body) => {
    world.step = () => returns({ statusCode, headers: { 'X-Request': '1' }, body });
    const first = await world.answered(REQUEST);
    const again = await world.answered(REQUEST);

    expect(first).toMatchObject({ status: statusCode, headers: {}, body });
    expect(again).toMatchObject({ status: statusCode, headers: REPLAYED, body });
    expect(world.runs).toEqual([
      {
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': 'k1',
        },
        body: JSON.stringify(REQUEST.body),
      },
    ]);
  });

  test('that throws: the next request runs it again', async () => {
    world.step = () => fails('CardDeclined');
    const { status } = await world.answered(REQUEST);
    world.step = () => returns({ statusCode: 201, body: 'done' });

    expect([status, (await world.answered(REQUEST)).status]).toEqual([500, 201]);
    expect(world.runs).toHaveLength(2);
  });
});
