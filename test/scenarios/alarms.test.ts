import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  FailureDestination,
  type IdempotentWorkflowProps,
  Monitoring,
  RecordStream,
  Recovery,
  Source,
} from '../../infra/index';
import { assemblyOf } from '../support/assembly';
import { CloudWatch } from '../support/cloudwatch/cloudwatch';
import { failing } from '../support/faults';
import { STEP_TIMEOUT_MS, type Variant } from '../support/variant';
import { fails, openWorld, returns, T0, type World } from '../support/world';

const MINUTE = 60_000;
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const KEY = 'ChargePayment#order-7';
const orderOf = (number: number) => ({ ...ORDER, orderId: `order-${number}` });

function monitored(name: string, workflow: Partial<IdempotentWorkflowProps> = {}): Variant {
  return {
    name: `monitored ${name}`,
    workflow: { metrics: true, ...workflow },
    more: (stack, payments) => new Monitoring(stack, 'Monitoring', { workflow: payments }),
  };
}

const PLAIN = monitored('plain');
const AT_MOST_ONCE = monitored('at most once', { delivery: 'at-most-once' });
const RECOVERED = monitored('recovered', { recovery: Recovery.automatic() });

const NOTIFYING: Variant = {
  ...monitored('notifying'),
  settings: stack => ({ onFailure: FailureDestination.queue(new Queue(stack, 'Failures')) }),
};

const PIPED: Variant = {
  name: 'monitored pipe',
  workflow: {
    metrics: true,
    idempotencyKey:
      '{% $exists($states.input.detail) ? $states.input.detail.orderId : $states.input.data.orderId %}',
    payload: '{% $exists($states.input.detail) ? $states.input.detail : $states.input.data %}',
  },
  more: (stack, payments) => {
    const clicks = RecordStream.kinesis(new Stream(stack, 'Clicks'), { startingPosition: 'LATEST' });
    payments.startFrom(Source.pipe(clicks));
    new Monitoring(stack, 'Monitoring', { workflow: payments, oldestRecord: Duration.hours(1) });
  },
};

/** The descriptions of the alarms in the templates of an assembly. */
function descriptionsIn(assembly: string): readonly string[] {
  const templates = readdirSync(assembly).filter(file => file.endsWith('.template.json'));
  return templates.flatMap(file => {
    const { Resources } = JSON.parse(readFileSync(path.join(assembly, file), 'utf8')) as Template;
    const alarms = Object.values(Resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
    return alarms.map(({ Properties }) => Properties.AlarmDescription ?? '');
  });
}

interface Template {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties: { readonly AlarmDescription?: string } }>
  >;
}

/** A world whose alarms are looked at. */
interface Watched {
  readonly world: World;
  readonly cloudWatch: CloudWatch;
  /** The alarms that have fired so far, without what makes their logical ids unique. */
  fired(): readonly string[];
}

const open: World[] = [];
afterEach(async () => {
  for (const world of open.splice(0)) await world.close();
});

async function watched(variant: Variant): Promise<Watched> {
  const world = await openWorld(variant);
  open.push(world);
  const cloudWatch = new CloudWatch(world.stack, assemblyOf(variant));
  const nameOf = (id: string) => id.replace(/^Monitoring/, '').replace(/[0-9A-F]{8}$/, '');
  return {
    world,
    cloudWatch,
    fired: () => cloudWatch.fired({ from: T0, to: world.clock.now() }).map(nameOf).sort(),
  };
}

/** What makes an alarm fire, and which others fire with it. */
interface Cause {
  readonly alarm: string;
  readonly with?: readonly string[];
  readonly of: string;
  readonly variant?: Variant;
  happens(watched: Watched): Promise<unknown>;
}

const CAUSES: readonly Cause[] = [
  {
    alarm: 'NotStarted',
    with: ['DeadLettersSourceOrdersNotStarted'],
    of: 'the workflow cannot be started',
    happens: async ({ world, cloudWatch }) => {
      world.faults = async (call, next) =>
        call.resource.startsWith('states:') ? fails('StepFunctions.SfnException') : next();
      await world.publish(ORDER);
      cloudWatch.sampleQueues(world.clock.now());
    },
  },
  {
    alarm: 'StartRetries',
    of: 'starts are throttled for twenty minutes, and come through',
    happens: async ({ world }) => {
      world.faults = async (call, next) =>
        call.resource.startsWith('states:') && call.retryCount < 4
          ? fails('StepFunctions.SfnException', 'Rate exceeded')
          : next();
      for (let minute = 0; minute < 20; minute += 1) {
        await world.send(orderOf(minute));
        await world.pass(MINUTE);
      }
    },
  },
  {
    alarm: 'InDoubt',
    of: 'at most once, the answer of a step is lost',
    variant: AT_MOST_ONCE,
    happens: async ({ world }) => {
      world.step = () => fails('Lambda.SdkClientException');
      await world.publish(ORDER);
    },
  },
  {
    alarm: 'ClaimLost',
    of: 'the record has another owner when the step is over',
    happens: async ({ world }) => {
      world.step = async () => {
        await world.putRecord({ ...(await world.record(KEY)), owner: { S: 'somebody' } });
        return returns('charged');
      };
      await world.publish(ORDER);
    },
  },
  {
    alarm: 'Rejected',
    of: 'an event without a key',
    happens: ({ world }) => world.publish({ amount: 12.5 }),
  },
  {
    alarm: 'Interrupted',
    of: 'an execution is stopped within its step',
    happens: ({ world }) => stoppedInItsStep(world),
  },
  {
    alarm: 'RecoveryGivenUp',
    of: 'an execution is interrupted whose input is too long to be described',
    variant: RECOVERED,
    happens: async ({ world }) => {
      world.step = () => world.never();
      const executionArn = await world.deliver({ ...ORDER, more: '"'.repeat(70_000) });
      await world.pass(1000);
      await world.stop(executionArn);
      await world.settle();
    },
  },
  {
    alarm: 'OldestUnfinished',
    of: 'the end of a step cannot be recorded for five hours',
    variant: RECOVERED,
    happens: async ({ world }) => {
      world.faults = async (call, next) =>
        call.stateName === 'Record the result' ? fails('DynamoDB.AccessDeniedException') : next();
      await world.send(ORDER);
      await world.pass(300 * MINUTE);
    },
  },
  {
    alarm: 'NoticesUnsent',
    with: ['Interrupted'],
    of: 'the failure destination rejects a notice for as long as it is tried',
    variant: NOTIFYING,
    happens: async ({ world }) => {
      world.step = () => fails('Shop.CardDeclined');
      world.faults = failing('Send failure', 'SQS.SdkClientException');
      await world.publish(ORDER);
    },
  },
  {
    alarm: 'EventsLostSourceOrdersRule',
    of: 'EventBridge cannot keep an event (told by hand: a local queue is never away)',
    happens: async ({ world, cloudWatch }) => {
      const id = cloudWatch.alarms.find(one => one.includes('EventsLost')) ?? '';
      expect(cloudWatch.alarm(id)).toMatchObject({
        Namespace: 'AWS/Events',
        MetricName: 'InvocationsFailedToBeSentToDlq',
        Dimensions: [
          { Name: 'EventBusName', Value: world.stack.output('EventBusName') },
          { Name: 'RuleName', Value: world.stack.assembly.rules[0]?.name },
        ],
      });
      cloudWatch.tell(id, 1, world.clock.now());
    },
  },
  {
    alarm: 'TransitionsThrottled',
    of: 'transitions are throttled for a quarter of an hour (told by hand: the local runtime has no quota of them)',
    happens: async ({ world, cloudWatch }) => {
      const id = cloudWatch.alarms.find(one => one.includes('TransitionsThrottled')) ?? '';
      for (let minute = 0; minute < 15; minute += 1) {
        cloudWatch.tell(id, 7, world.clock.now());
        await world.pass(MINUTE);
      }
    },
  },
  {
    alarm: 'StepFailureRate',
    of: 'every fourth step fails for ten minutes',
    happens: async ({ world }) => {
      world.step = ({ idempotencyKey }) =>
        Number(idempotencyKey.split('-')[1]) % 4 === 0 ? fails('Shop.CardDeclined') : returns('charged');
      for (let order = 0; order < 60; order += 1) {
        await world.send(orderOf(order));
        await world.pass(MINUTE / 4);
      }
    },
  },
  {
    alarm: 'TableThrottled',
    of: 'writes of the records are throttled for ten minutes',
    happens: async ({ world }) => {
      world.faults = async (call, next) =>
        call.resource.startsWith('dynamodb:') && world.clock.now() < T0 + 10 * MINUTE
          ? fails('DynamoDB.ProvisionedThroughputExceededException')
          : next();
      await world.publish(ORDER);
    },
  },
  {
    alarm: 'FunctionErrors',
    of: 'the function that redrives fails three times',
    variant: RECOVERED,
    happens: async ({ world }) => {
      world.faults = failing('Redrive the owner', 'Error', 3);
      await stoppedInItsStep(world);
    },
  },
];

async function stoppedInItsStep(world: World): Promise<void> {
  const { step } = world;
  world.step = () => world.never();
  await world.send(ORDER);
  await world.pass(1000);
  for (const { executionArn } of await world.executions()) await world.stop(executionArn);
  world.step = step;
}

describe('the alarms of a workflow, over what the local stack tells of itself', () => {
  test.each(CAUSES)('$of: $alarm', async ({ alarm, with: others = [], variant = PLAIN, happens }) => {
    const watching = await watched(variant);
    const { world, cloudWatch } = watching;
    // A later setting is watched as well.
    let faults = world.faults;
    Object.defineProperty(world, 'faults', {
      get: () => cloudWatch.watching(faults, () => world.clock.now()),
      set: (next: World['faults']) => {
        faults = next;
      },
    });
    await happens(watching);
    await world.pass(16 * MINUTE);

    expect(watching.fired()).toEqual([alarm, ...others].sort());
  });

  test('duplicates, of keys that run, are done or were resumed, and one lost answer: none', async () => {
    const { world, cloudWatch, fired } = await watched(RECOVERED);
    world.step = async () => {
      await world.pause(5000);
      return returns('charged');
    };
    for (let order = 0; order < 5; order += 1) {
      for (let delivery = 0; delivery < 20; delivery += 1) {
        await world.send(orderOf(order));
        await world.deliver(orderOf(order));
        await world.pass(1000);
      }
    }
    await stoppedInItsStep(world);
    await world.settle();
    for (let delivery = 0; delivery < 20; delivery += 1) await world.deliver(ORDER);
    await world.settle();
    cloudWatch.sampleQueues(world.clock.now());
    await world.pass(16 * MINUTE);

    expect((await world.record(KEY))?.['status']).toEqual({ S: 'COMPLETED' });
    expect(fired()).toEqual([]);
  });

  test('a step of the longest time, owners that end and are resumed, at every search: none', async () => {
    const { world, fired } = await watched(RECOVERED);
    for (let hour = 0; hour < 6; hour += 1) {
      world.step = async () => {
        await world.pause(STEP_TIMEOUT_MS - 1000);
        return returns('charged');
      };
      await world.pass(60 * MINUTE - STEP_TIMEOUT_MS / 2);
      await world.send(orderOf(hour));
      await stoppedInItsStep(world);
      await world.pass(STEP_TIMEOUT_MS / 2);
    }
    await world.settle();

    expect(fired()).toEqual([]);
  });

  test("a step's own error has the name of one of SQS, and its notice is sent: none", async () => {
    const { world, fired } = await watched(NOTIFYING);
    world.step = () => fails('SQS.AmazonSQSException');
    await world.publish(ORDER);
    await world.pass(16 * MINUTE);

    expect((await world.executions()).map(({ error }) => error)).toEqual(['SQS.AmazonSQSException']);
    expect(fired()).toEqual([]);
  });

  test('duplicates of a held key: none again', async () => {
    const { world, cloudWatch } = await watched(AT_MOST_ONCE);
    world.step = () => fails('Lambda.SdkClientException');
    await world.publish(ORDER);
    await world.pass(16 * MINUTE);
    const from = world.clock.now();
    for (let delivery = 0; delivery < 5; delivery += 1) await world.publish(ORDER);
    await world.pass(16 * MINUTE);

    expect((await world.executions()).map(({ error }) => error)).toEqual(
      Array.from({ length: 6 }, () => 'Idempotency.InDoubt'),
    );
    expect(cloudWatch.fired({ from: from + MINUTE, to: world.clock.now() })).toEqual([]);
  });

  test('each of them: has a section that its description leads to', () => {
    const page = readFileSync(path.join(__dirname, '../../docs/operations/alarms.md'), 'utf8');
    const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name.toLowerCase());
    const linked = new Set<string>();
    for (const variant of [PLAIN, RECOVERED, NOTIFYING, PIPED]) {
      for (const description of descriptionsIn(assemblyOf(variant))) {
        const [, file = '', anchor = ''] = /blob\/main\/(\S+)#(\w+)$/.exec(description) ?? [];
        expect(existsSync(path.join(__dirname, '../..', file))).toBe(true);
        linked.add(anchor);
      }
    }
    expect([...linked].sort()).toEqual(sections.sort());
  });
});
