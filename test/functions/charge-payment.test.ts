import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
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
    ['an amount beyond reason', { amount: 1e13 }],
    ['no currency', { currency: undefined }],
    ['a currency in small letters', { currency: 'eur' }],
  ])('%s: refused before anything is charged', async (_, change) => {
    await expect(chargePayment('Pay#7', { ...order, ...change }, ledger, () => 'x')).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidPayment' }),
    );
    expect(charges).toEqual([]);
  });
});

describe('the handler', () => {
  const event = {
    idempotencyKey: 'Pay#7',
    attempt: 1,
    input: { detail: { orderId: 7, amount: 12.5, currency: 'EUR' } },
  };
  const dynamodb = mockClient(DynamoDBClient);
  beforeEach(() => {
    dynamodb.reset();
    process.env['CHARGES_TABLE'] = 'charges';
  });

  test('a charge: adds one to the counter of its key', async () => {
    dynamodb.on(UpdateItemCommand).resolves({});

    await handler(event);

    expect(dynamodb.commandCalls(UpdateItemCommand)[0]?.args[0].input).toMatchObject({
      TableName: 'charges',
      Key: { idempotencyKey: { S: 'Pay#7' } },
      UpdateExpression: 'ADD charges :one SET amount = :amount, currency = :currency',
    });
  });

  test('the ledger does not answer: fails, and does not ask twice', async () => {
    dynamodb.on(UpdateItemCommand).rejects(new Error('socket hang up'));

    await expect(handler(event)).rejects.toThrow('socket hang up');
    expect(dynamodb.commandCalls(UpdateItemCommand)).toHaveLength(1);
  });
});
