import { Duration, type Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { type DeliveryAttempt, type DeliveryInterceptor, deliverEvent, runToEnd } from '../../index';
import { bodiesOf, machine, type Started, start, T0 } from './world';

const MACHINE_ARN = 'arn:aws:states:us-east-1:111111111111:stateMachine:dispatcher';
const RULE_ARN = 'arn:aws:events:us-east-1:111111111111:rule/shop/placed';
const EVENT = { source: 'shop', 'detail-type': 'Placed', detail: { orderId: 'a' } };

/** A dispatcher that starts `charge`, and sends what it cannot start to the queue `unstarted`. */
function dispatching(retry: { readonly retryAttempts?: number; readonly maxEventAge?: Duration } = {}) {
  return (stack: Stack) => {
    const bus = new EventBus(stack, 'Bus', { eventBusName: 'shop' });
    const undelivered = new Queue(stack, 'Undelivered', { queueName: 'undelivered' });
    const unstarted = new Queue(stack, 'Unstarted', { queueName: 'unstarted' });
    const charge = machine(stack, 'charge', { Rest: { Type: 'Wait', Seconds: 60, End: true } });
    const states = {
      Start: {
        Type: 'Task',
        Resource: 'arn:aws:states:::aws-sdk:sfn:startExecution',
        Arguments: {
          StateMachineArn: charge.stateMachineArn,
          Name: '{% $states.input.detail.orderId %}',
          Input: '{% $states.input.detail %}',
        },
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Send', Output: '{% $states.input %}' }],
        End: true,
      },
      Send: {
        Type: 'Task',
        Resource: 'arn:aws:states:::sqs:sendMessage',
        Arguments: {
          QueueUrl: unstarted.queueUrl,
          MessageBody: '{% $states.input %}',
          MessageAttributes: { reason: { DataType: 'String', StringValue: 'unstarted' } },
        },
        End: true,
      },
    };
    const dispatcher = machine(stack, 'dispatcher', states, { stateMachineType: StateMachineType.EXPRESS });
    const target = new SfnStateMachine(dispatcher, { deadLetterQueue: undelivered, ...retry });
    new Rule(stack, 'Placed', {
      ruleName: 'placed',
      eventBus: bus,
      eventPattern: { source: ['shop'] },
      targets: [target],
    });
  };
}

/** Publishes the event without waiting, and lets time pass until nothing is left to do. */
async function deliver(world: Started, event: object = {}): Promise<unknown> {
  const delivered = deliverEvent(world.stack, { ...EVENT, ...event }, 'shop').catch(
    (error: Error) => error.message,
  );
  await runToEnd(world.stack.runtime, world.clock);
  return delivered;
}

const executionsOf = async ({ stack }: Started) => {
  const stateMachineArn = MACHINE_ARN.replace('dispatcher', 'charge');
  return (await stack.runtime.listExecutions({ stateMachineArn })).executions.map(({ name }) => name);
};

describe('a rule whose target is an Express dispatcher', () => {
  test('an event: the execution it dispatches has ended, and is answered', async () => {
    const world = await start(dispatching());

    expect(await deliver(world)).toMatchObject([{ name: 'a', status: 'SUCCEEDED' }]);

    expect(await executionsOf(world)).toEqual(['a']);
    expect(bodiesOf(world, 'unstarted')).toEqual([]);
  });

  test('what the dispatcher cannot start: in its own queue, with its attributes', async () => {
    const world = await start(dispatching());

    await deliver(world, { detail: { orderId: 'not a name!<>' } });

    const [message] = world.stack.queues.receive('unstarted') ?? [];
    expect(JSON.parse(message?.body ?? '')).toMatchObject({ detail: { orderId: 'not a name!<>' } });
    expect(message?.messageAttributes).toEqual({ reason: { DataType: 'String', StringValue: 'unstarted' } });
  });
});

test.each(['a', 'é', '中', '😀'])(
  'an event of %s that is too long for an execution: a dead letter at once',
  async character => {
    const around = Buffer.byteLength(JSON.stringify({ note: '' }));
    const size = Buffer.byteLength(character);
    const noteOf = (bytes: number) => character.repeat(Math.floor((bytes - around) / size));
    const world = await start(dispatching());

    expect(await deliver(world, { detail: { note: noteOf(262_144) } })).toMatch(
      /have size less than or equal to 262144 bytes in UTF-8 encoding; the event is in the dead-letter queue/,
    );

    const [message] = world.stack.queues.receive('undelivered') ?? [];
    expect(JSON.parse(message?.body ?? '')).toMatchObject({ detail: { note: noteOf(262_144) } });
    expect(world.clock.now()).toBe(T0);
  },
);

describe('a target that rejects', () => {
  const rejecting = (times: number) => {
    const attempts: DeliveryAttempt[] = [];
    const deliveryInterceptor: DeliveryInterceptor = async (attempt, next) => {
      attempts.push(attempt);
      if (attempts.length <= times) throw new Error('slow down');
      return next();
    };
    return { attempts, deliveryInterceptor };
  };

  test('for some time: tried again on the clock, and delivered', async () => {
    const { attempts, deliveryInterceptor } = rejecting(5);
    const world = await start(dispatching(), { deliveryInterceptor });

    expect(await deliver(world)).toMatchObject([{ name: 'a', status: 'SUCCEEDED' }]);

    expect(attempts.map(({ retryCount }) => retryCount)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(attempts[0]).toMatchObject({ ruleArn: RULE_ARN, targetArn: MACHINE_ARN });
    expect(await executionsOf(world)).toEqual(['a']);
    expect(world.clock.now()).toBeGreaterThan(T0 + 60_000 + 15_000);
  });

  test.each([
    ['the attempts are used up', { retryAttempts: 2 }, 'MaximumRetryAttempts', '2'],
    ['the event is too old', { maxEventAge: Duration.minutes(1) }, 'MaximumEventAgeInSeconds', undefined],
    ['nothing is tried again', { retryAttempts: 0 }, 'MaximumRetryAttempts', '0'],
  ])('until %s: the event as a message, saying why', async (_case, retry, condition, retries) => {
    const { attempts, deliveryInterceptor } = rejecting(Number.POSITIVE_INFINITY);
    const world = await start(dispatching(retry), { deliveryInterceptor });

    expect(await deliver(world)).toMatch(
      /did not take the event: slow down; the event is in the dead-letter queue/,
    );

    const [message] = world.stack.queues.receive('undelivered') ?? [];
    expect(JSON.parse(message?.body ?? '')).toMatchObject({ ...EVENT, version: '0' });
    const said = Object.entries(message?.messageAttributes ?? {}).map(([name, attribute]) => {
      return [name, 'StringValue' in attribute ? attribute.StringValue : undefined];
    });
    expect(Object.fromEntries(said)).toEqual({
      RULE_ARN,
      TARGET_ARN: MACHINE_ARN,
      ERROR_CODE: 'ERROR_FROM_TARGET',
      ERROR_MESSAGE: 'slow down',
      EXHAUSTED_RETRY_CONDITION: condition,
      RETRY_ATTEMPTS: retries ?? String(attempts.length - 1),
    });
    expect(world.clock.now()).toBeLessThanOrEqual(T0 + 60_000);
  });

  test('input it can never take: not tried again', async () => {
    const world = await start(dispatching());

    expect(await deliver(world, { detail: { note: 'x'.repeat(300_000) } })).toMatch(/262144 bytes/);

    const [message] = world.stack.queues.receive('undelivered') ?? [];
    expect(message?.messageAttributes).toMatchObject({
      ERROR_CODE: { StringValue: 'SDK_CLIENT_ERROR' },
      RETRY_ATTEMPTS: { StringValue: '0' },
    });
    expect(message?.messageAttributes).not.toHaveProperty('EXHAUSTED_RETRY_CONDITION');
    expect(world.clock.now()).toBe(T0);
  });

  test('an answer that is lost: delivered twice', async () => {
    let attempts = 0;
    const world = await start(dispatching(), {
      deliveryInterceptor: async (_attempt, next) => {
        attempts += 1;
        const answer = await next();
        if (attempts === 1) throw new Error('connection reset');
        return answer;
      },
    });

    await deliver(world);

    // The second start of the same name and input is the same execution.
    expect(attempts).toBe(2);
    expect(await executionsOf(world)).toEqual(['a']);
    expect(bodiesOf(world, 'unstarted')).toEqual([]);
  });
});
