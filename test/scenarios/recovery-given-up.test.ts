import { Duration } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { FailureDestination, Recovery } from '../../infra/index';
import { at, failing, stopping } from '../support/faults';
import { fails, openWorld, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const MINUTE = 60_000;

const REDELIVERING = Recovery.automatic({ redeliverFailed: { maxAttempts: 2 } });

describe('what recovery gives up', () => {
  let world: World;
  afterEach(() => world.close());

  async function open(recovery = Recovery.automatic()): Promise<void> {
    world = await openWorld({
      name: `given up ${recovery === REDELIVERING ? 'after redeliveries' : ''}`,
      workflow: { recovery },
      settings: stack => ({
        onFailure: FailureDestination.queue(new Queue(stack, 'Failures', { queueName: 'failures' })),
      }),
    });
  }

  const sent = () =>
    (world.stack.queues.peek('failures') ?? []).map(
      ({ body }) => JSON.parse(body) as Record<string, unknown>,
    );

  async function endOf(output: 'RecoveryArn' | 'RedeliveryArn') {
    const stateMachineArn = world.stack.output(output);
    const { executions } = await world.stack.runtime.listExecutions({ stateMachineArn });
    const given = executions.filter(({ status }) => status === 'FAILED');
    expect(given).toHaveLength(1);
    return world.execution(given[0]?.executionArn ?? '');
  }

  /** An execution that ends again after each redrive. */
  function endsAgainAndAgain(): void {
    world.faults = at('Record the result', async call => {
      void world.stop(call.executionArn);
      return world.never();
    });
  }

  test('an owner that ends again after each redrive: notified once, with key and event', async () => {
    await open();
    endsAgainAndAgain();
    const executionArn = await world.deliver(ORDER);
    await world.settle();

    expect(await endOf('RecoveryArn')).toMatchObject({ error: 'Idempotency.RecoveryGivenUp' });
    expect(sent()).toEqual([
      {
        status: 'GIVEN_UP',
        executionArn,
        idempotencyKey: KEY,
        error: 'Idempotency.RedrivesExhausted',
        cause: expect.stringContaining('failed again after each redrive'),
        input: expect.objectContaining({ detail: ORDER }),
      },
    ]);
    expect(await world.execution(executionArn)).toMatchObject({ status: 'ABORTED', redriveCount: 3 });
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'HELD' } });
  });

  test('an owner that is stopped at its claim, and after each redrive: notified once, and its step has not run', async () => {
    await open();
    world.faults = at('Claim record', async (call, next) => {
      await next();
      void world.stop(call.executionArn);
      return world.never();
    });
    await world.deliver(ORDER);
    await world.settle();

    expect(sent()).toMatchObject([{ status: 'GIVEN_UP', idempotencyKey: KEY }]);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'HELD' } });
    expect(world.runs).toEqual([]);
  });

  test('an input that cannot be read: told, and that the event is left out', async () => {
    await open();
    world.faults = stopping(world, 'Claim record', 'before');
    const executionArn = await world.deliver({ ...ORDER, note: 'n'.repeat(255 * 1024 + 200) });
    await world.settle();

    expect(sent()).toEqual([
      {
        status: 'GIVEN_UP',
        executionArn,
        error: 'Idempotency.RecoveryGivenUp',
        cause: expect.stringContaining('cannot be read'),
        inputOmitted: true,
      },
    ]);
  });

  test('what Step Functions says of the execution stays behind: notified, with the event', async () => {
    await open();
    world.faults = stopping(world, 'Business step', 'before');
    await world.deliver(ORDER);
    await world.pass(1000);
    world.faults = at('Ask about the owner', async () => fails('States.QueryEvaluationError'));
    await world.pass(10 * MINUTE);

    expect(sent()).toMatchObject([{ status: 'GIVEN_UP', input: { detail: ORDER } }]);
  });

  test('a step that fails in every delivery: told of each failure, and that no delivery follows', async () => {
    await open(REDELIVERING);
    world.step = () => fails('Shop.Away');
    await world.delivered(ORDER);

    expect(sent().map(({ status, attempt }) => attempt ?? status)).toEqual([1, 2, 3, 'GIVEN_UP']);
    expect(await endOf('RedeliveryArn')).toMatchObject({ error: 'Idempotency.RecoveryGivenUp' });
  });

  test('the destination is away for five minutes: told then', async () => {
    await open();
    endsAgainAndAgain();
    const ends = world.faults;
    let away: number | undefined;
    world.faults = (call, next) => {
      if (call.stateName !== 'Notify') return ends(call, next);
      away ??= world.clock.now() + 5 * MINUTE;
      return world.clock.now() < away ? Promise.resolve(fails('SQS.SqsException')) : next();
    };
    await world.deliver(ORDER);
    await world.settle();

    expect(sent()).toMatchObject([{ status: 'GIVEN_UP' }]);
    expect((await endOf('RecoveryArn')).cause).not.toContain('was not told');
  });

  test('the destination stays away: given up all the same, and the cause says that it was not told', async () => {
    await open();
    endsAgainAndAgain();
    const ends = world.faults;
    const away = failing('Notify', 'SQS.SqsException');
    world.faults = (call, next) => away(call, () => ends(call, next));
    await world.deliver(ORDER);
    await world.settle();

    expect(sent()).toEqual([]);
    const { error, cause = '' } = await endOf('RecoveryArn');
    expect(error).toBe('Idempotency.RecoveryGivenUp');
    expect(JSON.parse(cause)).toMatchObject({
      idempotencyKey: KEY,
      message: expect.stringMatching(
        /failed again after each redrive.*; the failure destination was not notified: SQS\.SqsException$/,
      ),
    });
  });

  test('a bus: an event of the detail type Delivery Given Up', async () => {
    world = await openWorld({
      name: 'given up, on a bus',
      workflow: { recovery: Recovery.automatic({ searchEvery: Duration.minutes(30) }) },
      settings: stack => ({ onFailure: FailureDestination.eventBus(new EventBus(stack, 'Failures')) }),
    });
    const details: unknown[] = [];
    endsAgainAndAgain();
    const ends = world.faults;
    world.faults = (call, next) => {
      if (call.stateName === 'Notify') details.push(call.arguments);
      return ends(call, next);
    };
    await world.deliver(ORDER);
    await world.settle();

    expect(details).toMatchObject([
      { Entries: [{ Source: 'onceflow', DetailType: 'Delivery Given Up', Detail: { status: 'GIVEN_UP' } }] },
    ]);
  });
});
