import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Assembly,
  advanceBy,
  type Interceptor,
  type Json,
  type LocalStack,
  readAssembly,
  replayHistory,
  startLocal,
  VirtualClock,
  WorkTracker,
} from '@onceflow/local';
import { App, Duration } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, Pass, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import {
  FailureDestination,
  IdempotentFragment,
  type IdempotentFragmentProps,
  OnInProgress,
  Recovery,
  Results,
  Source,
} from '../../infra/index';
import { defineVariants } from '../../proof/explore/variants/stacks';
import { VARIANTS } from '../../proof/explore/variants/variants';
import { assemblyOf } from '../support/assembly';
import { randomFrom } from '../support/random';
import { answerOfRedriver } from '../support/redriver';
import { newDirectory } from '../support/shared';
import type { Variant } from '../support/variant';
import { fails, returns, T0 } from '../support/world';

const SEEDS = Array.from({ length: Number(process.env['ONCEFLOW_SEEDS'] ?? 1) }, (_, index) => index + 1);
const HOUR = 3_600_000;
const ORDERS = 4;
const DELIVERIES = 10;
/** This many executions are stopped in one run. */
const STOPS_MAX = 6;

/** The assembly of one of the stacks that a directory has. */
function stackOf(directory: string, stackName: string): string {
  const other = newDirectory();
  cpSync(directory, other, { recursive: true });
  const file = path.join(other, 'manifest.json');
  const { artifacts, ...manifest } = JSON.parse(readFileSync(file, 'utf8'));
  const assets = `${stackName}.assets`;
  const { properties, ...stack } = artifacts[stackName];
  const only = {
    [assets]: artifacts[assets],
    [stackName]: { ...stack, properties: { ...properties, stackName } },
  };
  writeFileSync(file, JSON.stringify({ ...manifest, artifacts: only }));
  return other;
}

/**
 * The same as another account deploys it, in another region and under another name, so that no name in a recording is
 * one of the definition. Express state machines become Standard ones, because only those have histories.
 */
function deployed(directory: string, stackName: string): string {
  const other = stackOf(directory, stackName);
  const rewrite = (name: string, change: (text: string) => string) => {
    const file = path.join(other, name);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  };
  rewrite(`${stackName}.template.json`, text => text.replaceAll('"EXPRESS"', '"STANDARD"'));
  rewrite('manifest.json', text =>
    text
      .replace('aws://unknown-account/unknown-region', 'aws://999988887777/eu-west-1')
      .replace(`"stackName":"${stackName}"`, `"stackName":"${stackName}-QX7ZK2L9"`),
  );
  return other;
}

/** Stops executions, loses answers, throttles, and lets steps fail, at random. */
function faultsOf(stack: () => LocalStack, work: WorkTracker, random: () => number): Interceptor {
  const chance = (probability: number) => random() < probability;
  const step = () => {
    if (chance(0.5)) return returns({ receipt: 'r'.repeat(Math.floor(random() * 300)) } as Json);
    return fails(chance(0.5) ? 'PaymentDeclined' : 'Lambda.SdkClientException', 'declined');
  };
  let stops = 0;
  return async (call, next) => {
    if (stops < STOPS_MAX && chance(0.04)) {
      stops += 1;
      if (chance(0.5)) await next();
      void stack().runtime.stopExecution({ executionArn: call.executionArn });
      return work.lose();
    }
    const [service] = call.resource.split(':');
    if (chance(0.05)) {
      if (chance(0.5)) await next();
      return fails(service === 'dynamodb' ? 'DynamoDB.SdkClientException' : 'S3.SdkClientException', 'lost');
    }
    if (call.resource !== 'lambda:invoke') return next();
    return answerOfRedriver(stack(), call) ?? step();
  };
}

interface Recorded {
  readonly machine: string;
  readonly name: string;
  readonly history: string;
}

interface World {
  readonly stack: LocalStack;
  readonly assembly: Assembly;
  readonly random: () => number;
  pass(ms: number): Promise<void>;
}

/** Does `start` again and again, with duplicates and faults, and returns the histories of all executions. */
async function recordings(
  directory: string,
  seed: number,
  start: (world: World) => Promise<unknown>,
): Promise<readonly Recorded[]> {
  const random = randomFrom(seed);
  const [clock, work] = [new VirtualClock(T0), new WorkTracker()];
  const stack: LocalStack = await startLocal({
    assembly: directory,
    clock,
    work,
    seed: String(seed),
    interceptor: faultsOf(() => stack, work, random),
  });
  const pass = (ms: number) => advanceBy(stack.runtime, clock, ms);
  const assembly = readAssembly(directory);
  try {
    const world = { stack, assembly, random, pass };
    for (let delivery = 0; delivery < DELIVERIES; delivery += 1) {
      await start(world);
      await pass(Math.floor(random() ** 4 * 2 * HOUR));
    }
    await pass(6 * HOUR);
    const recorded: Recorded[] = [];
    for (const { arn: stateMachineArn, logicalId } of assembly.stateMachines) {
      const { executions } = await stack.runtime.listExecutions({ stateMachineArn, maxResults: 1000 });
      for (const { executionArn, name } of executions) {
        const history = exported(await eventsOf(stack, executionArn), random);
        recorded.push({ machine: logicalId, name, history });
      }
    }
    return recorded;
  } finally {
    await stack.close();
  }
}

type Events = Awaited<ReturnType<LocalStack['runtime']['getExecutionHistory']>>['events'];

async function eventsOf({ runtime }: LocalStack, executionArn: string): Promise<Events> {
  const { events } = await runtime.getExecutionHistory({ executionArn, maxResults: 1000 });
  return events;
}

/** Events are written some milliseconds after what they tell of. */
function exported(events: Events, random: () => number): string {
  let latest = 0;
  const late = events.map(event => {
    latest = Math.max(latest, event.timestamp + Math.floor(random() * 20));
    return { ...event, timestamp: new Date(latest).toISOString() };
  });
  return JSON.stringify({ events: late });
}

/** How each history comes out against the definitions of an assembly, in short, for all that differ. */
function differing(recorded: readonly Recorded[], { stateMachines, generatedNames }: Assembly): string[] {
  return recorded.flatMap(({ machine, name, history }) => {
    const found = stateMachines.find(({ logicalId }) => logicalId === machine);
    const [, , , region = '', account = ''] = (found?.arn ?? '').split(':');
    const report = replayHistory({
      definition: found?.definitionText ?? '',
      history,
      openNames: generatedNames,
      environment: { region, account },
    });
    if (report.kind === 'same') return [];
    const why = report.kind === 'notReplayed' ? report.reason : JSON.stringify(report.divergence);
    return [`${machine} ${name}: ${why}`];
  });
}

interface Order {
  readonly orderId: string;
  readonly amount: number;
  readonly currency: string;
}

function orderOf(random: () => number): Order {
  const orderId = `order-${Math.floor(random() * ORDERS)}`;
  return { orderId, amount: random() < 0.9 ? 12.5 : 13, currency: 'EUR' };
}

function event(detail: Order): object {
  return { source: 'shop.orders', 'detail-type': 'OrderPlaced', detail };
}

/** A request as the mapping template of the front door hands it over. */
function requestOf(body: Order): object {
  const headers = [{ name: 'Idempotency-Key', value: `"${body.orderId}"` }];
  return { headers, path: [], query: [], principal: '', url: '/prod/payments', body: JSON.stringify(body) };
}

/** Starts the state machine that has this state. */
function deliver({ stack, assembly }: World, state: string, input: object): Promise<unknown> {
  const found = assembly.stateMachines.find(({ definitionText }) => definitionText.includes(`"${state}":`));
  if (!found) throw new Error(`no state machine has the state ${state}`);
  return stack.runtime.startExecution({ stateMachineArn: found.arn, input: JSON.stringify(input) });
}

describe('every history of a variant, with duplicates and faults, replayed against its own definition', () => {
  let directory: string;
  beforeAll(() => {
    directory = newDirectory();
    const app = new App({ outdir: directory, context: { 'aws:cdk:bundling-stacks': [] } });
    defineVariants(app);
    app.synth();
  }, 120_000);

  test.each(VARIANTS.map(({ name }) => name))(
    '%s: goes the same way',
    async name => {
      const own = readAssembly(stackOf(directory, name));
      for (const seed of SEEDS) {
        const state = name.startsWith('fragment') ? 'Pay: Claim record' : 'Claim record';
        const recorded = await recordings(deployed(directory, name), seed, world =>
          deliver(world, state, event(orderOf(world.random))),
        );

        expect(recorded.length).toBeGreaterThanOrEqual(DELIVERIES);
        expect(differing(recorded, own)).toEqual([]);
      }
    },
    120_000,
  );
});

const FROM_BUS: Variant = {
  name: 'replayed from a bus',
  workflow: {
    recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 3 } }),
    onDuplicateInProgress: OnInProgress.wait(Duration.seconds(3)),
  },
  settings: stack => ({
    onFailure: FailureDestination.queue(new Queue(stack, 'Failures'), { rejections: true }),
    results: Results.inBucket(new Bucket(stack, 'Results'), { prefix: 'receipts/', maxInRecord: 100 }),
  }),
};

const BY_HTTP: Variant = {
  name: 'replayed by HTTP',
  workflow: {
    idempotencyKey: '{% $states.input.idempotencyKey %}',
    payload: '{% $states.input.body %}',
    recovery: Recovery.automatic(),
  },
  source: Source.http('payments', { errors: { PaymentDeclined: 402 } }),
};

const FRAGMENTS: Variant = {
  name: 'replayed fragments',
  more: (stack, { table }) => {
    const step = stack.node.findChild('ChargePaymentFunction') as unknown as IdempotentFragmentProps['step'];
    const fragments = ['Reserve', 'Charge'].map(id => {
      const idempotencyKey = '{% $states.input.detail.orderId %}';
      const fragment = new IdempotentFragment(stack, id, { table, scope: id, idempotencyKey, step });
      return fragment;
    });
    const [reserve, charge] = fragments as [IdempotentFragment, IdempotentFragment];
    const next = Pass.jsonata(stack, 'The order again', { outputs: '{% $states.context.Execution.Input %}' });
    const machine = new StateMachine(stack, 'Order', {
      queryLanguage: QueryLanguage.JSONATA,
      definitionBody: DefinitionBody.fromChainable(reserve.next(next).next(charge)),
    });
    for (const fragment of fragments) fragment.grantTo(machine);
    Recovery.of(machine);
  },
};

describe.each<[string, Variant, (order: Order) => object, string]>([
  ['events, with recovery, redelivery and a bucket', FROM_BUS, detail => event(detail), 'Start by key'],
  ['requests by HTTP', BY_HTTP, body => requestOf(body), 'Start the request'],
  ['fragments, with recovery', FRAGMENTS, detail => event(detail), 'The order again'],
])('%s', (_, variant, inputOf, state) => {
  test('every history, of the workflow and of all that is around it, goes the same way', async () => {
    const directory = assemblyOf(variant);
    const own = readAssembly(stackOf(directory, 'OnceflowPayments'));
    for (const seed of SEEDS) {
      const recorded = await recordings(deployed(directory, 'OnceflowPayments'), seed, world =>
        deliver(world, state, inputOf(orderOf(world.random))),
      );

      expect(recorded.length).toBeGreaterThanOrEqual(DELIVERIES);
      expect(differing(recorded, own)).toEqual([]);
    }
  }, 120_000);
});
