import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { ASSUMED, PRICES } from '../../cli/program/prices';
import { dollarsPerMillion, queueDollarsPerMillion } from '../../proof/bench/cost/dollars';
import { loggedBytes } from '../../proof/bench/cost/logged-bytes';
import { noFault } from '../support/faults';
import { STEP_TIMEOUT_MS, type Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const TIMEOUT = Duration.minutes(2);
/** How long the step takes in the sums of docs/guide/costs.md. */
const STEP_SECONDS = 0.3;
const LEASE = TIMEOUT.toMilliseconds() + STEP_TIMEOUT_MS + 30_000;
const EXPRESS: Variant = { name: 'express', workflow: { type: 'EXPRESS', timeout: TIMEOUT } };

describe('an Express workflow', () => {
  let world: World;

  async function open(variant = EXPRESS) {
    world = await openWorld(variant);
  }
  afterEach(() => world.close());

  /** Starts an execution and waits for its end. */
  function started() {
    const stateMachineArn = world.stack.output('StateMachineArn');
    const input = JSON.stringify({ detail: ORDER });
    return world.stack.runtime.startSyncExecution({ stateMachineArn, input });
  }

  async function ended() {
    const start = started();
    await world.settle();
    return start;
  }

  test('the first delivery runs the step, the second answers with its result', async () => {
    await open();
    expect(await ended()).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(await ended()).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });

  test('docs/guide/costs.md: what a million deliveries come to, by the calls that they make', async () => {
    const page = readFileSync(path.join(__dirname, '../../docs/guide/costs.md'), 'utf8');
    await open();
    const dollarsOf = async (stepSeconds: number) => {
      const before = world.calls.length;
      const logged = loggedBytes(world.stack);
      await ended();
      const calls = world.calls.slice(before).map(call => call.split(' from ')[0]);
      const reads = calls.filter(call => call === 'dynamodb:getItem').length;
      const writes = calls.filter(call => call?.startsWith('dynamodb:')).length - reads;
      const logBytes = loggedBytes(world.stack) - logged;
      const none = { transitions: 0, invocations: 0, describeExecutions: 0, awaitedInFunction: 0 };
      // Beside the execution's own time, which is that of a dispatcher, Express bills the time of the step.
      const waiting = stepSeconds * ASSUMED.dispatcherGb * PRICES.expressGbSecond * 1e6;
      return dollarsPerMillion({ ...none, expressExecutions: 1, reads, writes, logBytes }, 0) + waiting;
    };

    const [fresh, duplicate] = [await dollarsOf(STEP_SECONDS), await dollarsOf(0)];
    const sums = [fresh, duplicate].map(sum => sum.toFixed(2));
    expect(page).toContain(`| onceflow, Express, started directly | ${sums.join(' | ')} |`);
    const expectRow = (from: string, batch: number, beside: (stepSeconds: number) => number) => {
      const [ofFresh, ofDuplicate] = [fresh + beside(STEP_SECONDS), duplicate + beside(0)];
      const mixed = [0, 5, 50].map(percent => (ofFresh * (100 - percent) + ofDuplicate * percent) / 100);
      const row = [ofFresh, ofDuplicate, ...mixed].map(sum => sum.toFixed(2)).join(' | ');
      expect(page).toContain(`| onceflow, Express, from ${from}, batches of ${batch} | ${row} |`);
    };
    for (const isFromBus of [true, false]) {
      for (const batch of [1, 10]) {
        expectRow(isFromBus ? 'an event bus' : 'a queue', batch, stepSeconds => {
          const waitedSeconds = stepSeconds + ASSUMED.dispatcherSeconds;
          return queueDollarsPerMillion({ isFromBus, batch, waitedSeconds });
        });
      }
    }
  });

  test('the claim counts for the execution and what the step may take beyond it', async () => {
    await open();
    world.step = async () => world.never();
    const start = world.clock.now();
    void started();
    await world.stack.runtime.work.idle();

    expect(await world.record(KEY)).toMatchObject({ leaseExpiry: { N: String(start + LEASE) } });
  });

  test('cut off by its timeout: in progress until the lease is over, then taken over as the next attempt', async () => {
    await open();
    world.step = async () => fails('Lambda.SdkClientException');
    world.faults = async (call, next) => {
      if (call.stateName === 'Record the failure') return world.never();
      return next();
    };
    const start = world.clock.now();
    expect(await ended()).toMatchObject({ status: 'TIMED_OUT' });
    world.faults = noFault;
    world.step = () => returns('taken over');

    await world.pass(start + LEASE - world.clock.now());
    expect(await ended()).toMatchObject({ error: 'Idempotency.InProgress' });
    await world.pass(1);
    expect(await ended()).toMatchObject({ output: '"taken over"' });
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('two deliveries find the lease over: one takes over', async () => {
    await open();
    world.step = async () => world.never();
    void started();
    await world.pass(LEASE + 1);
    world.step = async () => {
      await world.pause(1000);
      return returns('once');
    };
    const both = [started(), started()];
    await world.settle();

    const ends = (await Promise.all(both)).map(({ output, error }) => output ?? error);
    expect(ends.sort()).toEqual(['"once"', 'Idempotency.InProgress']);
    expect(world.runs).toHaveLength(2);
  });

  test('does not ask about its owner, and may not', async () => {
    await open();
    expect(world.stack.assembly.stateMachines[0]?.definitionText).not.toContain('aws-sdk:sfn');
  });

  test('a result that the record cannot hold exactly: its duplicates say so', async () => {
    await open();
    world.step = () => returns({ precise: 0.12345678901234568 });
    await ended();

    expect(await ended()).toMatchObject({ error: 'Idempotency.ResultUnavailable' });
  });

  test('at most once, cut off: held when the lease is over', async () => {
    await open({ name: 'express at most once', workflow: { ...EXPRESS.workflow, delivery: 'at-most-once' } });
    world.step = async () => world.never();
    void started();
    await world.pass(LEASE + 1);

    expect(await ended()).toMatchObject({ error: 'Idempotency.InDoubt' });
    expect(await ended()).toMatchObject({ error: 'Idempotency.InDoubt' });
    expect(world.runs).toHaveLength(1);
  });
});
