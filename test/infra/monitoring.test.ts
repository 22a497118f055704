import { Duration } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import type { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  Monitoring,
  type MonitoringProps,
  RecordStream,
  Recovery,
  Source,
} from '../../infra/index';
import { newStack, someFunction } from '../support/synthesize';

function monitored(
  props: Partial<IdempotentWorkflowProps> = {},
  more: Omit<MonitoringProps, 'workflow'> = {},
) {
  const stack = newStack();
  const idempotencyKey = '{% $states.input.detail.orderId %}';
  const step = someFunction(stack);
  const workflow = new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step, metrics: true, ...props });
  workflow.startFrom(Source.eventBridge(new EventBus(stack, 'Bus'), { source: ['shop'] }));
  return { stack, workflow, monitoring: new Monitoring(stack, 'Monitoring', { workflow, ...more }) };
}

const namesOf = ({ alarms }: Monitoring) => alarms.map(({ node }) => node.id);

describe('Monitoring', () => {
  test('a Standard workflow with a bus: an alarm for each thing that can go wrong, and a dashboard', () => {
    const { stack, monitoring } = monitored();
    expect(namesOf(monitoring)).toEqual([
      'DeadLettersSourceBusNotStarted',
      'DeadLettersSourceBusNotDelivered',
      'EventsLostSourceBusRule',
      'NotStarted',
      'StartRetries',
      'InDoubt',
      'ClaimLost',
      'Rejected',
      'RecoveryGivenUp',
      'OldestUnfinished',
      'StepFailureRate',
      'TableThrottled',
      'TransitionsThrottled',
      'FunctionErrors',
    ]);
    const template = Template.fromStack(stack);
    template.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
    // Nothing that has not happened is an alarm.
    template.allResourcesProperties('AWS::CloudWatch::Alarm', { TreatMissingData: 'notBreaching' });
  });

  test('an Express workflow: without what it has not', () => {
    const names = namesOf(monitored({ type: 'EXPRESS' }).monitoring);
    expect(names).not.toEqual(expect.arrayContaining(['NotStarted']));
    expect(names).not.toEqual(expect.arrayContaining(['StartRetries']));
    // Its queue has a function, whose messages that are not finished are kept.
    expect(names).toEqual(expect.arrayContaining(['FunctionErrors', 'DeadLettersSourceBusNotFinished']));
    expect(names).not.toEqual(expect.arrayContaining(['TransitionsThrottled']));
  });

  test('without recovery: a death is an alarm, and there is nothing that is given up', () => {
    const names = namesOf(monitored({ recovery: Recovery.none() }).monitoring);
    expect(names).toEqual(expect.arrayContaining(['Interrupted']));
    expect(names).not.toEqual(expect.arrayContaining(['RecoveryGivenUp']));
  });

  test.each([
    ['the default bus, by its name', EventBus.fromEventBusName, 'default', ['RuleName']],
    ['a bus of a partner', EventBus.fromEventBusName, 'aws.partner/shop/1', ['EventBusName', 'RuleName']],
  ])('lost events of %s: the dimensions that EventBridge tells of', (_, from, name, dimensions) => {
    const { stack, workflow } = monitored();
    workflow.startFrom(Source.eventBridge(from(stack, 'Given', name), { source: ['shop'] }));
    const lost = workflow.metricParts.rules[1]?.metricLost().dimensions ?? {};

    expect(Object.keys(lost).sort()).toEqual(dimensions);
    const index = name.startsWith('aws') ? 4 : 1;
    expect(stack.resolve(lost['RuleName'])).toMatchObject({ 'Fn::Select': [index, expect.anything()] });
  });

  test('with recovery: how old a key may be is twice the longest run, and what recovery takes', () => {
    const { stack } = monitored({ recovery: Recovery.automatic({ searchEvery: Duration.minutes(30) }) });
    // A run of the longest is the step's 33 seconds, the wait for the end of it, .
    Template.fromStack(stack).hasResourceProperties('AWS::CloudWatch::Alarm', {
      Metrics: [
        { MetricStat: { Metric: { MetricName: 'OldestUnfinished' }, Stat: 'Maximum', Period: 1800 } },
      ],
      Threshold: 2 * 2 * 33 + 10 + 60 * (1 + 2 + 4 + 8 + 16 + 32 + 60),
      EvaluationPeriods: 2,
      DatapointsToAlarm: 1,
    });
  });

  test('a chain: no age is too old unless an option says so, or it has a timeout', () => {
    const chain = (props: Partial<IdempotentWorkflowProps>, more: Omit<MonitoringProps, 'workflow'> = {}) => {
      const stack = newStack();
      const step = Wait.jsonata(stack, 'Wait', { time: WaitTime.duration(Duration.days(3)) });
      const [idempotencyKey, recovery] = ['{% $states.input.id %}', Recovery.automatic()];
      const given = { idempotencyKey, step, recovery, metrics: true, ...props };
      const workflow = new IdempotentWorkflow(stack, 'Pay', given);
      const { alarms } = new Monitoring(stack, 'Monitoring', { workflow, ...more });
      const alarm = alarms.find(({ node }) => node.id === 'OldestUnfinished');
      return alarm && (alarm.node.defaultChild as CfnAlarm).threshold;
    };
    expect(chain({})).toBeUndefined();
    expect(chain({}, { oldestUnfinished: Duration.days(4) })).toBe(4 * 86_400);
    expect(chain({ timeout: Duration.days(4) })).toBe(2 * 4 * 86_400 + 7390);
  });

  test.each([5, Duration.seconds(0)])('an age of %s: rejected', age => {
    const given = age as Duration;
    for (const option of ['oldestUnfinished', 'oldestRecord']) {
      expect(() => monitored({}, { [option]: given })).toThrow(
        `\`${option}\` must be a Duration such as Duration.hours(3), got`,
      );
    }
  });

  test('a pipe fires an alarm when it fails, and when its records get old', () => {
    const stack = newStack();
    const idempotencyKey =
      '{% $exists($states.input.data) ? $states.input.data.id : $states.input.dynamodb.Keys.id.S %}';
    const step = someFunction(stack);
    const workflow = new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step, metrics: true });
    const [startingPosition, stream] = ['LATEST' as const, new Stream(stack, 'Clicks')];
    const dynamoDb = {
      tableArn: 'arn:aws:dynamodb:us-east-1:111111111111:table/T',
      tableStreamArn: 'arn:aws:dynamodb:us-east-1:111111111111:table/t/stream/2026',
    };
    const table = Table.fromTableAttributes(stack, 'Table', dynamoDb);
    workflow.startFrom(Source.pipe(RecordStream.kinesis(stream, { startingPosition })));
    workflow.startFrom(Source.pipe(RecordStream.dynamoDb(table, { startingPosition })));
    const oldestRecord = Duration.hours(2);

    const names = namesOf(new Monitoring(stack, 'Monitoring', { workflow, oldestRecord }));

    expect(names.filter(name => /Pipe|Record/.test(name))).toEqual([
      'PipeFailuresSourceClicksPipe',
      'PipeFailuresSourceTablePipe',
      'OldestRecordClicks',
    ]);
    const template = Template.fromStack(stack);
    const of = (metricName: string) => ({
      MetricStat: {
        Metric: {
          Namespace: 'AWS/EventBridge/Pipes',
          MetricName: metricName,
          Dimensions: [{ Name: 'PipeName', Value: { Ref: Match.stringLikeRegexp('^PaySourceClicksPipe') } }],
        },
        Stat: 'Sum',
        Period: 300,
      },
    });
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Metrics: Match.arrayWith(
        ['ExecutionFailed', 'ExecutionTimeout', 'ExecutionThrottled'].map(name => Match.objectLike(of(name))),
      ),
      Threshold: 1,
      EvaluationPeriods: 3,
    });
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/Kinesis',
      MetricName: 'GetRecords.IteratorAgeMilliseconds',
      Dimensions: [{ Name: 'StreamName', Value: { Ref: Match.stringLikeRegexp('^Clicks') } }],
      Statistic: 'Maximum',
      Threshold: 7_200_000,
    });
  });

  test('an age of records, and no stream whose age AWS measures: rejected', () => {
    expect(() => monitored({}, { oldestRecord: Duration.hours(2) })).toThrow(
      'Test/Monitoring: `oldestRecord` needs a Source.pipe with a Kinesis stream',
    );
  });

  test('a queue: the queue that it gives up to', () => {
    const { stack, workflow } = monitored();
    const unread = new Queue(stack, 'Unread');
    const queue = new Queue(stack, 'Orders', { deadLetterQueue: { queue: unread, maxReceiveCount: 5 } });
    workflow.startFrom(Source.queue(queue));
    const again = new Monitoring(stack, 'Again', { workflow });
    expect(namesOf(again)).toEqual(expect.arrayContaining(['DeadLettersUnread']));
  });

  test('from what on they fire, and on which counts: as the page of alarms says', () => {
    const alarms = Template.fromStack(monitored().stack).findResources('AWS::CloudWatch::Alarm');
    const alarm = (name: string) =>
      Object.entries(alarms).find(([id]) => id.startsWith(`Monitoring${name}`))?.[1]['Properties'];
    const countsOf = (name: string) =>
      (
        alarm(name).Metrics as readonly {
          readonly MetricStat?: { readonly Metric: { readonly MetricName: string } };
        }[]
      )
        .flatMap(({ MetricStat }) => MetricStat?.Metric.MetricName ?? [])
        .sort();

    expect(alarm('StartRetries')).toMatchObject({ Threshold: 10, EvaluationPeriods: 3 });
    expect(alarm('FunctionErrors')).toMatchObject({ Threshold: 3, EvaluationPeriods: 1 });
    expect(JSON.stringify(alarm('StepFailureRate').Metrics)).toContain('IF(runs >= 10,');
    expect(countsOf('TableThrottled')).toEqual(['ReadThrottleEvents', 'WriteThrottleEvents']);
    expect(countsOf('Rejected')).toEqual([
      'ForeignRecord',
      'InvalidEvent',
      'PayloadMismatch',
      'ResultUnavailable',
    ]);
  });

  test('many sources: an alarm is about ten metrics at most, as CloudWatch takes no more', () => {
    const { stack, workflow } = monitored();
    for (const id of ['A', 'B', 'C', 'D', 'E']) {
      const deadLetterQueue = { queue: new Queue(stack, `Dead${id}`), maxReceiveCount: 5 };
      workflow.startFrom(Source.queue(new Queue(stack, id, { deadLetterQueue })));
    }

    const names = namesOf(new Monitoring(stack, 'Again', { workflow, dashboard: false }));

    // Six dispatchers; for each queue two functions, and one that redrives.
    expect(names.filter(name => /^(NotStarted|FunctionErrors)/.test(name))).toEqual([
      'NotStarted',
      'NotStarted2',
      'FunctionErrors',
      'FunctionErrors2',
      'FunctionErrors3',
    ]);
  });

  test('actions: each alarm has them; `except` leaves alarms out; no dashboard where none is wanted', () => {
    const stack = newStack();
    const topic = new Topic(stack, 'OnCall');
    const step = someFunction(stack);
    const workflow = new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey: '{% $states.input.id %}',
      step,
      metrics: true,
    });
    const { alarms, dashboard } = new Monitoring(stack, 'Monitoring', {
      workflow,
      actions: [new SnsAction(topic)],
      except: ['Rejected', 'TableThrottled'],
      stepFailurePercent: 50,
      dashboard: false,
    });
    expect(alarms.map(({ node }) => node.id)).not.toEqual(expect.arrayContaining(['Rejected']));
    expect(dashboard).toBeUndefined();
    const template = Template.fromStack(stack);
    template.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
    template.allResourcesProperties('AWS::CloudWatch::Alarm', {
      AlarmActions: [stack.resolve(topic.topicArn) as unknown],
    });
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Threshold: 50,
      AlarmDescription: Match.stringLikeRegexp('^Pay: the business step fails in at least 50 percent'),
    });
  });

  test('one source of two workflows: each has the queues of its own', () => {
    const { stack, workflow } = monitored();
    const source = Source.eventBridge(new EventBus(stack, 'Shared'), { source: ['shop'] });
    const [idempotencyKey, step] = ['{% $states.input.detail.id %}', someFunction(newStack())];
    new IdempotentWorkflow(stack, 'Other', { idempotencyKey, step }).startFrom(source);
    workflow.startFrom(source);
    expect(workflow.metricParts.deadLetterQueues.map(({ node }) => node.path)).toEqual([
      'Test/Pay/SourceBus/NotStarted',
      'Test/Pay/SourceBus/NotDelivered',
      'Test/Pay/SourceShared/NotStarted',
      'Test/Pay/SourceShared/NotDelivered',
    ]);
  });

  test('a workflow whose log is not counted: rejected, with the remedy', () => {
    expect(() => monitored({ metrics: false })).toThrow(/needs `metrics`: true for the metric/);
  });

  test.each([0, 101, Number.NaN])('a failure rate of %s percent: rejected', stepFailurePercent => {
    expect(() => monitored({}, { stepFailurePercent })).toThrow(
      `\`stepFailurePercent\` must be above 0 and at most 100, got ${stepFailurePercent}`,
    );
  });

  test('an option that there is not: rejected', () => {
    expect(() => monitored({}, { topic: 1 } as object)).toThrow(/Monitoring has no option `topic`/);
  });

  test('a source that is added behind it: rejected at synth', () => {
    const { stack, workflow } = monitored();
    workflow.startFrom(Source.eventBridge(new EventBus(stack, 'Other'), { source: ['shop'] }));
    expect(() => Template.fromStack(stack)).toThrow(/Create it after the last `startFrom`/);
  });

  test('two workflows: in one graph none of their expressions is the other one', () => {
    const { stack, workflow } = monitored();
    const step = someFunction(newStack());
    const idempotencyKey = '{% $states.input.id %}';
    const other = new IdempotentWorkflow(stack, 'Other', { idempotencyKey, step, metrics: true });
    const ids = [workflow, other].flatMap(one => Object.keys(one.metricInterrupted().usingMetrics));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
