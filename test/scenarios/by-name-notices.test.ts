import { Duration, type Stack } from 'aws-cdk-lib';
import { CfnEventBus } from 'aws-cdk-lib/aws-eventsv2';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  FailureDestination,
  type IdempotentWorkflow,
  Recovery,
  Source,
  SuccessDestination,
} from '../../infra/index';
import { STATUS } from '../../state-machine/contract/record';
import { at, atFirst, failing } from '../support/faults';
import { fails, openWorld, returns, type World } from '../support/world';

const MINUTE_MS = 60_000;
const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };

/** A source of the workflow, and how an event comes by it. */
interface Way {
  readonly add?: (stack: Stack, workflow: IdempotentWorkflow) => void;
  readonly deliver: (world: World) => Promise<unknown>;
}

const customBus = (batchSize: number): Way => ({
  add: (stack, workflow) => {
    const bus = new CfnEventBus(stack, 'CustomBus', { name: 'orders' });
    workflow.startFrom(Source.customEventBus(bus, {}, { batchSize }));
  },
  deliver: ({ stack }) => {
    const bus = stack.assembly.namedResources.find(({ type }) => type === 'AWS::EventsV2::EventBus');
    const Entries = [{ Source: 'shop.orders', DetailType: 'OrderPlaced', Detail: JSON.stringify(ORDER) }];
    return stack.putEvents({ EventBusArn: bus?.arn ?? '', Entries });
  },
});

const WAYS: Readonly<Record<string, Way>> = {
  'a rule of a classic bus': { deliver: world => world.send(ORDER) },
  'a custom event bus': customBus(1),
  'a custom event bus, in batches': customBus(10),
  'a queue': {
    add: (stack, workflow) => {
      const deadLetterQueue = { queue: new Queue(stack, 'Dead'), maxReceiveCount: 9 };
      const settings = { queueName: 'orders', visibilityTimeout: Duration.minutes(1), deadLetterQueue };
      workflow.startFrom(Source.queue(new Queue(stack, 'Messages', settings)));
    },
    deliver: async ({ stack }) => stack.queues.send('orders', JSON.stringify({ detail: ORDER })),
  },
};

// An execution whose notice is rejected runs for hours under the name of its key. A start with the same input is
// answered with it, although it claims nothing any more.
describe.each(Object.entries(WAYS))('a delivery by %s, if the name of its key is in use', (name, way) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({
      name: `notices, by ${name}`,
      bundles: true,
      workflow: { recovery: Recovery.automatic() },
      settings: stack => ({
        onFailure: FailureDestination.queue(new Queue(stack, 'Failures')),
        onSuccess: SuccessDestination.queue(new Queue(stack, 'Results')),
        retention: Duration.hours(1),
      }),
      more: (stack, workflow) => way.add?.(stack, workflow),
    });
  });
  afterEach(() => world.close());

  async function delivered(passes = MINUTE_MS): Promise<void> {
    await way.deliver(world);
    await world.pass(passes);
  }

  test('its step has failed, and it sends its notice: the step runs again', async () => {
    world.step = () => fails('CardDeclined');
    world.faults = failing('Send failure', 'Sqs.SqsException');
    await delivered(2 * MINUTE_MS);
    world.step = () => returns('paid');
    await delivered();

    expect(world.runs).toHaveLength(2);
    expect(await world.record(KEY)).toMatchObject({ status: { S: STATUS.completed } });
  });

  test('it began while this delivery was tried, has failed, and sends its notice: the step runs again', async () => {
    // The first delivery that calls has no answer before the other one has failed.
    const slow = atFirst('Start by key', async () => {
      await world.pause(4000);
      return fails('StepFunctions.ThrottlingException');
    });
    const notice = failing('Send failure', 'Sqs.SqsException');
    world.faults = (call, next) => slow(call, () => notice(call, next));
    world.step = () => (world.runs.length === 1 ? fails('CardDeclined') : returns('paid'));
    await way.deliver(world);
    await delivered(2 * MINUTE_MS);

    expect(world.runs).toHaveLength(2);
    expect(await world.record(KEY)).toMatchObject({ status: { S: STATUS.completed } });
  });

  test('it sends its notice, and its record has expired: the step runs again', async () => {
    world.faults = failing('Send result', 'Sqs.SqsException');
    await delivered(70 * MINUTE_MS);
    await delivered();

    expect(world.runs).toHaveLength(2);
  });

  test('it sends its notice, and an operator has released the key: the step runs again', async () => {
    world.faults = failing('Send result', 'Sqs.SqsException');
    await delivered(2 * MINUTE_MS);
    await world.putRecord({ ...(await world.record(KEY)), status: { S: STATUS.released } });
    await delivered();

    expect(world.runs).toHaveLength(2);
  });

  test('it sends its notice, and its step has succeeded: a duplicate', async () => {
    world.faults = failing('Send result', 'Sqs.SqsException');
    await delivered(2 * MINUTE_MS);
    await delivered();

    expect(world.runs).toHaveLength(1);
    expect(await world.executions()).toHaveLength(1);
  });

  test.each<[string, (world: World) => void]>([
    [
      'its step is at work',
      () => {
        world.step = async () => {
          await world.pause(5000);
          return returns('paid');
        };
      },
    ],
    [
      'it has not claimed its key yet',
      () => {
        world.faults = at('Claim record', async (_, next) => {
          await world.pause(5000);
          return next();
        });
      },
    ],
  ])('%s: the delivery starts nothing', async (_, slow) => {
    slow(world);
    await delivered(2000);
    await delivered();

    expect(world.runs).toHaveLength(1);
    expect((await world.executions()).map(({ name }) => name)).toEqual(['order-7']);
  });
});

// Each of these executions is stopped before its claim: without recovery nothing would complete a delivery that was
// left to it.
describe.each([
  ['with recovery', Recovery.automatic()],
  ['without recovery', Recovery.none()],
])('a delivery %s, while an execution of its name has not claimed the key', (name, recovery) => {
  test('the execution is stopped: the step runs all the same', async () => {
    const world = await openWorld({
      name: `stopped before its claim, ${name}`,
      bundles: true,
      workflow: { recovery },
    });
    world.faults = atFirst('Claim record', async ({ executionArn }) => {
      await world.pause(5000);
      void world.stop(executionArn);
      return world.never();
    });
    await world.send(ORDER);
    await world.pass(2000);
    await world.send(ORDER);
    await world.pass(10 * MINUTE_MS);
    const { runs } = world;
    await world.close();

    expect(runs).toHaveLength(1);
  });
});
