import { Duration, type Stack } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { SfnStateMachine, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { advanceBy, LocalError, runToEnd } from '../../index';
import { bodiesOf, machine, start, T0 } from './world';

const RULE_ARN = 'arn:aws:events:us-east-1:111111111111:rule/poll';

/** A rule `poll` whose events go to the queue `fired`. */
function scheduled(schedule: Schedule, enabled = true) {
  return (stack: Stack) => {
    const fired = new Queue(stack, 'Fired', { queueName: 'fired' });
    new Rule(stack, 'Poll', { ruleName: 'poll', schedule, enabled, targets: [new SqsQueue(fired)] });
  };
}

const timesOf = (bodies: readonly string[]) =>
  bodies.map(body => (JSON.parse(body) as { time: string }).time);

describe('a schedule', () => {
  test('a rate: fires each time the clock has moved so far, with the event of AWS', async () => {
    const world = await start(scheduled(Schedule.rate(Duration.minutes(5))));
    await advanceBy(world.stack.runtime, world.clock, 299_999);
    expect(bodiesOf(world, 'fired')).toEqual([]);

    await advanceBy(world.stack.runtime, world.clock, 1);
    const [body = ''] = bodiesOf(world, 'fired');
    expect(JSON.parse(body)).toEqual({
      version: '0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: '111111111111',
      time: '2026-11-20T09:05:00Z',
      region: 'us-east-1',
      resources: [RULE_ARN],
      detail: {},
    });
    await advanceBy(world.stack.runtime, world.clock, 600_000);
    expect(timesOf(bodiesOf(world, 'fired'))).toEqual([
      '2026-11-20T09:05:00Z',
      '2026-11-20T09:10:00Z',
      '2026-11-20T09:15:00Z',
    ]);
  });

  test('a rate: counts from when the stack was started, whatever the time was', async () => {
    const world = await start(scheduled(Schedule.rate(Duration.minutes(5))), { at: T0 + 61_000 });
    await advanceBy(world.stack.runtime, world.clock, 600_000);

    expect(timesOf(bodiesOf(world, 'fired'))).toEqual(['2026-11-20T09:06:01Z', '2026-11-20T09:11:01Z']);
  });

  test('closed after it has fired: fires no more', async () => {
    const world = await start(scheduled(Schedule.rate(Duration.minutes(5))));
    await advanceBy(world.stack.runtime, world.clock, 300_000);

    world.stack.schedules.close();
    await advanceBy(world.stack.runtime, world.clock, 3_600_000);

    expect(bodiesOf(world, 'fired')).toHaveLength(1);
  });

  test('a cron: fires at its times', async () => {
    const world = await start(scheduled(Schedule.expression('cron(30 8,20 ? * MON-FRI *)')));
    await advanceBy(world.stack.runtime, world.clock, 4 * 86_400_000);

    expect(timesOf(bodiesOf(world, 'fired'))).toEqual([
      '2026-11-20T20:30:00Z',
      '2026-11-23T08:30:00Z',
      '2026-11-23T20:30:00Z',
      '2026-11-24T08:30:00Z',
    ]);
  });

  test('an Express state machine that makes the event a message: the message, in constant input', async () => {
    const world = await start(stack => {
      const fired = new Queue(stack, 'Fired', { queueName: 'fired' });
      const send = {
        Type: 'Task',
        Resource: 'arn:aws:states:::sqs:sendMessage',
        Arguments: { QueueUrl: fired.queueUrl, MessageBody: '{% $states.input %}' },
        End: true,
      };
      const wait = { Type: 'Wait', Seconds: 30, Next: 'Send' };
      const sender = machine(
        stack,
        'sender',
        { Wait: wait, Send: send },
        { stateMachineType: StateMachineType.EXPRESS },
      );
      const target = new SfnStateMachine(sender, { input: RuleTargetInput.fromObject({ word: 'now' }) });
      new Rule(stack, 'Poll', {
        ruleName: 'poll',
        schedule: Schedule.rate(Duration.hours(1)),
        targets: [target],
      });
    });
    await advanceBy(world.stack.runtime, world.clock, 3_600_000);
    expect(bodiesOf(world, 'fired')).toEqual([]);

    expect(await runToEnd(world.stack.runtime, world.clock)).toEqual({ kind: 'ended' });
    expect(bodiesOf(world, 'fired')).toEqual(['{"word":"now"}']);
  });

  test('running to the end: ends, and the times that pass are left out', async () => {
    const world = await start(stack => {
      scheduled(Schedule.rate(Duration.minutes(1)))(stack);
      machine(stack, 'rests', { Rest: { Type: 'Wait', Seconds: 150, End: true } });
    });
    const { runtime, schedules } = world.stack;
    const stateMachineArn = runtime.machines.list()[0]?.arn ?? '';
    await runtime.startExecution({ stateMachineArn });

    expect(await runToEnd(runtime, world.clock)).toEqual({ kind: 'ended' });

    expect(world.clock.now()).toBe(T0 + 150_000);
    expect(bodiesOf(world, 'fired')).toEqual([]);
    expect(schedules.nextAt('poll')).toBe(T0 + 180_000);
    await advanceBy(runtime, world.clock, 30_000);
    expect(bodiesOf(world, 'fired')).toHaveLength(1);
  });

  test('an execution that waits for ever beside a schedule: reported, and not waited for', async () => {
    const world = await start(stack => {
      const queue = new Queue(stack, 'Tasks', { queueName: 'tasks' });
      scheduled(Schedule.rate(Duration.minutes(1)))(stack);
      machine(stack, 'waits', {
        Ask: {
          Type: 'Task',
          Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
          Arguments: { QueueUrl: queue.queueUrl, MessageBody: '{% $states.context.Task.Token %}' },
          End: true,
        },
      });
    });
    const { runtime } = world.stack;
    const { executionArn } = await runtime.startExecution({
      stateMachineArn: runtime.machines.list()[0]?.arn ?? '',
    });

    expect(await runToEnd(runtime, world.clock)).toEqual({ kind: 'waiting', executionArns: [executionArn] });
  });

  test('disabled: fires only by hand', async () => {
    const world = await start(scheduled(Schedule.rate(Duration.minutes(5)), false));
    await advanceBy(world.stack.runtime, world.clock, 3_600_000);
    expect(bodiesOf(world, 'fired')).toEqual([]);
    expect(world.stack.schedules.nextAt('poll')).toBeUndefined();

    expect(await world.stack.schedules.fire('poll')).toMatchObject({ deliveries: [{ kind: 'delivered' }] });
    expect(timesOf(bodiesOf(world, 'fired'))).toEqual(['2026-11-20T10:00:00Z']);
    expect(await world.stack.schedules.fire(RULE_ARN)).toBeDefined();
    expect(await world.stack.schedules.fire('other')).toBeUndefined();
    expect(world.stack.schedules.names()).toEqual(['poll']);
  });

  test('an expression that cannot be read: rejected by name when the stack starts', async () => {
    const starting = start(scheduled(Schedule.expression('cron(0 8 40 * ? *)')));

    await expect(starting).rejects.toThrow(LocalError);
    await expect(starting).rejects.toThrow(
      /poll: Parameter ScheduleExpression is not valid: cron\(0 8 40 \* \? \*\)/,
    );
  });

  test('a rule with the last day of a month is listed, and stops nothing else', async () => {
    const { stack } = await start(scheduled(Schedule.expression('cron(0 8 L * ? *)')));

    expect(stack.notRun).toMatchObject([
      { type: 'AWS::Events::Rule', reason: 'its cron has L, W or #, which are not run here' },
    ]);
  });
});
