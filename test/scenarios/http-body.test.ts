import { type HttpWorld, openHttp } from '../support/http';

const KEY = { 'Idempotency-Key': 'k1' };

describe('a request by HTTP', () => {
  let world: HttpWorld | undefined;
  afterEach(() => world?.close());

  test('with an empty body: the same request as with {}', async () => {
    world = await openHttp('reference');
    await world.answered({ headers: KEY, text: '' });

    expect(world.runs[0]?.input).toMatchObject({ body: {} });
    expect(await world.answered({ headers: KEY, body: {} })).toMatchObject({
      status: 200,
      headers: { 'Idempotent-Replayed': 'true' },
    });
  });

  test('whose payload requires a member: a body without it is rejected, also an empty one', async () => {
    world = await openHttp('required', {}, { payload: '{% $states.input.body[$exists(amount)] %}' });

    for (const text of ['', '{}', '{"orderId":"order-7"}']) {
      const answer = await world.answered({ headers: KEY, text });
      expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('#invalid-payload')]);
    }
    expect(world.calls).toEqual([]);
    expect(await world.answered({ headers: KEY, text: '{"amount":1}' })).toMatchObject({ status: 200 });
  });
});
