import { openHttp } from '../support/http';

describe('a request by HTTP with a whole number from 2^53 on', () => {
  test('in the payload: rejected with its place, before and after a payload that is accepted', async () => {
    const world = await openHttp('reference');
    const rejected = '{"orderId":"order-7","customer":{"ids":[1,9007199254740993]}}';
    const headers = { 'Idempotency-Key': 'k1' };
    for (let i = 0; i < 2; i += 1) {
      const { status, body } = await world.answered({ headers, text: rejected });

      expect({ ...JSON.parse(body), answered: status }).toMatchObject({
        answered: 400,
        status: 400,
        type: expect.stringMatching(/#invalid-payload$/),
        detail: 'A whole number beyond 2^53 - 1 cannot be told from others. Send it as text.',
        pointer: '#/customer/ids/1',
      });
      const accepted = await world.answered({ headers, text: rejected.replace('9007199254740993', '2') });
      expect(accepted.status).toBe(200);
    }
    expect(world.runs).toHaveLength(1);
    await world.close();
  });
});

describe('an HTTP request with a number that a double cannot hold', () => {
  test.each(['1e400', '-2E+999', `${'9'.repeat(400)}`, '0.5e1000'])(
    '%s: rejected, wherever it is, and the same with an amount that is accepted runs',
    async number => {
      const world = await openHttp('reference');
      const headers = { 'Idempotency-Key': 'k1' };
      const text = (amount: string) =>
        `{"orderId":"order-7","amount":12,"lines":[{"a":1},{"a":[${amount}]}]}`;

      const { status, body } = await world.answered({ headers, text: text(number) });
      expect({ ...JSON.parse(body), answered: status }).toMatchObject({
        answered: 400,
        type: expect.stringMatching(/#invalid-payload$/),
        pointer: '#',
      });
      expect(world.runs).toHaveLength(0);
      expect(await world.answered({ headers, text: text('1e-400') })).toMatchObject({ status: 200 });
      expect(await world.answered({ headers, text: text('"1e400"') })).toMatchObject({ status: 422 });
      await world.close();
    },
  );

  test.each([
    ['looks like one in a text', '"\\\\\\"7e4001"', 200],
    ['has many digits', `1.${'0'.repeat(200)}`, 200],
    ['is beyond it', '1e309', 400],
  ])('twenty-four levels deep, a number that %s: %s is answered with %i', async (_case, number, status) => {
    const world = await openHttp('reference');
    const deep = `${'[{"a":'.repeat(12)}${number}${'}]'.repeat(12)}`;
    const text = `{"orderId":"order-7","amount":12,"lines":${deep}}`;

    expect(await world.answered({ headers: { 'Idempotency-Key': 'k1' }, text })).toMatchObject({ status });
    await world.close();
  });
});
