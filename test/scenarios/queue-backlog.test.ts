import type { Interceptor } from '@onceflow/local';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Recovery, Source } from '../../infra/index';
import { at, loseFirstAnswer } from '../support/faults';
import type { Variant } from '../support/variant';
import { fails, openWorld, type World } from '../support/world';

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(180_000);

const MINUTE = 60_000;
const BACKLOG: Variant = {
  name: 'queue-backlog',
  workflow: { recovery: Recovery.automatic() },
  bundles: true,
  more: (stack, workflow) => workflow.startFrom(Source.topic(new Topic(stack, 'Placed'))),
};
const THROTTLED = 'StepFunctions.ThrottlingException';

describe("a topic's queue whose messages cannot be started", () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(BACKLOG);
  });
  afterEach(() => world.close());

  const queueNamed = (part: string) => {
    const [queue] = world.stack.queues.list().filter(({ name }) => name.includes(part));
    if (!queue) throw new Error(`there is no queue ${part}`);
    return queue.name;
  };
  const send = (count: number) => {
    for (let number = 1; number <= count; number += 1) {
      const detail = { orderId: `order-${number}`, amount: 1, currency: 'EUR' };
      world.stack.queues.send(queueNamed('Messages'), JSON.stringify({ detail }));
    }
  };
  const left = (part: string) => world.stack.queues.peek(queueNamed(part))?.length;
  const keysRun = () => new Set(world.runs.map(({ idempotencyKey }) => idempotencyKey)).size;

  /** Lets so many starts through in a virtual minute, and throttles the others. */
  const quotaOf = (perMinute: number): Interceptor => {
    let [startedUntil, startedSince] = [0, world.clock.now()];
    return at('Start by key', async (_call, next) => {
      const now = world.clock.now();
      if (startedUntil >= ((now - startedSince) / MINUTE) * perMinute)
        return fails(THROTTLED, 'Rate exceeded');
      startedUntil += 1;
      return next();
    });
  };

  test('40 messages, and 2 starts a minute: every message is started, once, and none is given up', async () => {
    world.faults = quotaOf(2);
    send(40);
    await world.settle();

    expect(keysRun()).toBe(40);
    expect(world.runs).toHaveLength(40);
    expect(left('Messages')).toBe(0);
    expect(left('NotFinished')).toBe(0);
  });

  test('no start for half an hour: the message is started afterwards', async () => {
    const began = world.clock.now();
    world.faults = at('Start by key', async (_call, next) => {
      return world.clock.now() < began + 30 * MINUTE ? fails(THROTTLED, 'Rate exceeded') : next();
    });
    send(3);
    await world.settle();

    expect(keysRun()).toBe(3);
    expect(left('Messages')).toBe(0);
    expect(left('NotFinished')).toBe(0);
  });

  test('a start that was made and not answered: not made again, and the message is deleted', async () => {
    world.faults = loseFirstAnswer('Start by key', 'StepFunctions.SdkClientException');
    send(1);
    await world.settle();

    expect(world.runs).toHaveLength(1);
    expect(left('Messages')).toBe(0);
    expect(left('NotFinished')).toBe(0);
  });
});
