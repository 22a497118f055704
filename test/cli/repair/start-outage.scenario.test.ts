import { Duration } from 'aws-cdk-lib';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { resend } from '../../../cli/commands/resend';
import { RecordStream, Recovery, Source } from '../../../infra/index';
import { keyed, openHttp, told } from '../../support/http';
import type { Variant } from '../../support/variant';
import { fails, type World } from '../../support/world';
import { type CliWorld, ORDER, openCliWorld } from '../world';

// Functions run for real, in threads of their own: a busy machine takes its time.
jest.setTimeout(240_000);

const HOUR = 3_600_000;
const HOURS = 6;

/** A source, and how an event comes by it. */
interface Way {
  readonly variant: Variant;
  /** Undefined where time alone brings it. */
  send?(c: CliWorld, orderId: string): void | Promise<void>;
}

function toQueue(part: string, messageGroupId?: string) {
  return ({ world: { stack } }: CliWorld, orderId: string) => {
    const queue = stack.queues.list().find(({ name }) => name.includes(part))?.name ?? '';
    stack.queues.send(queue, JSON.stringify({ detail: { ...ORDER, orderId } }), {
      ...(messageGroupId !== undefined && { messageGroupId }),
    });
  };
}

/** What a pipe does with a record. */
async function handOver({ world: { stack } }: CliWorld, orderId: string): Promise<void> {
  const dispatcher = stack.runtime.machines.list().find(({ name }) => /SourceClicks/.test(name));
  const data = Buffer.from(JSON.stringify({ ...ORDER, orderId })).toString('base64');
  const input = JSON.stringify([{ data, partitionKey: '1', eventID: orderId }]);
  await stack.runtime.startExecution({ stateMachineArn: dispatcher?.arn ?? '', input });
}

const SCHEDULED: Variant = {
  name: 'outage-schedule',
  workflow: { idempotencyKey: '{% $states.input.time %}', payload: '{% $states.input.detail %}' },
  source: Source.schedule(Schedule.rate(Duration.hours(1))),
};

const WAYS: Readonly<Record<string, Way>> = {
  'an event bus': {
    variant: { name: 'reference' },
    send: (c, orderId) => c.world.send({ ...ORDER, orderId }),
  },
  'a queue': {
    variant: {
      name: 'outage-queue',
      bundles: true,
      workflow: { recovery: Recovery.automatic() },
      more: (stack, workflow) => {
        const deadLetterQueue = { queue: new Queue(stack, 'GivenUp'), maxReceiveCount: 5 };
        const queue = new Queue(stack, 'Shipments', {
          visibilityTimeout: Duration.minutes(1),
          deadLetterQueue,
        });
        workflow.startFrom(Source.queue(queue));
      },
    },
    send: toQueue('-Shipments'),
  },
  'a FIFO queue, in one group': {
    variant: {
      name: 'outage-fifo',
      bundles: true,
      workflow: { recovery: Recovery.automatic() },
      more: (stack, workflow) => {
        const deadLetterQueue = { queue: new Queue(stack, 'GivenUp', { fifo: true }), maxReceiveCount: 5 };
        const queue = new Queue(stack, 'InOrder', {
          fifo: true,
          contentBasedDeduplication: true,
          visibilityTimeout: Duration.minutes(1),
          deadLetterQueue,
        });
        workflow.startFrom(Source.queue(queue));
      },
    },
    send: toQueue('-InOrder', 'customer-1'),
  },
  'a topic': {
    variant: {
      name: 'outage-topic',
      bundles: true,
      workflow: { recovery: Recovery.automatic() },
      more: (stack, workflow) => workflow.startFrom(Source.topic(new Topic(stack, 'Placed'))),
    },
    send: toQueue('Messages'),
  },
  'a pipe': {
    variant: {
      name: 'outage-pipe',
      source: null,
      workflow: {
        idempotencyKey: '{% $states.input.data.orderId %}',
        payload: '{% $states.input.data %}',
      },
      more: (stack, workflow) => {
        const records = RecordStream.kinesis(new Stream(stack, 'Clicks'), { startingPosition: 'LATEST' });
        workflow.startFrom(Source.pipe(records));
      },
    },
    send: handOver,
  },
  'a schedule': { variant: SCHEDULED },
};

describe('no start for six hours, and an event in each of them', () => {
  let c: CliWorld;
  afterEach(() => c.close());

  test.each(Object.entries(WAYS))(
    'by %s: each reaches its end, or is kept for one command',
    async (_, way) => {
      c = await openCliWorld(way.variant);
      const { world } = c;
      const { clock, stack } = world;
      // The sixth time of a schedule is within.
      const back = clock.now() + HOURS * HOUR + 1;
      const outage = rejectstarts(world, back);

      for (let hour = 0; hour < HOURS; hour += 1) {
        await way.send?.(c, `order-${hour}`);
        await world.pass(HOUR);
      }
      expect(outage.rejected).toBeGreaterThan(HOURS);
      expect(world.runs).toEqual([]);
      await world.settle();

      const kept = stack.queues.list().filter(({ name }) => {
        return (
          /NotStarted|NotDelivered|NotFinished|Unsettled|GivenUp/.test(name) &&
          stack.queues.peek(name)?.length !== 0
        );
      });
      for (const { name } of kept) {
        await resend.run(c.context, {
          queue: name,
          limit: 100,
          perSecond: 100,
          isConfirmed: true,
          isForced: false,
        });
      }
      await world.settle();

      expect(new Set(world.runs.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(HOURS);
      expect(world.runs).toHaveLength(HOURS);
      for (const { name } of kept) expect(stack.queues.peek(name)).toEqual([]);
    },
  );

  test('by HTTP: nothing is accepted, and each request that is sent again reaches its end', async () => {
    const world = await openHttp('outage');
    try {
      const outage = rejectstarts(world, world.clock.now() + HOURS * HOUR + 1);
      const rejections: string[] = [];
      for (const order of ORDERS) {
        rejections.push(told(await world.answered(keyed(order))));
        await world.pass(HOUR);
      }
      const answers: string[] = [];
      for (const order of ORDERS) answers.push(told(await world.answered(keyed(order))));

      expect(outage.rejected).toBeGreaterThanOrEqual(HOURS);
      expect(rejections).toEqual(ORDERS.map(() => '503 not-started'));
      expect(answers).toEqual(ORDERS.map(() => '200'));
      expect(world.runs).toHaveLength(HOURS);
    } finally {
      await world.close();
    }
  });
});

/** Rejects every start of a state machine until then, and counts them. */
function rejectstarts(world: World, until: number): { readonly rejected: number } {
  const outage = { rejected: 0 };
  world.faults = async (call, next) => {
    const isStart = /:startExecution$/.test(call.resource) && world.clock.now() < until;
    if (!isStart) return next();
    outage.rejected += 1;
    const service = call.resource.startsWith('aws-sdk') ? 'Sfn' : 'StepFunctions';
    return fails(`${service}.ServiceUnavailableException`, 'the service is away');
  };
  return outage;
}

const ORDERS = Array.from({ length: HOURS }, (_, hour) => `order-${hour}`);
