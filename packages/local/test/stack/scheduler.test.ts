import type { Stack } from 'aws-cdk-lib';
import { CfnSchedule, CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { advanceBy } from '../../index';
import { bodiesOf, start } from './world';

const HOUR_MS = 3_600_000;

/** A schedule `hourly` in the group `reports`, whose times go to the queue `fired`. */
function hourly(target: Partial<CfnSchedule.TargetProperty> = {}) {
  return (stack: Stack) => {
    const fired = new Queue(stack, 'Fired', { queueName: 'fired' });
    const lost = new Queue(stack, 'Lost', { queueName: 'lost' });
    const group = new CfnScheduleGroup(stack, 'Reports', { name: 'reports' });
    new CfnSchedule(stack, 'Hourly', {
      name: 'hourly',
      groupName: group.ref,
      scheduleExpression: 'rate(1 hours)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: fired.queueArn,
        roleArn: 'arn:aws:iam::111111111111:role/scheduler',
        input: '{"at":"<aws.scheduler.scheduled-time>","of":"<aws.scheduler.schedule-arn>"}',
        deadLetterConfig: { arn: lost.queueArn },
        ...target,
      },
    });
  };
}

const ARN = 'arn:aws:scheduler:us-east-1:111111111111:schedule/reports/hourly';

describe('a schedule of EventBridge Scheduler in a stack', () => {
  test('its time: the target gets the input, with the scheduled time', async () => {
    const world = await start(hourly());
    await advanceBy(world.stack.runtime, world.clock, 2 * HOUR_MS);

    expect(bodiesOf(world, 'fired')).toEqual([
      `{"at":"2026-11-20T10:00:00Z","of":"${ARN}"}`,
      `{"at":"2026-11-20T11:00:00Z","of":"${ARN}"}`,
    ]);
  });

  test('fired by hand: as of now; nothing is left out of what it has', async () => {
    const world = await start(hourly());
    await world.stack.schedules.fire('hourly');

    expect(bodiesOf(world, 'fired')).toEqual([`{"at":"2026-11-20T09:00:00Z","of":"${ARN}"}`]);
    expect(world.stack.schedules.names()).toEqual(['hourly']);
    expect(world.stack.assembly.schedules).toMatchObject([{ arn: ARN, expression: 'rate(1 hours)' }]);
    expect(world.stack.notRun).toEqual([]);
  });

  test('a target that is not there: the input is in the dead-letter queue, with its time', async () => {
    const world = await start(hourly({ arn: 'arn:aws:sqs:us-east-1:222222222222:gone', input: '{}' }));
    await world.stack.schedules.fire('hourly');

    expect(world.stack.queues.peek('lost')).toMatchObject([
      {
        body: '{}',
        messageAttributes: {
          SCHEDULE_ARN: { StringValue: ARN },
          SCHEDULED_TIME: { StringValue: '2026-11-20T09:00:00Z' },
          ERROR_CODE: { StringValue: 'NO_RESOURCE' },
        },
      },
    ]);
  });

  test('any API operation as the target: not run, and said so', async () => {
    const world = await start(hourly({ arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage' }));

    expect(world.stack.notRun).toMatchObject([
      { logicalId: 'Hourly', reason: 'its target is an API operation' },
    ]);
  });
});
