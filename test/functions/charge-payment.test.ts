import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Charge, chargePayment } from '../../functions/charge-payment/charge-payment';
import { handler } from '../../functions/charge-payment/handler';

describe('chargePayment', () => {
  const requests: Charge[] = [];
  const charges = new Map<string, string>();
  const provider = {
    charge: async (charge: Charge, proposedId: string) => {
      requests.push(charge);
      const chargeId = charges.get(charge.idempotencyKey) ?? proposedId;
      charges.set(charge.idempotencyKey, chargeId);
      return chargeId;
    },
  };
  const order = { orderId: 7, amount: 12.5, currency: 'EUR' };
  beforeEach(() => {
    requests.splice(0);
    charges.clear();
  });

  test('called twice: asks twice with the same key, and gives the receipt of the first charge', async () => {
    let ids = 0;
    const newId = () => `charge-${++ids}`;

    const first = await chargePayment('Pay#7', order, provider, newId);
    const second = await chargePayment('Pay#7', order, provider, newId);

    expect(requests).toEqual(Array(2).fill({ idempotencyKey: 'Pay#7', amount: 12.5, currency: 'EUR' }));
    expect(first.chargeId).toBe('charge-1');
    expect(second).toEqual(first);
  });

  test.each([
    ['no amount', { amount: undefined }],
    ['an amount of text', { amount: '12.5' }],
    ['an amount of zero', { amount: 0 }],
    ['an amount beyond reason', { amount: 1_000_000_000_001 }],
    ['no currency', { currency: undefined }],
    ['a currency in small letters', { currency: 'eur' }],
    ['a currency of four letters', { currency: 'EURO' }],
    ['a currency with something before it', { currency: '1EUR' }],
  ])('%s: rejected before anything is charged', async (_, change) => {
    await expect(chargePayment('Pay#7', { ...order, ...change }, provider, () => 'x')).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidPayment' }),
    );
    expect(requests).toEqual([]);
  });

  test('the greatest amount: charged', async () => {
    await chargePayment('Pay#7', { ...order, amount: 1_000_000_000_000 }, provider, () => 'x');

    expect(requests).toMatchObject([{ amount: 1_000_000_000_000 }]);
  });
});

describe('the handler', () => {
  const event = {
    idempotencyKey: 'Pay#7',
    attempt: 1,
    input: { detail: { orderId: 7, amount: 12.5, currency: 'EUR' } },
  };
  // A real client against a real connection: whether it asks twice is up to the SDK.
  const requests: object[] = [];
  let answer: (response: ServerResponse) => void;
  const server = createServer(async (request, response) => {
    requests.push(JSON.parse(await text(request)) as object);
    answer(response);
  });

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}`,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'y',
      CHARGES_TABLE: 'charges',
    });
  });
  beforeEach(() => requests.splice(0));
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  test('a charge: counts the request, keeps the first charge of its key, and gives its id', async () => {
    answer = response => response.end('{"Attributes":{"chargeId":{"S":"first"}}}');

    expect(await handler(event)).toMatchObject({ chargeId: 'first', orderId: 7 });
    expect(requests).toMatchObject([
      {
        TableName: 'charges',
        Key: { idempotencyKey: { S: 'Pay#7' } },
        UpdateExpression: expect.stringMatching(
          /^ADD requests :one SET charges = if_not_exists\(charges, :one\),/,
        ),
        ReturnValues: 'ALL_NEW',
      },
    ]);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['does not answer', response => response.destroy()],
    ['is not well', response => response.writeHead(500).end('{}')],
  ])('the provider %s: fails, and does not ask twice', async (_, answers) => {
    answer = answers;

    await expect(handler(event)).rejects.toThrow();
    expect(requests).toHaveLength(1);
  });
});
