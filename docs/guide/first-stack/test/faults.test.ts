import { startTestStack, type TestStack } from '@onceflow/local';
import { App } from 'aws-cdk-lib';
import { PaymentsStack } from '../stack';

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;

let assembly: string;
let stack: TestStack;

beforeAll(() => {
  const app = new App();
  new PaymentsStack(app, 'Payments');
  assembly = app.synth().directory;
});
beforeEach(async () => {
  stack = await startTestStack({ assembly });
});
afterEach(() => stack.close());

/** Delivers the order, so many times at once, and lets time pass until everything that it led to is at rest. */
async function deliver({ times = 1 } = {}) {
  const detail = { orderId: 'order-1', amount: 12.5, currency: 'EUR' };
  const event = { source: 'shop.orders', 'detail-type': 'OrderPlaced', detail };
  const { executions } = await stack.deliver({ eventBus: 'Payments/Orders', event, times });
  return executions.filter(({ stateMachine }) => stateMachine === 'Payments/ChargePayment/StateMachine');
}

/** The attempts of the business step so far. */
const attempts = () =>
  stack.calls
    .filter(({ stateName }) => stateName === 'Business step')
    .map(call => call.arguments as { readonly Payload: { readonly attempt: number } })
    .map(({ Payload }) => Payload.attempt);

test('ten deliveries at the same time: one charge', async () => {
  await deliver({ times: 10 });

  expect(attempts()).toEqual([1]);
});

test('the answer of the claim is lost: its write is known again, one charge', async () => {
  stack.faults.loseAnswer('Claim record');

  expect(await deliver()).toMatchObject([{ status: 'SUCCEEDED' }]);
  expect(attempts()).toEqual([1]);
});

test('the charge fails: the next delivery runs it again, as the next attempt', async () => {
  stack.faults.failStep('Business step', { error: 'CardDeclined' });

  expect(await deliver()).toMatchObject([{ status: 'FAILED', error: 'CardDeclined' }]);
  expect(await deliver()).toMatchObject([{ status: 'SUCCEEDED' }]);
  expect(attempts()).toEqual([1, 2]);
});

test('interrupted within the charge: redriven automatically, when the charge has certainly ended', async () => {
  const begun = stack.now();
  stack.faults.killIn('Business step');

  // The event is not delivered again. The function may still be working: its timeout of 10 s, and 30 s.
  const [owner] = await deliver();
  expect(owner).toMatchObject({ name: 'order-1', status: 'SUCCEEDED', redriveCount: 1 });
  expect(stack.now() - begun).toBeGreaterThanOrEqual(40 * SECOND);
  expect(attempts()).toEqual([1, 1]);
});

test('the retention is over: the order counts as new', async () => {
  await deliver();
  await stack.pass(90 * DAY);
  await deliver();

  expect(attempts()).toEqual([1, 1]);
}, 120_000);
