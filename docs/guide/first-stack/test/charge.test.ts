import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deliverEvent, type LocalStack, startLocal } from '@onceflow/local';
import { App } from 'aws-cdk-lib';
import { PaymentsStack } from '../stack';

const assembly = mkdtempSync(path.join(tmpdir(), 'payments-'));
let stack: LocalStack;

beforeAll(async () => {
  const app = new App({ outdir: assembly });
  new PaymentsStack(app, 'Payments');
  app.synth();
  stack = await startLocal({ assembly });
});

afterAll(async () => {
  await stack?.close();
  rmSync(assembly, { recursive: true });
});

const order = (amount: number) => ({
  source: 'shop.orders',
  'detail-type': 'OrderPlaced',
  detail: { orderId: 'order-1', amount, currency: 'EUR' },
});

test('an order delivered three times: charged once', async () => {
  const bus = stack.output('EventBusName');
  const first = await deliverEvent(stack, order(12.5), bus);
  const second = await deliverEvent(stack, order(12.5), bus);
  const third = await deliverEvent(stack, order(12.5), bus);

  expect(first).toMatchObject([{ name: 'order-1', status: 'SUCCEEDED' }]);
  // Stopped by the name and the record: a duplicate starts no execution.
  expect([...second, ...third]).toEqual([]);
});

test('the same order with another amount: rejected', async () => {
  const executions = await deliverEvent(stack, order(99), stack.output('EventBusName'));

  expect(executions).toMatchObject([{ status: 'FAILED', error: 'Idempotency.PayloadMismatch' }]);
});
