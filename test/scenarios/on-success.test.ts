import { Duration, type Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { type IdempotentWorkflowProps, Recovery, SuccessDestination } from '../../infra/index';
import { failing, loseFirstAnswer, noFault, stopping } from '../support/faults';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const HOUR = 3_600_000;

const toQueue = (stack: Stack) =>
  SuccessDestination.queue(new Queue(stack, 'Results', { queueName: 'results' }));

// A queue behind the bus shows its events.
function toBus(stack: Stack): SuccessDestination {
  const bus = new EventBus(stack, 'ResultBus');
  const target = new SqsQueue(new Queue(stack, 'Results', { queueName: 'results' }));
  new Rule(stack, 'All', { eventBus: bus, eventPattern: { source: ['onceflow'] }, targets: [target] });
  return SuccessDestination.eventBus(bus);
}

const variant = (
  name: string,
  onSuccess: (stack: Stack) => SuccessDestination,
  workflow: Partial<IdempotentWorkflowProps> = {},
): Variant => ({ name, workflow, settings: stack => ({ onSuccess: onSuccess(stack) }) });

const QUEUE = variant('results to a queue', toQueue);
const recovery = Recovery.automatic();
const RECOVERED = variant('results, recovered', toQueue, { recovery });
const SHORT = variant('results for an hour', toQueue, { retention: Duration.hours(1) });
const AT_MOST_ONCE = variant('results at most once', toQueue, { recovery, delivery: 'at-most-once' });

let world: World;
afterEach(() => world.close());

const sent = () =>
  (world.stack.queues.peek('results') ?? []).map(({ body }) => JSON.parse(body) as Record<string, unknown>);

describe('a result whose record expires before its write is repeated', () => {
  test('another execution has claimed the key: only that one sends its result', async () => {
    world = await openWorld(SHORT);
    let first: string | undefined;
    let isMade = false;
    world.faults = async (call, next) => {
      if (call.stateName !== 'Record the result' || (first ?? call.executionArn) !== call.executionArn)
        return next();
      if (!isMade) await next();
      isMade = true;
      return fails('DynamoDB.SdkClientException', 'Connection reset');
    };
    first = await world.deliver(ORDER);
    await world.pass(2 * HOUR);
    const second = await world.deliver(ORDER);
    await world.pass(HOUR / 2);
    world.faults = noFault;
    await world.settle();

    expect(await world.execution(first)).toMatchObject({ status: 'FAILED', error: 'Idempotency.ClaimLost' });
    expect(sent()).toMatchObject([{ executionArn: second, result: { charge: 2 } }]);
  });
});

describe('a success destination that is a queue', () => {
  beforeEach(async () => {
    world = await openWorld(QUEUE);
  });

  test('the step succeeds, and duplicates come: the result once, with key, attempt and execution', async () => {
    world.step = () => returns({ charge: 0.1 });
    const { executionArn, output } = await world.delivered(ORDER);
    await world.delivered(ORDER);

    expect(output).toBe('{"charge":0.1}');
    const result = { charge: 0.1 };
    expect(sent()).toEqual([{ status: 'COMPLETED', executionArn, idempotencyKey: KEY, attempt: 1, result }]);
  });

  test('the step fails, then succeeds as the next attempt: the result of that', async () => {
    world.step = ({ attempt }) => (attempt === 1 ? fails('CardDeclined') : returns('paid'));
    await world.delivered(ORDER);
    await world.delivered(ORDER);

    expect(sent()).toMatchObject([{ attempt: 2, result: 'paid' }]);
  });

  test('the queue cannot be reached for an hour: duplicates have the result, and it is sent when it can', async () => {
    world.faults = failing('Send result', 'SQS.SdkClientException');
    const arn = await world.deliver(ORDER);
    await world.pass(HOUR);
    expect(await world.execution(arn)).toMatchObject({ status: 'RUNNING' });
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' } });
    world.faults = noFault;
    await world.settle();

    expect(await world.delivered(ORDER)).toMatchObject({ output: '{"charge":1}' });
    expect(sent()).toHaveLength(1);
    expect(await world.execution(arn)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
  });

  test('its answer is lost: sent twice rather than not at all', async () => {
    world.faults = loseFirstAnswer('Send result', 'SQS.SdkClientException');
    await world.delivered(ORDER);

    expect(sent()).toHaveLength(2);
  });

  test('without a fix for a day: the execution fails, and a redrive sends, and runs no step', async () => {
    world.faults = failing('Send result', 'SQS.SqsException');
    const { executionArn, error } = await world.delivered(ORDER);
    expect(error).toBe('SQS.SqsException');
    world.faults = noFault;
    await world.stack.runtime.redriveExecution({ executionArn });
    await world.settle();

    expect(sent()).toMatchObject([{ executionArn, result: { charge: 1 } }]);
    expect(world.runs).toHaveLength(1);
    expect(await world.execution(executionArn)).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('a result that its record does not hold, as a number in it is long: sent as it is', async () => {
    world.step = () => returns({ amount: 0.1 + 0.2 });
    await world.delivered(ORDER);

    expect(await world.record(KEY)).toMatchObject({ result: { S: 'ELSEWHERE' } });
    expect(sent()).toMatchObject([{ result: { amount: 0.1 + 0.2 } }]);
  });

  test('a result of which no text can be made: the message says in whose output it is', async () => {
    world.faults = failing('Record the result', 'States.QueryEvaluationError');
    const { executionArn } = await world.delivered(ORDER);

    expect(sent()).toEqual([
      { status: 'COMPLETED', executionArn, idempotencyKey: KEY, attempt: 1, resultOmitted: true },
    ]);
  });

  test.each([
    ['that is too long', 'x'.repeat(70_000)],
    ['with many quotes', '"'.repeat(20_000)],
  ])('a result %s: left out, by name, and read in the output of the execution', async (_, result) => {
    world.step = () => returns(result);
    const { executionArn, output } = await world.delivered(ORDER);

    const message = { status: 'COMPLETED', executionArn, idempotencyKey: KEY, attempt: 1 };
    expect(sent()).toEqual([{ ...message, resultOmitted: true }]);
    expect(JSON.parse(output ?? '')).toEqual(result);
  });
});

describe('a success destination that is a bus', () => {
  test('the step succeeds: an event with the result', async () => {
    world = await openWorld(variant('results to a bus', toBus));
    const { executionArn } = await world.delivered(ORDER);
    await world.settle();

    expect(sent()).toMatchObject([
      {
        'detail-type': 'Step Completed',
        source: 'onceflow',
        detail: { executionArn, result: { charge: 1 } },
      },
    ]);
  });
});

describe.each([RECOVERED, AT_MOST_ONCE])('recovery of $name, without another delivery', variant => {
  beforeEach(async () => {
    world = await openWorld(variant);
  });

  test.each([
    ['before', 1],
    ['after', 2],
  ] as const)('the owner is stopped %s its message: sent, %i times in all', async (when, times) => {
    world.faults = stopping(world, 'Send result', when);
    const executionArn = await world.deliver(ORDER);
    await world.settle();

    expect(sent()).toHaveLength(times);
    expect(sent()).toMatchObject(Array(times).fill({ executionArn, result: { charge: 1 } }));
    expect(world.runs).toHaveLength(1);
    expect(await world.execution(executionArn)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
  });

  test('its record does not hold the result, and the owner is stopped before its message: sent', async () => {
    world.step = () => returns({ amount: 0.1 + 0.2 });
    world.faults = stopping(world, 'Send result', 'before');
    const executionArn = await world.deliver(ORDER);
    await world.settle();

    expect(sent()).toMatchObject([{ executionArn, result: { amount: 0.1 + 0.2 } }]);
    expect(world.runs).toHaveLength(1);
    expect(await world.delivered(ORDER)).toMatchObject({ output: '{"amount":0.30000000000000004}' });
  });

  test('the owner is stopped when it has written its record, and has not heard so: sent', async () => {
    world.faults = stopping(world, 'Record the result', 'after');
    const executionArn = await world.deliver(ORDER);
    await world.settle();

    expect(sent()).toMatchObject([{ executionArn }]);
    expect(world.runs).toHaveLength(1);
  });

  test('a duplicate is stopped: nothing is sent for that', async () => {
    await world.delivered(ORDER);
    world.faults = stopping(world, 'Read record', 'before');
    await world.deliver(ORDER);
    await world.settle();

    expect(sent()).toHaveLength(1);
  });
});
