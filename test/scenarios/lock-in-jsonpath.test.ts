import type { ServiceResult } from '@onceflow/local';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Recovery } from '../../infra/index';
import { defineLock } from '../support/lock-in-jsonpath';
import { GRACE_MS, type Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const HOUR = 3_600_000;

/** A lock as teams write it, and the workflow of the reference app, on one table. */
const BOTH: Variant = {
  name: 'a lock in JSONPath',
  workflow: { recovery: Recovery.automatic() },
  more: (stack, { table }) =>
    defineLock(stack, table, stack.node.findChild('ChargePaymentFunction') as unknown as IFunction),
};

describe('a state machine with a lock of its own, in JSONPath', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(BOTH);
  });
  afterEach(() => world.close());

  async function started(): Promise<string> {
    const stateMachineArn = world.stack.output('LockArn');
    const input = JSON.stringify({ detail: ORDER });
    const { executionArn } = await world.stack.runtime.startExecution({ stateMachineArn, input });
    await world.stack.runtime.work.idle();
    return executionArn;
  }
  async function delivered() {
    const executionArn = await started();
    await world.settle();
    return world.execution(executionArn);
  }
  /** The step answers so after 20 seconds. */
  const later = (answer: ServiceResult) => async () => {
    await world.pause(20_000);
    return answer;
  };

  test('delivered twice: the step runs once, and the second is answered with the stored result', async () => {
    world.step = () => returns({ charge: 'charge-1' });
    const both = [await delivered(), await delivered()];

    expect(both.map(({ output }) => output)).toEqual(Array(2).fill('{"charge":"charge-1"}'));
    expect(world.runs).toEqual([{ idempotencyKey: 'order-7', attempt: 1, input: { detail: ORDER } }]);
  });

  test('a duplicate while the step runs: waits, and is answered then', async () => {
    world.step = later(returns({ charge: 'charge-1' }));
    const first = await started();
    const duplicate = await delivered();

    expect(await world.execution(first)).toMatchObject({ status: 'SUCCEEDED' });
    expect(duplicate).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":"charge-1"}' });
    expect(world.runs).toHaveLength(1);
  });

  test('the step fails: the next delivery runs it again, told of the same attempt', async () => {
    world.step = () => fails('CardDeclined');
    const failed = await delivered();
    world.step = () => returns({ charge: 'charge-2' });
    const next = await delivered();

    expect(failed).toMatchObject({ status: 'FAILED', error: 'CardDeclined' });
    expect(next).toMatchObject({ output: '{"charge":"charge-2"}' });
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  test('stopped while the step runs: its duplicates wait for ever, where the workflow has it recovered', async () => {
    world.step = () => world.never();
    const owners = [await started(), await world.deliver(ORDER)];
    await world.stack.runtime.work.idle();
    for (const owner of owners) await world.stop(owner);
    world.step = () => returns({ charge: 'charge-1' });

    await world.pass(GRACE_MS);
    const duplicate = await started();
    await world.deliver(ORDER);
    await world.pass(HOUR);

    expect(await world.execution(duplicate)).toMatchObject({ status: 'RUNNING' });
    expect(await world.record('order-7')).toMatchObject({ status: { S: 'IN_PROGRESS' } });
    expect(await world.record('ChargePayment#order-7')).toMatchObject({ status: { S: 'COMPLETED' } });
    await world.stop(duplicate);
  });
});
