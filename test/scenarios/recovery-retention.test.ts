import { Duration } from 'aws-cdk-lib';
import { Recovery } from '../../infra/index';
import { failing, noFault, stopping } from '../support/faults';
import { fails, openWorld, returns, type World } from '../support/world';

const RETENTION = Duration.minutes(10);
const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };

describe('recovery, and records that are kept for ten minutes', () => {
  let world: World;
  let runs: number;
  beforeEach(async () => {
    world = await openWorld({
      name: 'short retention',
      workflow: { retention: RETENTION, recovery: Recovery.automatic() },
    });
    runs = 0;
    world.step = () => {
      runs += 1;
      return returns({ charge: runs });
    };
    // No status change arrives.
    world.deliveries = async ({ targetArn }, next) =>
      targetArn === world.stack.output('RecoveryArn') ? { executionArn: 'lost' } : next();
  });
  afterEach(() => world.close());

  /** An execution that is stopped when its end is recorded: its record says COMPLETED, itself ABORTED. */
  async function stoppedWhenDone(): Promise<string> {
    world.faults = stopping(world, 'Record the result', 'after');
    const executionArn = await world.deliver(ORDER);
    await world.settle();
    world.faults = noFault;
    return executionArn;
  }

  async function searches(): Promise<number> {
    const stateMachineArn = world.stack.output('SearchArn');
    return (await world.stack.runtime.listExecutions({ stateMachineArn })).executions.length;
  }

  /** A recovery of an execution, begun now. */
  async function recovered(executionArn: string) {
    const { runtime } = world.stack;
    const workflowArn = world.stack.output('StateMachineArn');
    const input = JSON.stringify({ detail: { executionArn }, workflowArn });
    const started = await runtime.startExecution({
      stateMachineArn: world.stack.output('RecoveryArn'),
      input,
    });
    await world.settle();
    return world.execution(started.executionArn);
  }

  test('all status changes are lost: a search looks while the record is there, and the step runs once', async () => {
    await stoppedWhenDone();
    await world.pass(4 * 60_000);
    expect(await searches()).toBe(0);
    await world.pass(2 * 60_000);

    expect(await searches()).toBe(1);
    await world.pass(3_600_000);
    expect(runs).toBe(1);
  });

  test('it checks when the record has been deleted: the outcome is unknown, and an operator is asked', async () => {
    const executionArn = await stoppedWhenDone();
    await world.pass(3_600_000);
    await world.deleteRecord(KEY);

    expect(await recovered(executionArn)).toMatchObject({
      status: 'FAILED',
      error: 'Idempotency.RecoveryGivenUp',
      cause: expect.stringMatching(/a record that was finished would be gone by now/),
    });
    expect(runs).toBe(1);
  });

  test('it was stopped long after its step was done, and its record is gone: a person is asked, too', async () => {
    // The answer to the write of its end is lost, and the next ones do not come through.
    let isDone = false;
    world.faults = async (call, next) => {
      if (call.stateName !== 'Record the result') return next();
      if (!isDone) await next();
      isDone = true;
      return fails('DynamoDB.SdkClientException');
    };
    const executionArn = await world.deliver(ORDER);
    await world.pass(RETENTION.toMilliseconds() - 60_000);
    await world.stop(executionArn);
    world.faults = noFault;
    await world.pass(2 * 60_000);
    await world.deleteRecord(KEY);

    expect(await recovered(executionArn)).toMatchObject({
      status: 'FAILED',
      error: 'Idempotency.RecoveryGivenUp',
      cause: expect.stringMatching(/a record that was finished would be gone by now/),
    });
    expect(runs).toBe(1);
  });

  test('the record of another delivery has expired, and is there: it was finished for this one, too', async () => {
    await world.delivered(ORDER);
    world.faults = stopping(world, 'Claim record', 'before');
    const executionArn = await world.deliver(ORDER);
    await world.settle();
    world.faults = noFault;
    await world.pass(RETENTION.toMilliseconds() + 60_000);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' } });

    expect(await recovered(executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '{"deliveries":0}' });
    expect(runs).toBe(1);
  });

  test('another delivery was done beside it, and its record expired before its end: it was finished for this one', async () => {
    // The requests of one delivery do not come through, until it is stopped.
    let isolated: string | undefined;
    world.faults = async (call, next) =>
      call.executionArn === (isolated ?? call.executionArn) ? fails('DynamoDB.SdkClientException') : next();
    isolated = await world.deliver(ORDER);
    await world.deliver(ORDER);
    await world.pass(RETENTION.toMilliseconds() + 60_000);
    await world.stop(isolated);
    world.faults = noFault;
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' } });

    expect(await recovered(isolated)).toMatchObject({ status: 'SUCCEEDED', output: '{"deliveries":0}' });
    expect(runs).toBe(1);
  });

  test('the record of an earlier event expires before its claim gets through: delivered', async () => {
    await world.delivered(ORDER);
    await world.pass(RETENTION.toMilliseconds() - 10_000);
    world.faults = failing('Claim record', 'DynamoDB.SdkClientException');
    const executionArn = await world.deliver(ORDER);
    await world.pass(30_000);
    await world.stop(executionArn);
    world.faults = noFault;

    expect(await recovered(executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '{"deliveries":1}' });
    expect(runs).toBe(2);
  });
});
