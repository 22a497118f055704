import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Charge, chargePayment } from '../../functions/charge-payment/charge-payment';
import { handler } from '../../functions/charge-payment/handler';

describe('chargePayment', () => {
  const charges: Charge[] = [];
  const ledger = { charge: async (charge: Charge) => void charges.push(charge) };
  const order = { orderId: 7, amount: 12.5, currency: 'EUR' };
  beforeEach(() => charges.splice(0));

  test('called twice: charges twice, with two receipts', async () => {
    let ids = 0;
    const newId = () => `charge-${++ids}`;

    const first = await chargePayment('Pay#7', order, ledger, newId);
    const second = await chargePayment('Pay#7', order, ledger, newId);

    expect(charges).toEqual(Array(2).fill({ idempotencyKey: 'Pay#7', amount: 12.5, currency: 'EUR' }));
    expect([first.chargeId, second.chargeId]).toEqual(['charge-1', 'charge-2']);
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
  ])('%s: refused before anything is charged', async (_, change) => {
    await expect(chargePayment('Pay#7', { ...order, ...change }, ledger, () => 'x')).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidPayment' }),
    );
    expect(charges).toEqual([]);
  });

  test('the greatest amount: charged', async () => {
    await chargePayment('Pay#7', { ...order, amount: 1_000_000_000_000 }, ledger, () => 'x');

    expect(charges).toMatchObject([{ amount: 1_000_000_000_000 }]);
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

  test('a charge: adds one to the counter of its key', async () => {
    answer = response => response.end('{}');

    await handler(event);

    expect(requests).toEqual([
      {
        TableName: 'charges',
        Key: { idempotencyKey: { S: 'Pay#7' } },
        UpdateExpression: 'ADD charges :one SET amount = :amount, currency = :currency',
        ExpressionAttributeValues: {
          ':one': { N: '1' },
          ':amount': { N: '12.5' },
          ':currency': { S: 'EUR' },
        },
      },
    ]);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['does not answer', response => response.destroy()],
    ['is not well', response => response.writeHead(500).end('{}')],
  ])('the ledger %s: fails, and does not ask twice', async (_, answers) => {
    answer = answers;

    await expect(handler(event)).rejects.toThrow();
    expect(requests).toHaveLength(1);
  });
});
