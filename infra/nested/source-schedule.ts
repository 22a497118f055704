import { type Duration, Stack } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnSchedule, CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { sendPolicies } from '../../state-machine/tasks/send-policies';
import { serviceRole } from '../cdk/service-role';

/** When a schedule fires, and what it starts. */
export interface SourceScheduleProps {
  readonly expression: string;
  /** The IANA name of a time zone. @default UTC */
  readonly timeZone?: string;
  /** How much later than its time it may fire. @default - at its time */
  readonly flexibleWindow?: Duration;
  /** What it starts: a state machine, or a queue whose messages start one. */
  readonly target: IStateMachine | IQueue;
  /** For what could not be delivered. */
  readonly deadLetterQueue: IQueue;
}

/**
 * The schedule of a source, in a group of its own: the metrics of EventBridge Scheduler are those of a group.
 *
 * The input has the members of the event of a rule with a schedule, and the same for each firing for one time.
 */
export class SourceSchedule extends Construct {
  private readonly group: CfnScheduleGroup;

  constructor(scope: Construct, id: string, props: SourceScheduleProps) {
    super(scope, id);
    const { target, deadLetterQueue, flexibleWindow, timeZone } = props;
    const { account, region } = Stack.of(this);
    const role = serviceRole(this, 'Role', 'scheduler');
    const queues = 'queueArn' in target ? [target, deadLetterQueue] : [deadLetterQueue];
    if ('stateMachineArn' in target) target.grantStartExecution(role);
    for (const statement of queues.flatMap(sendPolicies)) role.addToPolicy(statement);
    // CDK's own group has a name made of its path, and stays behind under this name when the stack is deleted: the next
    // deployment would fail. CloudFormation's name is another each time.
    this.group = new CfnScheduleGroup(this, 'Group');
    const schedule = new CfnSchedule(this, 'Resource', {
      groupName: this.group.ref,
      scheduleExpression: props.expression,
      ...(timeZone !== undefined && { scheduleExpressionTimezone: timeZone }),
      flexibleTimeWindow: flexibleWindow
        ? { mode: 'FLEXIBLE', maximumWindowInMinutes: flexibleWindow.toMinutes() }
        : { mode: 'OFF' },
      target: {
        arn: 'queueArn' in target ? target.queueArn : target.stateMachineArn,
        roleArn: role.roleArn,
        input: Stack.of(this).toJsonString({
          version: '0',
          'detail-type': 'Scheduled Event',
          source: 'aws.scheduler',
          account,
          time: '<aws.scheduler.scheduled-time>',
          region,
          resources: ['<aws.scheduler.schedule-arn>'],
          detail: {},
        }),
        deadLetterConfig: { arn: deadLetterQueue.queueArn },
      },
    });
    // A schedule whose role may not start anything yet drops its first time.
    schedule.node.addDependency(role, this.group);
  }

  /** Firings that could neither be delivered nor kept in the dead-letter queue. */
  metricLost(): Metric {
    return new Metric({
      namespace: 'AWS/Scheduler',
      metricName: 'InvocationsFailedToBeSentToDeadLetterCount',
      dimensionsMap: { ScheduleGroup: this.group.ref },
      statistic: Stats.SUM,
    });
  }
}
