import { Recovery } from '../../infra/index';
import { executionName } from '../../state-machine/contract/execution-name';
import { stopping } from '../support/faults';
import { keyed, openHttp } from '../support/http';
import { fails, openWorld, returns, type World } from '../support/world';

const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const HASH = executionName('order-7', 'hash');

let world: World;
afterEach(() => world.close());

/** The ARN of every Standard execution: of the workflow, its recovery and its redelivery. */
async function arns(): Promise<readonly string[]> {
  const standard = world.stack.assembly.stateMachines.filter(({ type }) => type === 'STANDARD');
  const lists = await Promise.all(
    standard.map(({ arn: stateMachineArn }) => world.stack.runtime.listExecutions({ stateMachineArn })),
  );
  return lists.flatMap(({ executions }) => executions.map(({ executionArn }) => executionArn));
}

const names = async () => (await world.executions()).map(({ name }) => name);

describe('executions that are named by the hash', () => {
  test('from the bus, failed, delivered again, and stopped: all begin with it, and no ARN has the key', async () => {
    const recovery = Recovery.automatic({ redeliverFailed: { maxAttempts: 3 } });
    world = await openWorld({ name: 'names by hash', workflow: { executionNames: 'hash', recovery } });
    world.step = () => (world.runs.length < 3 ? fails('Shop.Away') : returns('paid'));
    await world.publish(ORDER);
    await world.publish(ORDER);
    world.faults = stopping(world, 'Business step', 'before');
    await world.publish({ ...ORDER, orderId: 'order-8' });

    expect((await names())[0]).toBe(HASH);
    expect((await world.record('ChargePayment#order-7'))?.['status']?.S).toBe('COMPLETED');
    const all = await arns();
    expect(all.length).toBeGreaterThan(6);
    expect(all.filter(arn => /order/i.test(arn))).toEqual([]);
    const others = (await names()).filter(name => !name.startsWith(HASH));
    expect(others.every(name => name.startsWith(executionName('order-8', 'hash')))).toBe(true);
  });

  test('again, while it runs and afterwards: nothing is started', async () => {
    world = await openWorld({ name: 'names by hash, again', workflow: { executionNames: 'hash' } });
    world.step = async () => {
      await world.pause(5000);
      return returns('paid');
    };
    await Promise.all([world.publish(ORDER), world.publish(ORDER)]);
    await world.publish(ORDER);

    expect(await names()).toEqual([HASH]);
    expect(world.runs).toHaveLength(1);
  });

  test('by HTTP: neither the caller nor the key is in them', async () => {
    const opened = await openHttp('names by hash', {}, { executionNames: 'hash' });
    world = opened;
    opened.step = () => returns('paid');
    const first = await opened.answered(keyed('order-7'));
    const again = await opened.answered(keyed('order-7'));

    expect([first.status, again.status]).toEqual([200, 200]);
    expect(await names()).toEqual([executionName('anonymous,order-7', 'hash')]);
    expect(opened.runs).toHaveLength(1);
  });

  // As after a deployment that has changed the option.
  test('while the key has a readable one: one more execution, which the record answers', async () => {
    world = await openWorld({ name: 'names by hash, again', workflow: { executionNames: 'hash' } });
    const stateMachineArn = world.stack.output('StateMachineArn');
    const input = JSON.stringify({ detail: ORDER });
    world.step = () => world.never();
    await world.stack.runtime.startExecution({ stateMachineArn, name: 'order-7', input });
    await world.pass(1000);
    await world.send(ORDER);
    await world.pass(1000);

    expect(await world.executions()).toMatchObject([
      { name: 'order-7', status: 'RUNNING' },
      { name: HASH, error: 'Idempotency.InProgress' },
    ]);
    expect(world.runs).toHaveLength(1);
  });
});
