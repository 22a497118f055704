import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  Activity,
  advanceBy,
  deliverEvent,
  type Interceptor,
  type LocalStack,
  runToEnd,
  startLocal,
  VirtualClock,
} from '@onceflow/local';
import { App } from 'aws-cdk-lib';
import { PaymentsStack } from '../stack';

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const ORDER = { orderId: 'order-1', amount: 12.5, currency: 'EUR' };

const assembly = mkdtempSync(path.join(tmpdir(), 'payments-'));
beforeAll(() => {
  const app = new App({ outdir: assembly });
  new PaymentsStack(app, 'Payments');
  app.synth();
});
afterAll(() => rmSync(assembly, { recursive: true }));

let stack: LocalStack;
let clock: VirtualClock;
let activity: Activity;
/** The fault of a test: what happens to each call of the state machines. */
let fault: Interceptor;
/** Every call of the business step so far, by its attempt. */
let attempts: number[];

beforeEach(async () => {
  clock = new VirtualClock(Date.parse('2026-11-20T09:00:00Z'));
  activity = new Activity();
  attempts = [];
  fault = (_, next) => next();
  const interceptor: Interceptor = (call, next) => {
    if (call.stateName === 'Business step') {
      const { Payload } = call.arguments as { readonly Payload: { readonly attempt: number } };
      attempts.push(Payload.attempt);
    }
    return fault(call, next);
  };
  stack = await startLocal({ assembly, clock, activity, interceptor, seed: '1' });
});
afterEach(() => stack.close());

/** Delivers the order, and lets time pass until everything that it led to has ended. */
async function deliver(order: typeof ORDER = ORDER) {
  const event = { source: 'shop.orders', 'detail-type': 'OrderPlaced', detail: order };
  const executions = deliverEvent(stack, event, stack.output('EventBusName'));
  await runToEnd(stack.runtime, clock);
  return executions;
}

/** A fault that happens to the first call of a state, and to no other. */
function once(stateName: string, happens: Interceptor): Interceptor {
  let hasHappened = false;
  return (call, next) => {
    if (hasHappened || call.stateName !== stateName) return next();
    hasHappened = true;
    return happens(call, next);
  };
}

test('ten deliveries at the same time: one charge', async () => {
  await Promise.all(Array.from({ length: 10 }, () => deliver()));

  expect(attempts).toEqual([1]);
});

test('the answer of the claim is lost: its write is known again, one charge', async () => {
  fault = once('Claim record', async (_, next) => {
    await next();
    return { kind: 'failed', error: 'DynamoDB.SdkClientException', cause: 'Connection reset' };
  });

  expect(await deliver()).toMatchObject([{ status: 'SUCCEEDED' }]);
  expect(attempts).toEqual([1]);
});

test('the charge fails: the next delivery runs it again, as the next attempt', async () => {
  fault = once('Business step', async () => ({ kind: 'failed', error: 'CardDeclined', cause: '' }));

  expect(await deliver()).toMatchObject([{ status: 'FAILED', error: 'CardDeclined' }]);
  expect(await deliver()).toMatchObject([{ status: 'SUCCEEDED' }]);
  expect(attempts).toEqual([1, 2]);
});

test('the execution is stopped within the charge: redriven by itself, when the charge has certainly ended', async () => {
  fault = once('Business step', ({ executionArn }) => {
    void stack.runtime.stopExecution({ executionArn });
    return activity.lose();
  });
  const stoppedAt = clock.now();
  const [owner] = await deliver();
  expect(owner).toMatchObject({ name: 'order-1', status: 'ABORTED' });

  // Nobody has delivered it again. The function may still be working: its timeout of 10 s, and 30 s.
  const { executionArn = '' } = owner ?? {};
  const recovered = await stack.runtime.describeExecution({ executionArn });
  expect(recovered).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
  expect(recovered.redriveDate).toBeGreaterThanOrEqual(stoppedAt + 40 * SECOND);
  expect(attempts).toEqual([1, 1]);
});

test('the retention is over: the order counts as new', async () => {
  await deliver();
  await advanceBy(stack.runtime, clock, 90 * DAY);
  await deliver();

  expect(attempts).toEqual([1, 1]);
});
