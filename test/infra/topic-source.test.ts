import { CfnParameter, Duration, type Stack } from 'aws-cdk-lib';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { FilterOrPolicy, SubscriptionFilter, Topic } from 'aws-cdk-lib/aws-sns';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  Source,
  type TopicSourceOptions,
} from '../../infra/index';
import { someFunction, synthesized } from '../support/synthesize';

function started(options: TopicSourceOptions = {}, props: Partial<IdempotentWorkflowProps> = {}): Template {
  return synthesized(stack => {
    const step = someFunction(stack);
    const workflow = new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey: '{% $states.input.orderId %}',
      step,
      ...props,
    });
    workflow.startFrom(Source.topic(new Topic(stack, 'Orders'), options));
  });
}

describe('Source.topic', () => {
  test('a queue behind the topic, raw, and a dead-letter queue behind each', () => {
    const template = started();

    template.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'sqs',
      RawMessageDelivery: true,
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('NotDelivered'), 'Arn'] },
      },
      FilterPolicy: Match.absent(),
    });
    template.hasResourceProperties('AWS::SQS::Queue', {
      VisibilityTimeout: 180,
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('NotFinished'), 'Arn'] },
        maxReceiveCount: 5,
      },
    });
    template.allResourcesProperties('AWS::SQS::Queue', { SqsManagedSseEnabled: true });
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });

  test('only SNS, and only for this topic, may send to the queue', () => {
    started().hasResourceProperties('AWS::SQS::QueuePolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: 'sqs:SendMessage',
            Effect: 'Allow',
            Principal: { Service: 'sns.amazonaws.com' },
            Condition: { ArnEquals: { 'aws:SourceArn': { Ref: Match.stringLikeRegexp('Orders') } } },
          }),
        ]),
      },
    });
  });

  test('filters: those of the subscription', () => {
    const shop = SubscriptionFilter.stringFilter({ allowlist: ['eu'] });
    started({ filterPolicy: { shop } }).hasResourceProperties('AWS::SNS::Subscription', {
      FilterPolicy: { shop: ['eu'] },
    });
    const body = { shop: FilterOrPolicy.filter(shop) };
    started({ filterPolicyWithMessageBody: body }).hasResourceProperties('AWS::SNS::Subscription', {
      FilterPolicyScope: 'MessageBody',
      FilterPolicy: { shop: ['eu'] },
    });
  });

  test('a filter out of a file, which has only its conditions: the same', () => {
    const shop = { conditions: ['eu'] };
    started({ filterPolicy: { shop } }).hasResourceProperties('AWS::SNS::Subscription', {
      FilterPolicy: { shop: ['eu'] },
    });
  });

  test('an Express workflow: the queue hides its messages for six times as long as its function may take', () => {
    started({}, { type: 'EXPRESS', timeout: Duration.minutes(2) }).hasResourceProperties('AWS::SQS::Queue', {
      VisibilityTimeout: 750,
    });
  });

  test('its dead-letter queues: have alarms as those of other sources', () => {
    synthesized(stack => {
      const step = someFunction(stack);
      const idempotencyKey = '{% $states.input.orderId %}';
      const workflow = new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step });
      workflow.startFrom(Source.topic(new Topic(stack, 'Orders')));

      const ids = workflow.metricParts.deadLetterQueues.map(({ node }) => node.id);
      expect(ids.sort()).toEqual(['NotDelivered', 'NotFinished']);
    });
  });

  test.each<[string, TopicSourceOptions, RegExp]>([
    ['an option that there is not', { raw: true } as TopicSourceOptions, /has no option `raw`/],
    [
      'two filters, of which CDK takes one',
      {
        filterPolicy: { shop: SubscriptionFilter.existsFilter() },
        filterPolicyWithMessageBody: { shop: FilterOrPolicy.filter(SubscriptionFilter.existsFilter()) },
      },
      /Test\/Pay: `filterPolicy` and `filterPolicyWithMessageBody` cannot be combined/,
    ],
  ])('%s: rejected with the remedy', (_, options, message) => {
    expect(() => started(options)).toThrow(message);
  });

  test.each<[unknown, string]>([
    [2.5, '2.5'],
    ['5', '"5"'],
    [-3, '-3'],
    [0, '0'],
    [2, '2'],
    [1001, '1001'],
  ])('a maxReceiveCount of %p: rejected with its bounds', (maxReceiveCount, got) => {
    expect(() => started({ maxReceiveCount: maxReceiveCount as number })).toThrow(
      'Test/Pay: `maxReceiveCount` of `Source.topic` must be a whole number from 3 to 1000, ' +
        `got ${got}, because resuming a failed execution uses two more receives`,
    );
  });

  test.each<[string, TopicSourceOptions, Partial<IdempotentWorkflowProps>]>([
    ['that are deleted when they are started', { deleteWhen: 'started' }, {}],
    ['of an Express workflow', {}, { type: 'EXPRESS', timeout: Duration.minutes(2) }],
  ])('messages %s: may be received once', (_, options, props) => {
    started({ ...options, maxReceiveCount: 1 }, props).hasResourceProperties('AWS::SQS::Queue', {
      RedrivePolicy: { maxReceiveCount: 1 },
    });

    expect(() => started({ ...options, maxReceiveCount: 0 }, props)).toThrow(
      /must be a whole number from 1 to 1000, got 0$/,
    );
  });

  test('a maxReceiveCount of a parameter: in the template', () => {
    const template = synthesized(stack => {
      const idempotencyKey = '{% $states.input.orderId %}';
      const workflow = new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack) });
      const maxReceiveCount = new CfnParameter(stack, 'Receives', { type: 'Number' }).valueAsNumber;
      workflow.startFrom(Source.topic(new Topic(stack, 'Orders'), { maxReceiveCount }));
    });

    template.hasResourceProperties('AWS::SQS::Queue', {
      RedrivePolicy: { maxReceiveCount: { Ref: 'Receives' } },
    });
  });

  test('a FIFO topic: its queue and the dead-letter queues are FIFO, too, one message at a time', () => {
    const template = synthesized(stack => {
      const idempotencyKey = '{% $states.input.orderId %}';
      const workflow = new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack) });
      workflow.startFrom(Source.topic(new Topic(stack, 'Orders', { fifo: true })));
    });
    const queues = Object.entries(template.findResources('AWS::SQS::Queue'));

    const fifo = queues.filter(([, { Properties }]) => Properties.FifoQueue === true).map(([id]) => id);
    expect(fifo).toHaveLength(3);
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      BatchSize: 1,
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('Messages'), 'Arn'] },
    });
  });

  test('no topic: rejected by what it got', () => {
    const source = (topic: unknown) => (_stack: Stack) => Source.topic(topic as Topic);

    expect(() => synthesized(source('orders'))).toThrow('`Source.topic` takes an SNS topic, got "orders"');
  });
});
