import { Key } from 'aws-cdk-lib/aws-kms';
import { Recovery } from '../../infra/index';
import { openWorld, type World } from '../support/world';

const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };

describe('a workflow that a customer-managed key encrypts', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({
      name: 'encrypted',
      workflow: { recovery: Recovery.automatic() },
      settings: stack => ({ encryptionKey: new Key(stack, 'Key') }),
    });
  });
  afterEach(() => world.close());

  /** Starts recovery with the status change of an execution as AWS sends it then: without any of its data. */
  async function recovered(executionArn: string) {
    const { runtime } = world.stack;
    const { stateMachineArn, name, status, startDate, stopDate } = await world.execution(executionArn);
    const data = { input: null, output: null, error: null, cause: null };
    const detail = { executionArn, stateMachineArn, name, status, startDate, stopDate, ...data };
    const recovery = await runtime.startExecution({
      stateMachineArn: world.stack.output('RecoveryArn'),
      input: JSON.stringify({ detail, workflowArn: stateMachineArn }),
    });
    await world.settle();
    const { status: end, output } = await world.execution(recovery.executionArn);
    return { end, output, transitions: runtime.billedTransitions(recovery.executionArn) };
  }

  test('a duplicate is rejected: recovery asks for what the event does not say, and finds nothing to do', async () => {
    await world.delivered(ORDER);
    const rejected = await world.deliver({ ...ORDER, amount: 13 });
    await world.settle();

    expect(await world.execution(rejected)).toMatchObject({ error: 'Idempotency.PayloadMismatch' });
    expect(await recovered(rejected)).toEqual({
      end: 'SUCCEEDED',
      output: '{"deliveries":0}',
      transitions: 4,
    });
    expect(world.runs).toHaveLength(1);
  });
});
