import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Alarm, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Pass } from 'aws-cdk-lib/aws-stepfunctions';
import { ASSUMED, PRICES } from '../../cli/program/prices';
import { type IdempotentWorkflow, type IdempotentWorkflowProps, OnFailed, Recovery } from '../../infra/index';
import { DISPATCHER_STATE, STATE } from '../../state-machine/contract/state-names';
import { totalsOf } from '../support/cloudwatch/cloudwatch';
import { atFirst, loseFirstAnswer, stopping } from '../support/faults';
import { randomFrom } from '../support/random';
import { runs } from '../support/scale';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

/** The ways in which a delivery, or a redrive, can end: none of them overlaps another. */
const OUTCOMES = {
  completed: w => w.metricCompleted(),
  answeredByRecord: w => w.metricAnsweredByRecord(),
  stepFailures: w => w.metricStepFailures(),
  storedFailures: w => w.metricStoredFailures(),
  inProgress: w => w.metricInProgress(),
  payloadMismatch: w => w.metricPayloadMismatch(),
  invalidEvent: w => w.metricInvalidEvent(),
  inDoubt: w => w.metricInDoubt(),
  foreignRecord: w => w.metricRejected('ForeignRecord'),
  resultUnavailable: w => w.metricRejected('ResultUnavailable'),
  claimLost: w => w.metricRejected('ClaimLost'),
  interrupted: w => w.metricInterrupted(),
} satisfies Readonly<Record<string, (workflow: IdempotentWorkflow) => IMetric>>;

const BEFORE_THE_WORKFLOW = {
  stoppedByName: w => w.metricStoppedByName(),
  notStarted: w => w.metricNotStarted(),
  startRetries: w => w.metricStartRetries(),
} satisfies Readonly<Record<string, (workflow: IdempotentWorkflow) => IMetric>>;

const OTHERS = {
  deliveries: w => w.metricDeliveries(),
  started: w => w.metricStarted(),
  redrives: w => w.metricRedrives(),
  stepRuns: w => w.metricStepRuns(),
  takeovers: w => w.metricTakeovers(),
  recoveries: w => w.metricRecoveries(),
  rejected: w => w.metricRejected(),
  held: w => w.metricHeld(),
} satisfies Readonly<Record<string, (workflow: IdempotentWorkflow) => IMetric>>;

type Name = keyof typeof OUTCOMES | keyof typeof BEFORE_THE_WORKFLOW | keyof typeof OTHERS;

/** A workflow whose metrics are all in its template, each in an alarm of its name that means nothing. */
function measured(name: string, workflow: Partial<IdempotentWorkflowProps> = {}): Variant {
  const hasDispatcher = workflow.type !== 'EXPRESS';
  return {
    name: `measured ${name}`,
    workflow: { metrics: true, ...workflow },
    more: (stack, payments) => {
      const metrics = { ...OUTCOMES, ...OTHERS, ...(hasDispatcher && BEFORE_THE_WORKFLOW) };
      for (const [id, metricOf] of Object.entries(metrics)) {
        new Alarm(stack, id, { metric: metricOf(payments), threshold: 1, evaluationPeriods: 1 });
      }
    },
  };
}

const STANDARD = measured('standard');
const AT_MOST_ONCE = measured('at most once', { delivery: 'at-most-once' });
const HELD = measured('at most once, with recovery', {
  delivery: 'at-most-once',
  recovery: Recovery.automatic(),
});
const CHAIN: Variant = {
  ...measured('chain'),
  settings: stack => ({ step: Pass.jsonata(stack, 'Charge'), stepTimeout: Duration.minutes(1) }),
};
const VARIANTS = [
  STANDARD,
  AT_MOST_ONCE,
  measured('stored failures', { onFailedBefore: OnFailed.returnStoredFailure() }),
  measured('express', { type: 'EXPRESS' }),
  measured('recovery', { recovery: Recovery.automatic() }),
];

/** The figures of a world, by the names of the metrics. */
function figuresOf(world: World, variant: Variant): Record<Name, number> {
  const totals = totalsOf(world, variant);
  const names = Object.keys({ ...OUTCOMES, ...BEFORE_THE_WORKFLOW, ...OTHERS });
  return Object.fromEntries(names.map(name => [name, totals.get(name) ?? 0])) as Record<Name, number>;
}

const SEEDS = Number(process.env['ONCEFLOW_SEEDS'] ?? runs(24, 50));

const DYNAMODB_ERRORS = ['DynamoDB.SdkClientException', 'DynamoDB.AmazonDynamoDBException'];

/** What a run of chaos had. */
interface Chaos {
  readonly deliveries: number;
  /** Starts under the name of a key that were made, and whose answers were lost. */
  readonly lostStarts: number;
}

/** Deliveries of a few orders, with whatever can go wrong. */
async function chaos(world: World, seed: number, mayKill: boolean): Promise<Chaos> {
  const random = randomFrom(seed * 7919 + 1);
  for (let skipped = 0; skipped < 10; skipped += 1) random();
  const isOneIn = (count: number) => random() < 1 / count;
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  let lostStarts = 0;
  world.step = async () => {
    await world.pause(Math.floor(random() * 9000));
    if (isOneIn(4))
      return fails(pick(['Shop.CardDeclined', 'Lambda.SdkClientException', 'Sandbox.Timedout']));
    return isOneIn(20) ? world.never() : returns('charged');
  };
  world.faults = async (call, next) => {
    if (mayKill && call.stateName === STATE.claim && isOneIn(8)) {
      void world.stop(call.executionArn);
      return world.never();
    }
    if (!isOneIn(12)) return next();
    if (call.resource.startsWith('states:startExecution')) {
      if (isOneIn(2)) {
        await next();
        if (call.stateName === DISPATCHER_STATE.start) lostStarts += 1;
      }
      return fails('StepFunctions.SdkClientException', 'Connection reset');
    }
    if (!call.resource.startsWith('dynamodb:')) return next();
    if (isOneIn(2)) await next();
    return fails(pick(DYNAMODB_ERRORS), 'Connection reset');
  };
  const deliveries = 12;
  for (let count = 0; count < deliveries; count += 1) {
    const orderId = isOneIn(15) ? '' : `order-${pick([1, 2, 3])}`;
    await world.send({ orderId, amount: isOneIn(10) ? 99 : 12.5, currency: 'EUR' });
    await world.pass(Math.floor(random() * (isOneIn(3) ? 120_000 : 4000)));
    if (mayKill && isOneIn(4)) {
      const alive = (await world.executions()).filter(({ status }) => status === 'RUNNING');
      if (alive.length > 0) await world.stop(pick(alive).executionArn);
    }
  }
  await world.settle();
  return { deliveries, lostStarts };
}

/** The executions that ended in the state that records a result. */
async function completedOf(world: World): Promise<number> {
  const succeeded = (await world.executions()).filter(({ status }) => status === 'SUCCEEDED');
  const last = await Promise.all(
    succeeded.map(async ({ executionArn }) => (await world.statesOf(executionArn)).at(-1) ?? ''),
  );
  return last.filter(name => name === STATE.completed || name === STATE.resultElsewhere).length;
}

describe('the metrics of a workflow, over the log and the metrics of the services', () => {
  test('chaos: what became of the deliveries adds up to their number, with the redrives and recoveries', async () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const variant = VARIANTS[seed % VARIANTS.length] ?? STANDARD;
      const isExpress = variant.workflow?.type === 'EXPRESS';
      const world = await openWorld(variant);
      try {
        const { deliveries, lostStarts } = await chaos(world, seed, !isExpress);
        const figures = figuresOf(world, variant);

        const outcomes = [...Object.keys(OUTCOMES), 'stoppedByName', 'notStarted'] as Name[];
        const sum = outcomes.reduce((total, name) => total + figures[name], 0);
        // The queue of an Express workflow delivers a message again until its execution has succeeded.
        const delivered = isExpress ? Math.max(deliveries, figures.deliveries) : deliveries;
        expect({ seed, deliveries: figures.deliveries, sum }).toEqual({
          seed,
          deliveries: delivered,
          sum: delivered + figures.redrives + figures.recoveries,
        });
        // If its execution has ended without a result when the start is retried, the delivery starts another one.
        const { stoppedByName, ...others } = figures;
        expect(stoppedByName).toBeGreaterThanOrEqual(-lostStarts);
        expect(Math.min(...Object.values(others))).toBeGreaterThanOrEqual(0);
        if (!isExpress) {
          const executions = await world.executions();
          expect(figures.started).toBe(executions.length);
          expect(figures.completed).toBe(await completedOf(world));
          expect(figures.redrives).toBe(executions.reduce((total, one) => total + one.redriveCount, 0));
        }
        for (const [name, figure] of Object.entries(figures)) if (figure > 0) seen.add(name);
      } finally {
        await world.close();
      }
    }
    // A figure that is always 0 would add up as well.
    const wanted = [
      'deliveries started stoppedByName startRetries completed stepRuns stepFailures inProgress',
      'payloadMismatch invalidEvent inDoubt interrupted redrives takeovers recoveries',
    ].flatMap(names => names.split(' '));
    expect(wanted.filter(name => !seen.has(name))).toEqual([]);
  }, 600_000);

  const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
  const KEY = 'ChargePayment#order-7';
  const record = (more: object) => ({ idempotencyKey: { S: KEY }, ...more });

  interface Cause {
    readonly name: Name;
    readonly of: string;
    readonly with?: Partial<Record<Name, number>>;
    readonly variant?: Variant;
    happens(world: World): Promise<unknown>;
  }
  const CAUSES: readonly Cause[] = [
    {
      name: 'stepRuns',
      of: 'a step that is a chain',
      variant: CHAIN,
      happens: world => world.delivered(ORDER),
    },
    {
      name: 'startRetries',
      of: 'a start that is not answered in time',
      happens: async world => {
        world.faults = atFirst(DISPATCHER_STATE.start, () => world.never());
        await world.publish(ORDER);
      },
    },
    {
      name: 'stoppedByName',
      of: 'a duplicate of a finished key, from the bus',
      // A name that is taken is an answer.
      with: { startRetries: 0 },
      happens: async world => {
        await world.publish(ORDER);
        await world.publish(ORDER);
      },
    },
    {
      name: 'invalidEvent',
      of: 'an event without a key, the answer to whose start is lost',
      with: { started: 1, startRetries: 1, stoppedByName: 0 },
      happens: async world => {
        world.faults = loseFirstAnswer(DISPATCHER_STATE.startWithoutKey, 'StepFunctions.SdkClientException');
        await world.publish({ ...ORDER, orderId: '' });
      },
    },
    {
      name: 'completed',
      of: 'a start whose answer is lost, and whose execution is stopped before the retry',
      // The guide says so.
      with: { started: 2, interrupted: 1, stoppedByName: -1 },
      happens: async world => {
        const lost = loseFirstAnswer(DISPATCHER_STATE.start, 'StepFunctions.SdkClientException');
        const stopped = stopping(world, STATE.claim, 'before');
        world.faults = (call, next) => lost(call, () => stopped(call, next));
        await world.publish(ORDER);
      },
    },
    {
      name: 'answeredByRecord',
      of: 'a duplicate of a finished key, started directly',
      happens: async world => {
        await world.delivered(ORDER);
        await world.delivered(ORDER);
      },
    },
    {
      name: 'answeredByRecord',
      of: 'a duplicate whose result is in its owner, which has completed',
      with: { completed: 1 },
      happens: async world => {
        world.step = () => returns('x'.repeat(70_000));
        await world.delivered(ORDER);
        await world.delivered(ORDER);
      },
    },
    {
      name: 'completed',
      of: 'a result that JSONata cannot write',
      happens: async world => {
        world.step = () => returns({ amount: 1e21 });
        await world.delivered(ORDER);
      },
    },
    {
      name: 'storedFailures',
      of: 'a duplicate of a failed key',
      variant: VARIANTS[2] ?? STANDARD,
      happens: async world => {
        world.step = () => fails('Shop.CardDeclined');
        await world.delivered(ORDER);
        await world.delivered(ORDER);
      },
    },
    {
      name: 'notStarted',
      of: 'a workflow that cannot be started',
      happens: async world => {
        world.faults = (call, next) =>
          call.resource.startsWith('states:') ? Promise.resolve(fails('StepFunctions.SfnException')) : next();
        await world.publish(ORDER);
      },
    },
    {
      name: 'claimLost',
      of: 'a record that has another owner when the step is over',
      with: { completed: 0 },
      happens: async world => {
        world.step = async () => {
          const item = await world.record(KEY);
          await world.putRecord({ ...item, ...record({ owner: { S: 'somebody' } }) });
          return returns('charged');
        };
        await world.delivered(ORDER);
      },
    },
    {
      name: 'foreignRecord',
      of: 'a record of another workflow',
      happens: async world => {
        const owner = 'arn:aws:states:us-east-1:111111111111:execution:Other:one';
        const claimed = { claimedAt: { S: '2026-11-20T09:00:00.000Z' }, attempt: { N: '1' } };
        await world.putRecord(record({ owner: { S: owner }, status: { S: 'IN_PROGRESS' }, ...claimed }));
        await world.delivered(ORDER);
      },
    },
    {
      name: 'interrupted',
      of: 'a table that denies requests for a quarter of an hour',
      happens: async world => {
        world.faults = (call, next) =>
          call.resource.startsWith('dynamodb:')
            ? Promise.resolve(fails('DynamoDB.AmazonDynamoDBException', 'AccessDenied'))
            : next();
        await world.delivered(ORDER);
      },
    },
    {
      name: 'invalidEvent',
      of: 'an event without a payload',
      variant: measured('amount', { payload: '{% $states.input.detail.amount %}' }),
      happens: world => world.delivered({ orderId: 'order-7' }),
    },
    {
      name: 'interrupted',
      of: 'an execution that is stopped within its step',
      happens: async world => {
        world.step = () => world.never();
        const executionArn = await world.deliver(ORDER);
        await world.pass(1000);
        await world.stop(executionArn);
      },
    },
    {
      name: 'interrupted',
      of: 'an execution whose time is over',
      variant: measured('timeout', { timeout: Duration.minutes(10), recovery: Recovery.none() }),
      happens: async world => {
        world.faults = (call, next) => (call.resource.startsWith('dynamodb:') ? world.never() : next());
        await world.delivered(ORDER);
        expect((await world.executions())[0]?.status).toBe('TIMED_OUT');
      },
    },
    {
      name: 'held',
      of: 'a step that was interrupted, at most once',
      variant: AT_MOST_ONCE,
      happens: async world => {
        world.step = () => world.never();
        await world.delivered(ORDER);
        await world.delivered(ORDER);
      },
    },
    {
      name: 'inDoubt',
      of: 'a duplicate of a key that recovery holds, at most once',
      // Recovery tells of what it holds itself.
      with: { held: 0, interrupted: 1 },
      variant: HELD,
      happens: async world => {
        world.faults = stopping(world, 'Business step', 'before');
        await world.delivered(ORDER);
        await world.delivered(ORDER);
      },
    },
  ];

  test.each(CAUSES)('$of: $name is 1', async ({ name, with: others, variant = STANDARD, happens }) => {
    const world = await openWorld(variant);
    try {
      await happens(world);
      expect(figuresOf(world, variant)).toMatchObject({ [name]: 1, ...others });
    } finally {
      await world.close();
    }
  });

  test('the log: as long, and as dear, as the guide says', async () => {
    const guide = readFileSync(path.join(__dirname, '../../docs/guide/monitoring.md'), 'utf8');
    const rows = [...guide.matchAll(/: (\d+) lines, ([\d.]+) KB (?:of log )?each \| \$([\d.]+) \|/g)];
    const world = await openWorld(STANDARD);
    try {
      const [machine] = world.stack.assembly.stateMachines.filter(({ type }) => type === 'STANDARD');
      const [destination] = machine?.loggingConfiguration?.destinations ?? [];
      const { logGroupArn = '' } = destination?.cloudWatchLogsLogGroup ?? {};
      const measured: number[][] = [];
      for (const deliver of [() => world.publish(ORDER), () => world.delivered(ORDER)]) {
        const seen = world.stack.logs.events(logGroupArn).length;
        await deliver();
        const lines = world.stack.logs.events(logGroupArn).slice(seen);
        const bytes = lines.reduce(
          (sum, { message }) => sum + Buffer.byteLength(message) + ASSUMED.logLineBytes,
          0,
        );
        measured.push([lines.length, bytes / 1000, (bytes / 1e9) * 1e6 * PRICES.logGb]);
      }
      expect(rows).toHaveLength(measured.length);
      rows.forEach((row, index) => {
        const [lines, kilobytes = 0, dollars = 0] = measured[index] ?? [];
        expect(Number(row[1])).toBe(lines);
        // Names of executions and functions differ between stacks.
        expect(Math.abs(Number(row[2]) / kilobytes - 1)).toBeLessThan(0.05);
        expect(Math.abs(Number(row[3]) / dollars - 1)).toBeLessThan(0.05);
      });
    } finally {
      await world.close();
    }
  });
});
