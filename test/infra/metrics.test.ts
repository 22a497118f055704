import { Template } from 'aws-cdk-lib/assertions';
import type { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { LogLevel } from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentWorkflow, type IdempotentWorkflowProps, Recovery, Source } from '../../infra/index';
import { newStack, someFunction } from '../support/synthesize';

function workflow(props: Partial<IdempotentWorkflowProps> = {}) {
  const stack = newStack();
  const idempotencyKey = '{% $states.input.detail.orderId %}';
  return {
    stack,
    workflow: new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack), ...props }),
  };
}

const fromBus = () => {
  const made = workflow({ metrics: true });
  const bus = new EventBus(made.stack, 'Bus');
  made.workflow.startFrom(Source.eventBridge(bus, { source: ['shop'] }));
  return made;
};

const logGroupsOf = (template: Template) => Object.keys(template.findResources('AWS::Logs::LogGroup'));

describe('the metrics of a workflow', () => {
  test('without `metrics`: nothing is logged or counted', () => {
    const { stack } = workflow();
    const template = Template.fromStack(stack);
    expect(logGroupsOf(template)).toEqual([expect.stringMatching(/^OnceflowFunctionLogs/)]);
    template.resourceCountIs('AWS::Logs::MetricFilter', 0);
  });

  test('with `metrics`: all is logged without data, and counted under the name of the state machine', () => {
    const template = Template.fromStack(workflow({ metrics: true }).stack);
    template.hasResourceProperties('AWS::StepFunctions::StateMachine', {
      LoggingConfiguration: { Level: 'ALL', IncludeExecutionData: false },
    });
    const filters = Object.values(template.findResources('AWS::Logs::MetricFilter'));
    const namespaces = filters.map(
      ({ Properties }) => Properties.MetricTransformations[0].MetricNamespace as unknown,
    );
    expect(new Set(namespaces.map(one => JSON.stringify(one)))).toEqual(
      new Set([
        JSON.stringify({
          'Fn::Join': ['', ['Onceflow/', { 'Fn::GetAtt': ['PayStateMachine335B2EFE', 'Name'] }]],
        }),
      ]),
    );
    // CloudWatch takes no longer pattern.
    const longest = Math.max(...filters.map(({ Properties }) => Properties.FilterPattern.length as number));
    expect(longest).toBeLessThanOrEqual(1024);
  });

  test.each([undefined, LogLevel.ERROR])('`logs` at level %s with `metrics`: rejected', level => {
    const stack = newStack();
    const logs = { destination: new LogGroup(stack, 'Own'), ...(level && { level }) };
    expect(() => workflow({ metrics: true, logs })).toThrow(/`level`: LogLevel.ALL, got ERROR/);
  });

  test('`logs` of the own at level ALL: the filters are there', () => {
    const stack = newStack();
    const destination = new LogGroup(stack, 'Own');
    const step = someFunction(stack);
    const logs = { destination, level: LogLevel.ALL };
    new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey: '{% $states.input.id %}',
      step,
      metrics: true,
      logs,
    });
    const template = Template.fromStack(stack);
    expect(logGroupsOf(template)).toEqual([
      expect.stringMatching(/^Own/),
      expect.stringMatching(/^OnceflowFunctionLogs/),
    ]);
    template.allResourcesProperties('AWS::Logs::MetricFilter', {
      LogGroupName: stack.resolve(destination.logGroupName) as unknown,
    });
  });

  test.each<[string, (of: IdempotentWorkflow) => Metric | MathExpression]>([
    ['in progress', of => of.metricInProgress()],
    ['interrupted', of => of.metricInterrupted()],
    ['start retries', of => of.metricStartRetries()],
  ])('%s without `metrics`: rejected, with the remedy', (_, metricOf) => {
    expect(() => metricOf(workflow().workflow)).toThrow(/needs `metrics`: true for the metric/);
  });

  test('notices and lost events: where there is a destination, and a rule', () => {
    const { workflow: alone, stack } = workflow({ metrics: true });
    expect(() => alone.metricNoticesSent()).toThrow('`metricNoticesSent` needs `onFailure`');
    expect(() => alone.metricNoticesUnsent()).toThrow('`metricNoticesUnsent` needs `onFailure`');
    expect(() => alone.metricEventsLost()).toThrow('`metricEventsLost` needs an EventBridge rule');
    expect(() => alone.metricPipeFailures()).toThrow('`metricPipeFailures` needs a pipe as source');
    expect(Object.keys(fromBus().workflow.metricEventsLost().usingMetrics)).toHaveLength(1);
    // A metric filter that was not requested is $0.30 a month.
    const names = JSON.stringify(Template.fromStack(stack).findResources('AWS::Logs::MetricFilter'));
    expect(names).not.toContain('Notices');
  });

  test('the age of the oldest unfinished key: of recovery, and with `metrics` only', () => {
    const recovery = Recovery.automatic();
    const ageOf = (props: Partial<IdempotentWorkflowProps>) =>
      workflow(props).workflow.metricOldestUnfinished();
    expect(() => ageOf({ metrics: true, recovery: Recovery.none() })).toThrow(/needs `recovery`/);
    expect(() => ageOf({ recovery })).toThrow(/needs `metrics`: true for the metric/);
    expect(ageOf({ metrics: true, recovery })).toMatchObject({ statistic: 'Maximum', unit: undefined });
  });

  test('without a source: what sources do is rejected, and deliveries are the executions', () => {
    const { workflow: alone, stack } = workflow({ metrics: true });
    expect(() => alone.metricStoppedByName()).toThrow(
      '`metricStoppedByName` needs a STANDARD workflow with a source',
    );
    expect(() => alone.metricNotStarted()).toThrow(
      '`metricNotStarted` needs a STANDARD workflow with a source',
    );
    expect(() => alone.metricDeadLetters()).toThrow('`metricDeadLetters` needs a source');
    const { usingMetrics } = alone.metricDeliveries();
    expect(stack.resolve((Object.values(usingMetrics)[0] as Metric).dimensions)).toEqual({
      StateMachineArn: { Ref: 'PayStateMachine335B2EFE' },
    });
  });

  test('dead letters: those of the sources, also the queue that a queue gives up to', () => {
    const { workflow: pay, stack } = fromBus();
    const queue = new Queue(stack, 'Unread');
    const read = new Queue(stack, 'Read', { deadLetterQueue: { queue, maxReceiveCount: 3 } });
    expect(Object.keys(pay.metricDeadLetters().usingMetrics)).toHaveLength(2);
    pay.startFrom(Source.queue(read));
    expect(Object.keys(pay.metricDeadLetters().usingMetrics)).toHaveLength(3);
  });

  test('options: taken as by every metric of CDK', () => {
    const metric = fromBus().workflow.metricInProgress({ label: 'Busy', statistic: 'Average' });
    expect(metric).toMatchObject({ label: 'Busy', statistic: 'Average' });
  });
});
