import { Recovery } from '../../infra/index';
import { stopping } from '../support/faults';
import { fails, openWorld, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const INPUT = JSON.stringify({ id: 'event-1', time: '2026-11-20T09:00:00Z', detail: ORDER });

// Recovery counts by the names that it gives; a team's own names may look like them.
describe('an execution by a name that has a number in it, as those of recovery have', () => {
  let world: World;
  afterEach(() => world.close());

  const start = (name: string) =>
    world.stack.runtime.startExecution({
      stateMachineArn: world.stack.output('StateMachineArn'),
      name,
      input: INPUT,
    });
  const isCompleted = async () => (await world.record(KEY))?.['status']?.S === 'COMPLETED';

  test.each(['account-recovery-4711-mail', 'x-recovery-99999999999999999999-y', 'a-redelivery-12-b'])(
    '%s is interrupted: its event ends completed',
    async name => {
      world = await openWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
      world.faults = stopping(world, 'Record the result', 'before');
      await start(name);
      await world.settle();

      expect(await isCompleted()).toBe(true);
      const stateMachineArn = world.stack.output('RecoveryArn');
      const { executions } = await world.stack.runtime.listExecutions({ stateMachineArn });
      expect(executions.map(({ status }) => status)).toEqual(['SUCCEEDED']);
    },
  );

  test.each(['order-recovery-9', 'order-recovery-9-0123456789abcdef'])(
    'the key %s, started again by its dispatcher, is interrupted: completed',
    async orderId => {
      world = await openWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
      world.step = () => fails('Shop.Away');
      await world.publish({ ...ORDER, orderId });
      world.step = () => returns('charged');
      world.faults = stopping(world, 'Record the result', 'before');
      await world.publish({ ...ORDER, orderId });

      expect(await world.record(`ChargePayment#${orderId}`)).toMatchObject({ status: { S: 'COMPLETED' } });
    },
  );

  test('account-redelivery-4711-mail fails: delivered again', async () => {
    const recovery = Recovery.automatic({ redeliverFailed: { maxAttempts: 10 } });
    world = await openWorld({ name: 'redeliver plain', workflow: { recovery } });
    world.step = () => (world.runs.length === 1 ? fails('Shop.Away') : returns('charged'));
    await start('account-redelivery-4711-mail');
    await world.settle();

    expect(await isCompleted()).toBe(true);
    expect(await world.executions()).toHaveLength(2);
  });
});
