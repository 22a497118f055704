import { Duration, type Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { FailureDestination, type IdempotentWorkflowProps, StoreError } from '../../infra/index';
import { failing, loseFirstAnswer, noFault, stopping } from '../support/faults';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const HOUR = 3_600_000;

function toQueue(stack: Stack): FailureDestination {
  return FailureDestination.queue(new Queue(stack, 'Failures', { queueName: 'failures' }), {
    rejections: true,
  });
}

// A queue behind the bus shows its events.
function toBus(stack: Stack): FailureDestination {
  const bus = new EventBus(stack, 'FailureBus');
  const target = new SqsQueue(new Queue(stack, 'Failures', { queueName: 'failures' }));
  new Rule(stack, 'All', { eventBus: bus, eventPattern: { source: ['onceflow'] }, targets: [target] });
  return FailureDestination.eventBus(bus);
}

const variant = (
  name: string,
  onFailure: (stack: Stack) => FailureDestination,
  workflow: Partial<IdempotentWorkflowProps> = {},
): Variant => ({ name, workflow, settings: stack => ({ onFailure: onFailure(stack) }) });

const QUEUE = variant('failures to a queue', toQueue);
const AT_MOST_ONCE = variant('doubt to a queue', toQueue, { delivery: 'at-most-once' });

let world: World;
afterEach(() => world.close());

const sent = () =>
  (world.stack.queues.peek('failures') ?? []).map(({ body }) => JSON.parse(body) as Record<string, unknown>);

describe('a failure destination that is a queue', () => {
  beforeEach(async () => {
    world = await openWorld(QUEUE);
  });

  test('the step fails: key, attempt, error and execution, with the event; then the error of the step', async () => {
    world.step = () => fails('CardDeclined', 'no credit');
    const { executionArn, error, input } = await world.delivered(ORDER);

    expect(error).toBe('CardDeclined');
    expect(sent()).toEqual([
      {
        status: 'FAILED',
        executionArn,
        idempotencyKey: KEY,
        attempt: 1,
        error: 'CardDeclined',
        cause: 'no credit',
        input: JSON.parse(input ?? ''),
      },
    ]);
  });

  test('the step succeeds, and a duplicate comes: nothing', async () => {
    await world.delivered(ORDER);
    await world.delivered(ORDER);

    expect(sent()).toEqual([]);
  });

  test('the step fails again, as the next attempt: sent again', async () => {
    world.step = () => fails('CardDeclined');
    await world.delivered(ORDER);
    await world.delivered(ORDER);

    expect(sent().map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('the queue cannot be reached for an hour: sent when it can', async () => {
    world.step = () => fails('CardDeclined');
    world.faults = failing('Send failure', 'SQS.SdkClientException');
    const arn = await world.deliver(ORDER);
    await world.pass(HOUR);
    expect(await world.execution(arn)).toMatchObject({ status: 'RUNNING' });
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'FAILED' } });
    world.faults = noFault;
    await world.settle();

    expect(sent()).toHaveLength(1);
    expect(await world.execution(arn)).toMatchObject({ status: 'FAILED', error: 'CardDeclined' });
  });

  test('its answer is lost: sent twice rather than not at all', async () => {
    world.step = () => fails('CardDeclined');
    world.faults = loseFirstAnswer('Send failure', 'SQS.SdkClientException');
    await world.delivered(ORDER);

    expect(sent()).toHaveLength(2);
  });

  test('without a fix for a day: the execution fails with its error, and a redrive sends', async () => {
    world.step = () => fails('CardDeclined');
    world.faults = failing('Send failure', 'SQS.SqsException');
    const { executionArn, error } = await world.delivered(ORDER);
    expect(error).toBe('SQS.SqsException');
    world.faults = noFault;
    await world.stack.runtime.redriveExecution({ executionArn });
    await world.settle();

    expect(sent()).toHaveLength(1);
    expect(world.runs).toHaveLength(1);
    expect(await world.execution(executionArn)).toMatchObject({ error: 'CardDeclined' });
  });

  test('stopped between the record and the notice: a redrive sends, and runs no step', async () => {
    world.step = () => fails('CardDeclined');
    world.faults = stopping(world, 'Send failure', 'before');
    const { executionArn } = await world.delivered(ORDER);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'FAILED' } });
    expect(sent()).toEqual([]);
    await world.stack.runtime.redriveExecution({ executionArn });
    await world.settle();

    expect(sent()).toMatchObject([{ status: 'FAILED', executionArn }]);
    expect(world.runs).toHaveLength(1);
  });

  test('stopped there, and the next delivery succeeds: what had failed is not told any more', async () => {
    world.step = () => fails('CardDeclined');
    world.faults = stopping(world, 'Send failure', 'before');
    await world.delivered(ORDER);
    world.step = () => returns('paid');

    expect(await world.delivered(ORDER)).toMatchObject({ output: '"paid"' });
    expect(sent()).toEqual([]);
  });

  test.each([
    ['a long text', 'x'.repeat(70_000)],
    ['many quotes', '"'.repeat(20_000)],
  ])('an input that is too long, %s: left out, by name, and read in the execution', async (_, note) => {
    world.step = () => fails('CardDeclined', '"'.repeat(20_000));
    const { executionArn } = await world.delivered({ ...ORDER, note });

    expect(sent()).toMatchObject([{ executionArn, idempotencyKey: KEY, inputOmitted: true }]);
    expect(sent()[0]).not.toHaveProperty('input');
    expect(JSON.stringify(JSON.stringify(sent()[0])).length).toBeLessThan(60_000);
  });

  test('another payload: sent as rejected, with whose key it is', async () => {
    const { executionArn: owner } = await world.delivered(ORDER);
    const { executionArn, error, cause } = await world.delivered({ ...ORDER, amount: 13 });

    expect(error).toBe('Idempotency.PayloadMismatch');
    expect(JSON.parse(cause ?? '')).toMatchObject({ idempotencyKey: KEY, owner });
    expect(sent()).toMatchObject([
      {
        status: 'REJECTED',
        error,
        cause,
        executionArn,
        owner,
        idempotencyKey: KEY,
        input: { detail: { amount: 13 } },
      },
    ]);
  });

  test('no key: sent as rejected', async () => {
    const { executionArn, error, cause } = await world.delivered({ amount: 1 });

    expect(error).toBe('Idempotency.InvalidEvent');
    expect(JSON.parse(cause ?? '')).toMatchObject({ keyExpression: '$states.input.detail.orderId' });
    expect(sent()).toMatchObject([
      { status: 'REJECTED', error, cause, executionArn, input: { detail: { amount: 1 } } },
    ]);
  });
});

describe('a failure destination at most once', () => {
  beforeEach(async () => {
    world = await openWorld(AT_MOST_ONCE);
  });

  test('a lost answer: sent when the record is held', async () => {
    world.step = () => fails('Lambda.SdkClientException', 'reset');
    const { executionArn } = await world.delivered(ORDER);

    expect(sent()).toMatchObject([
      {
        status: 'IN_DOUBT',
        executionArn,
        error: 'Idempotency.InDoubt',
        cause: 'Lambda.SdkClientException: reset',
      },
    ]);
  });

  async function heldByTheNext(faults = noFault) {
    const executions = world.stack.output('StateMachineArn').replace(':stateMachine:', ':execution:');
    // An Express execution left it: it cannot be asked about, and recovery gets no event of it.
    const owner = `${executions}:express`;
    await world.putRecord({
      idempotencyKey: { S: KEY },
      status: { S: 'IN_PROGRESS' },
      owner: { S: owner },
      attempt: { N: '1' },
      claimedAt: { S: '2026-11-19T09:00:00.000Z' },
      leaseExpiry: { N: String(world.clock.now() - 1) },
    });
    world.faults = faults;
    const { executionArn } = await world.delivered(ORDER);
    world.faults = noFault;
    return { owner, executionArn };
  }

  test.each([
    ['a lease is over', noFault],
    ['the same, and the answer to that write is lost', loseFirstAnswer('Hold the owner for review')],
  ])('%s: the delivery that holds the record notifies of its owner', async (_, faults) => {
    const { owner } = await heldByTheNext(faults);

    expect(sent()).toMatchObject([
      { status: 'IN_DOUBT', executionArn: owner, attempt: 1, idempotencyKey: KEY },
    ]);
  });

  test('that delivery is stopped before it notifies: a redrive of it does, and runs no step', async () => {
    const { owner, executionArn } = await heldByTheNext(stopping(world, "Send the owner's doubt", 'before'));
    expect(sent()).toEqual([]);
    await world.stack.runtime.redriveExecution({ executionArn });
    await world.settle();

    expect(sent()).toMatchObject([{ status: 'IN_DOUBT', executionArn: owner }]);
    expect(world.runs).toEqual([]);
    const record = await world.record(KEY);
    expect(record).toMatchObject({ status: { S: 'HELD' } });
    expect(JSON.parse(JSON.parse(record?.['error']?.S ?? '').Cause)).toMatchObject({
      owner,
      heldBy: executionArn,
    });
  });
});

describe('a failure destination that is an event bus', () => {
  beforeEach(async () => {
    world = await openWorld(variant('failures to a bus', toBus, { storeError: StoreError.nameOnly() }));
    world.step = () => fails('CardDeclined', 'card 4242');
  });

  test('the step fails: an event, without the cause that is not to be stored', async () => {
    const { executionArn, cause } = await world.delivered(ORDER);

    expect(cause).toBe('card 4242');
    expect(sent()).toMatchObject([
      {
        source: 'onceflow',
        'detail-type': 'Step Failed',
        detail: { executionArn, error: 'CardDeclined', cause: '' },
      },
    ]);
  });

  test('the bus rejects the entry for a while: put again', async () => {
    world.faults = failing('Send failure', 'EventBridge.FailedEntry', 5);
    await world.delivered(ORDER);

    expect(sent()).toHaveLength(1);
  });

  test('rejections were not asked for: nothing is sent of them', async () => {
    expect(await world.delivered({ amount: 1 })).toMatchObject({ error: 'Idempotency.InvalidEvent' });
    expect(sent()).toEqual([]);
  });
});

test('no payload: sent as rejected', async () => {
  world = await openWorld(variant('no payload', toQueue, { payload: '{% $states.input.detail.money %}' }));
  const { executionArn, error } = await world.delivered(ORDER);

  expect(error).toBe('Idempotency.InvalidEvent');
  expect(sent()).toMatchObject([{ status: 'REJECTED', error, executionArn }]);
});

test('payloads are kept, causes of the step are not: the notice names the fields that differ', async () => {
  const options = {
    payload: '{% $states.input.detail %}',
    keepPayload: true,
    storeError: StoreError.nameOnly(),
  };
  world = await openWorld(variant('rejected fields', toQueue, options));
  await world.delivered(ORDER);
  const { error, cause } = await world.delivered({ ...ORDER, amount: 13 });

  expect(error).toBe('Idempotency.PayloadMismatch');
  expect(JSON.parse(cause ?? '')).toMatchObject({ differingFields: ['amount'] });
  expect(sent()).toMatchObject([{ status: 'REJECTED', error, cause, input: { detail: { amount: 13 } } }]);
});

describe('a failure destination of an Express workflow', () => {
  test('the step fails: sent, within the time that the execution has', async () => {
    world = await openWorld(
      variant('express failures', toQueue, { type: 'EXPRESS', timeout: Duration.minutes(2) }),
    );
    world.step = () => fails('CardDeclined');
    world.faults = failing('Send failure', 'SQS.SdkClientException', 3);
    const stateMachineArn = world.stack.output('StateMachineArn');
    const start = world.stack.runtime.startSyncExecution({
      stateMachineArn,
      input: JSON.stringify({ detail: ORDER }),
    });
    await world.settle();

    expect(await start).toMatchObject({ status: 'FAILED', error: 'CardDeclined' });
    expect(sent()).toMatchObject([{ status: 'FAILED', idempotencyKey: KEY }]);
  });
});
