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

  /** An execution that dies whenever it is brought back. */
  function diesAgainAndAgain(): void {
    world.faults = at('Finalize: completed', async call => {
      void world.stop(call.executionArn);
      return world.never();
    });
  }

  test('an owner that dies again and again: told once, with key and event', async () => {
    await open();
    diesAgainAndAgain();
    const executionArn = await world.deliver(ORDER);
    await world.settle();

    expect(await endOf('RecoveryArn')).toMatchObject({ error: 'Idempotency.RecoveryGivenUp' });
    expect(sent()).toEqual([
      {
        status: 'GIVEN_UP',
        executionArn,
        idempotencyKey: KEY,
        error: 'Idempotency.RecoveryGivenUp',
        cause: expect.stringContaining('dies again and again'),
        input: expect.objectContaining({ detail: ORDER }),
      },
    ]);
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

  test.each([
    ['Step Functions does not know the execution', fails('Sfn.ExecutionDoesNotExistException')],
    ['what it says of it stays behind', fails('States.QueryEvaluationError')],
  ])('%s: told, with the event', async (_, answer) => {
    await open();
    world.faults = stopping(world, 'Business step', 'before');
    await world.deliver(ORDER);
    await world.pass(1000);
    world.faults = at('Ask about the execution', async () => answer);
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
    diesAgainAndAgain();
    const dies = world.faults;
    let away: number | undefined;
    world.faults = (call, next) => {
      if (call.stateName !== 'Tell that it is given up') return dies(call, next);
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
    diesAgainAndAgain();
    const dies = world.faults;
    const away = failing('Tell that it is given up', 'SQS.SqsException');
    world.faults = (call, next) => away(call, () => dies(call, next));
    await world.deliver(ORDER);
    await world.settle();

    expect(sent()).toEqual([]);
    const { error, cause = '' } = await endOf('RecoveryArn');
    expect(error).toBe('Idempotency.RecoveryGivenUp');
    expect(JSON.parse(cause)).toMatchObject({
      idempotencyKey: KEY,
      message: expect.stringMatching(
        /dies again and again.*; the failure destination was not told: SQS\.SqsException$/,
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
    diesAgainAndAgain();
    const dies = world.faults;
    world.faults = (call, next) => {
      if (call.stateName === 'Tell that it is given up') details.push(call.arguments);
      return dies(call, next);
    };
    await world.deliver(ORDER);
    await world.settle();

    expect(details).toMatchObject([
      { Entries: [{ Source: 'onceflow', DetailType: 'Delivery Given Up', Detail: { status: 'GIVEN_UP' } }] },
    ]);
  });
});
