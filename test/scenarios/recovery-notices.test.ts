import type { Interceptor } from '@onceflow/local';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { FailureDestination, type IdempotentWorkflowProps, Recovery, Redrive } from '../../infra/index';
import { at, loseFirstAnswer, noFault, stopping } from '../support/faults';
import type { Variant } from '../support/variant';
import { fails, openWorld, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const HOUR = 3_600_000;

const variant = (name: string, workflow: Partial<IdempotentWorkflowProps> = {}): Variant => ({
  name: `recovery of notices, ${name}`,
  workflow: { recovery: Recovery.automatic(), ...workflow },
  settings: stack => ({
    onFailure: FailureDestination.queue(new Queue(stack, 'Failures', { queueName: 'failures' })),
  }),
});

let world: World;
afterEach(() => world.close());

const sent = () =>
  (world.stack.queues.peek('failures') ?? []).map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const endsOf = async () => (await world.executions()).map(({ status, error }) => error ?? status);

async function recoveries() {
  const stateMachineArn = world.stack.output('RecoveryArn');
  const { executions } = await world.stack.runtime.listExecutions({ stateMachineArn });
  const described = executions.map(({ executionArn }) => world.execution(executionArn));
  return (await Promise.all(described)).reverse();
}

const endsOfRecoveries = async () => (await recoveries()).map(({ status, error }) => error ?? status);

describe.each([
  ['by function', {}],
  ['by the direct integration', { redrive: Redrive.direct() }],
])('recovery of a failure notice, %s', (name, workflow) => {
  test('the owner is killed between its record and its notice, without another delivery: sent', async () => {
    world = await openWorld(variant(name, workflow));
    world.step = () => fails('CardDeclined');
    world.faults = stopping(world, 'Send failure', 'before');
    const executionArn = await world.deliver(ORDER);
    await world.settle();

    expect(sent()).toMatchObject([{ status: 'FAILED', executionArn, attempt: 1 }]);
    expect(world.runs).toHaveLength(1);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'FAILED' }, owner: { S: executionArn } });
    expect(await endsOf()).toEqual(['CardDeclined']);
    expect(await world.execution(executionArn)).toMatchObject({ redriveCount: 1 });
    expect(await endsOfRecoveries()).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    const billed = (await recoveries()).map(one => world.stack.runtime.billedTransitions(one.executionArn));
    expect(billed).toEqual([13, 4]);
  });
});

describe('recovery of a failure notice', () => {
  beforeEach(async () => {
    world = await openWorld(variant('by function'));
    world.step = () => fails('CardDeclined');
  });

  test('the owner is killed within its notice, which was sent: sent again, rather than perhaps not at all', async () => {
    world.faults = stopping(world, 'Send failure', 'after');
    await world.deliver(ORDER);
    await world.settle();

    expect(sent()).toHaveLength(2);
    expect(await endsOf()).toEqual(['CardDeclined']);
    expect(world.runs).toHaveLength(1);
  });

  test('its notice was sent: recovery does nothing, in four transitions', async () => {
    await world.deliver(ORDER);
    await world.settle();

    const [recovery, ...more] = await recoveries();
    expect(recovery).toMatchObject({ status: 'SUCCEEDED', output: '{"deliveries":0}' });
    expect(world.stack.runtime.billedTransitions(recovery?.executionArn ?? '')).toBe(4);
    expect(more).toEqual([]);
    expect(sent()).toHaveLength(1);
  });

  test('its notice was sent, and the event does not tell the error: it is asked for, and nothing is done', async () => {
    world.deliveries = async ({ targetArn, input }, next) => {
      if (targetArn !== world.stack.output('RecoveryArn')) return next();
      const { detail, ...others } = JSON.parse(input) as { readonly detail: { readonly error?: string } };
      const { error: _, ...untold } = detail;
      return world.stack.runtime.startExecution({
        stateMachineArn: targetArn,
        input: JSON.stringify({ ...others, detail: untold }),
      });
    };
    const executionArn = await world.deliver(ORDER);
    await world.settle();

    expect(await endsOfRecoveries()).toEqual(['SUCCEEDED']);
    expect(await world.execution(executionArn)).toMatchObject({ redriveCount: 0 });
    expect(sent()).toHaveLength(1);
  });

  test('the step fails as sending may, and its notice was sent: redriven once, and not sent again', async () => {
    world.step = () => fails('States.TaskFailed');
    const executionArn = await world.deliver(ORDER);
    await world.settle();

    expect(sent()).toHaveLength(1);
    expect(world.runs).toHaveLength(1);
    expect(await world.execution(executionArn)).toMatchObject({ redriveCount: 1 });
    expect(await endsOfRecoveries()).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  });

  test('the queue is away for longer than the execution tries: sent when it is back', async () => {
    const end = world.clock.now() + 20 * HOUR;
    world.faults = at('Send failure', async (_call, next) =>
      world.clock.now() < end ? fails('SQS.SdkClientException') : next(),
    );
    const executionArn = await world.deliver(ORDER);
    await world.pass(40 * HOUR);

    expect(sent()).toHaveLength(1);
    expect((await world.execution(executionArn)).redriveCount).toBeGreaterThan(0);
    expect(world.runs).toHaveLength(1);
    expect(await endsOf()).toEqual(['CardDeclined']);
    expect(await endsOfRecoveries()).not.toContain('Idempotency.RecoveryGivenUp');
  });

  test('its status changes are lost: the search finds it, and it is sent', async () => {
    world.deliveries = async ({ targetArn }, next) =>
      targetArn === world.stack.output('RecoveryArn') ? { executionArn: 'lost' } : next();
    world.faults = stopping(world, 'Send failure', 'before');
    await world.deliver(ORDER);
    await world.settle();
    expect(sent()).toEqual([]);

    await world.pass(HOUR + 60_000);
    expect(sent()).toHaveLength(1);
  });

  test('its status change comes twice: redriven once', async () => {
    world.deliveries = async (_attempt, next) => {
      await next();
      return next();
    };
    world.faults = stopping(world, 'Send failure', 'before');
    const executionArn = await world.deliver(ORDER);
    await world.settle();

    expect(sent()).toHaveLength(1);
    expect(await world.execution(executionArn)).toMatchObject({ redriveCount: 1 });
  });

  test('it ends again after each redrive: given up after eight redrives, and nothing is delivered', async () => {
    world.faults = at('Send failure', async call => {
      void world.stop(call.executionArn);
      return world.never();
    });
    const executionArn = await world.deliver(ORDER);
    await world.settle();

    expect(await world.execution(executionArn)).toMatchObject({ status: 'ABORTED', redriveCount: 8 });
    expect((await endsOfRecoveries()).filter(end => end !== 'SUCCEEDED')).toEqual([
      'Idempotency.RecoveryGivenUp',
    ]);
    expect(await world.executions()).toHaveLength(1);
    expect(world.runs).toHaveLength(1);
  });

  test('without the permission to redrive it: abandoned after eight tries', async () => {
    world.faults = async (call, next) => {
      if (call.stateName === 'Redrive the owner') return fails('Lambda.AWSLambdaException', 'denied');
      if (call.stateName !== 'Send failure') return next();
      void world.stop(call.executionArn);
      return world.never();
    };
    await world.deliver(ORDER);
    await world.settle();

    expect(await endsOfRecoveries()).toEqual(['Idempotency.RecoveryGivenUp']);
    expect(await world.executions()).toHaveLength(1);
  });

  test('a person has freed the key meanwhile: left alone', async () => {
    world.faults = stopping(world, 'Send failure', 'before');
    const executionArn = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
    const record = (await world.record(KEY)) ?? {};
    const error = { S: '{"Error":"Idempotency.Released","Cause":""}' };
    await world.putRecord({ ...record, error });
    await world.settle();

    expect(sent()).toEqual([]);
    expect(await world.execution(executionArn)).toMatchObject({ status: 'ABORTED', redriveCount: 0 });
  });
});

describe('recovery of a notice at most once', () => {
  beforeEach(async () => {
    world = await openWorld(variant('at most once', { delivery: 'at-most-once' }));
  });

  /** An order whose execution is stopped within its step, so that recovery holds its key. */
  async function stoppedInItsStep(faultsOfRecovery: Interceptor): Promise<string> {
    const stopped = stopping(world, 'Business step', 'after');
    world.faults = (call, next) => stopped(call, () => faultsOfRecovery(call, next));
    const owner = await world.deliver(ORDER);
    await world.settle();
    return owner;
  }

  async function isHeldAndNotifiedOnce(owner: string): Promise<void> {
    const cause = expect.stringContaining('may or may not have run');
    expect(sent()).toMatchObject([
      { status: 'GIVEN_UP', executionArn: owner, idempotencyKey: KEY, error: 'Idempotency.InDoubt', cause },
    ]);
    expect(world.runs).toHaveLength(1);
    expect(await world.executions()).toMatchObject([{ status: 'ABORTED', redriveCount: 0 }]);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'HELD' }, owner: { S: owner } });
  }

  test('an owner is stopped within its step: held, and notified once', async () => {
    await isHeldAndNotifiedOnce(await stoppedInItsStep(noFault));
    expect(await endsOfRecoveries()).toEqual(['Idempotency.RecoveryGivenUp']);
  });

  test('recovery is stopped between its hold and its notice: a search finds it, and it is notified once', async () => {
    const owner = await stoppedInItsStep(stopping(world, 'Notify', 'before'));
    expect(sent()).toEqual([]);
    await world.pass(HOUR + 60_000);

    await isHeldAndNotifiedOnce(owner);
  });

  test('recovery is stopped twice between its hold and its notice: notified once', async () => {
    const owner = await stoppedInItsStep(stopping(world, 'Notify', 'before'));
    world.faults = stopping(world, 'Notify', 'before');
    await world.pass(HOUR + 60_000);
    expect(sent()).toEqual([]);
    await world.pass(HOUR + 60_000);

    await isHeldAndNotifiedOnce(owner);
  });

  test('the answer to its hold is lost: notified once, and recovery says so', async () => {
    await isHeldAndNotifiedOnce(await stoppedInItsStep(loseFirstAnswer('Hold for review')));
    expect(await endsOfRecoveries()).toEqual(['Idempotency.RecoveryGivenUp']);
  });

  test('the event of its end comes twice: held once, and notified once', async () => {
    world.deliveries = async (_attempt, next) => {
      await next();
      return next();
    };
    await isHeldAndNotifiedOnce(await stoppedInItsStep(noFault));
    expect((await endsOfRecoveries()).sort()).toEqual(['Idempotency.RecoveryGivenUp', 'SUCCEEDED']);
  });

  test('an owner in doubt about its own step is killed before it tells: redriven, and its step is not run again', async () => {
    world.step = () => fails('Lambda.SdkClientException', 'reset');
    world.faults = stopping(world, 'Send doubt', 'before');
    const owner = await world.deliver(ORDER);
    await world.settle();

    expect(sent()).toMatchObject([{ status: 'IN_DOUBT', executionArn: owner }]);
    expect(world.runs).toHaveLength(1);
    expect(await endsOf()).toEqual(['Idempotency.InDoubt']);
  });

  test('a record that was held before there was a destination: its owner is not redriven', async () => {
    world.faults = stopping(world, 'Business step', 'after');
    const owner = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
    world.faults = noFault;
    const record = (await world.record(KEY)) ?? {};
    const cause = JSON.stringify({ message: 'in doubt', idempotencyKey: KEY, owner, attempt: 1 });
    const error = { S: JSON.stringify({ Error: 'Idempotency.InDoubt', Cause: cause }) };
    await world.putRecord({ ...record, status: { S: 'HELD' }, error });
    await world.settle();

    expect(await world.execution(owner)).toMatchObject({ status: 'ABORTED', redriveCount: 0 });
    expect(world.runs).toHaveLength(1);
  });
});
