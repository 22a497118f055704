import { App, Duration, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { CfnEventBus, CfnSubscriber } from 'aws-cdk-lib/aws-eventsv2';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  type CustomEventBusFilter,
  type CustomEventBusSourceOptions,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  OnInProgress,
  Source,
} from '../../infra/index';
import { CHANGED_BY_NO_DELIVERY, FINAL_ERRORS } from '../../state-machine/contract/error-names';
import { definitionIn, newStack, someFunction, statementsOf, synthesized } from '../support/synthesize';

const BUS = 'arn:aws:events:us-east-1:111111111111:event-busv2/orders/1a2b3c4d5e6f7g8h9i0j1k2l3';
const PLACED = { data: { source: ['shop.orders'] } };

function workflow(
  stack: Stack,
  props: Partial<IdempotentWorkflowProps> = {},
  id = 'Pay',
): IdempotentWorkflow {
  const idempotencyKey = '{% $states.input.detail.orderId %}';
  const step = (stack.node.tryFindChild('Charge') as LambdaFunction) ?? someFunction(stack);
  return new IdempotentWorkflow(stack, id, { idempotencyKey, step, ...props });
}

function started(
  filter: CustomEventBusFilter = PLACED,
  options: CustomEventBusSourceOptions = {},
  props: Partial<IdempotentWorkflowProps> = {},
): Template {
  return synthesized(stack => {
    const bus = new CfnEventBus(stack, 'Orders', { name: 'orders' });
    workflow(stack, props).startFrom(Source.customEventBus(bus, filter, options));
  });
}

const subscriberOf = (template: Template) => {
  const [[id = '', resource] = []] = Object.entries(template.findResources('AWS::EventsV2::Subscriber'));
  return { id, dependsOn: [resource?.['DependsOn']].flat(), properties: resource?.['Properties'] };
};

describe('Source.customEventBus', () => {
  test('a subscriber that waits for the dispatcher, event by event, and retries for a day', () => {
    const template = started();

    expect(subscriberOf(template).properties).toEqual({
      Name: 'Test-Pay-SourceOrders-3816708B',
      EventBusArn: { Ref: 'Orders' },
      Type: 'UNORDERED',
      FilterConfiguration: { Filters: [{ Scope: 'DATA', Pattern: '{"source":["shop.orders"]}' }] },
      Transformer: { Type: 'RAW' },
      BatchConfiguration: { MaxBatchSize: 1, MaxBatchWindowInSeconds: 0 },
      InvokeConfiguration: {
        TargetArn: { Ref: expect.stringMatching(/^PaySourceOrdersDispatcher/) },
        RoleArn: { 'Fn::GetAtt': [expect.stringMatching(/^PaySourceOrdersDeliveryRole/), 'Arn'] },
        StepFunctionsParameters: { InvocationType: 'REQUEST_RESPONSE', InvocationTimeoutSeconds: '30' },
      },
      RetryPolicy: { MaxRetryAttempts: 185, MaxEventAgeInSeconds: 86_400 },
      OnFailureConfiguration: {
        Arn: { 'Fn::GetAtt': [expect.stringMatching(/^PaySourceOrdersNotDelivered/), 'Arn'] },
      },
    });
  });

  test('the dispatcher is Express and ends before the bus has waited for 30 seconds', () => {
    const template = started();

    expect(definitionIn(template, /Dispatcher/)).toMatchObject({ TimeoutSeconds: 25 });
    template.hasResourceProperties('AWS::StepFunctions::StateMachine', {
      StateMachineType: 'EXPRESS',
      RoleArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('PaySourceOrdersDispatcher'), 'Arn'] },
    });
  });

  test('only what no other delivery changes is stored; each other error fails, and the bus delivers again', () => {
    const { States } = definitionIn(started(), /Dispatcher/);

    expect(States['For each record']).toMatchObject({
      Catch: [{ ErrorEquals: [...CHANGED_BY_NO_DELIVERY], Next: 'Keep each' }],
    });
    expect(CHANGED_BY_NO_DELIVERY).not.toContain('Idempotency.NotStarted');
  });

  test('the role may start the dispatcher and send dead letters, for subscribers of the account', () => {
    const template = started();

    expect(statementsOf(template, /DeliveryRole/)).toEqual([
      {
        Action: 'states:StartSyncExecution',
        Effect: 'Allow',
        Resource: { Ref: expect.stringMatching(/^PaySourceOrdersDispatcher/) },
      },
      {
        Action: 'sqs:SendMessage',
        Effect: 'Allow',
        Resource: { 'Fn::GetAtt': [expect.stringMatching(/^PaySourceOrdersNotDelivered/), 'Arn'] },
      },
    ]);
    template.hasResourceProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Statement: [
          Match.objectLike({
            Principal: { Service: 'events.amazonaws.com' },
            Condition: {
              StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
              ArnLike: {
                'aws:SourceArn': {
                  'Fn::Join': ['', Match.arrayWith([{ Ref: 'AWS::AccountId' }, ':subscriber/*'])],
                },
              },
            },
          }),
        ],
      },
    });
  });

  test('the subscriber waits for its role, which contains its permissions', () => {
    expect(subscriberOf(started()).dependsOn).toEqual(
      expect.arrayContaining([expect.stringMatching(/^PaySourceOrdersDeliveryRole/)]),
    );
  });

  test('another filter, step or retention: the same names and targets, so that nothing is replaced', () => {
    const { id, properties } = subscriberOf(started());
    const other = subscriberOf(started({ data: { source: ['web'] } }, { batchSize: 5 }, { metrics: true }));

    expect(other.id).toBe(id);
    expect(other.properties.Name).toBe(properties.Name);
    expect(other.properties.InvokeConfiguration).toEqual(properties.InvokeConfiguration);
    expect(other.properties.EventBusArn).toEqual(properties.EventBusArn);
  });

  test('all events of the bus that it still has: no filter, and a point in time', () => {
    const { properties } = subscriberOf(started({}, { startingPosition: 'HORIZON' }));

    expect(properties).not.toHaveProperty('FilterConfiguration');
    expect(properties).toMatchObject({
      StartingPosition: 'POINT_IN_TIME',
      PointInTimeConfiguration: { PointType: 'HORIZON' },
    });
  });

  test('filters of all scopes: one for each', () => {
    const { properties } = subscriberOf(
      started({
        data: { source: ['shop'], $or: [{ detail: { amount: [{ numeric: ['>', 5] }] } }, { region: ['x'] }] },
        metadata: { tenant: ['a'] },
        systemMetadata: { 'aws:DeliveryType': ['LIVE'] },
      }),
    );

    expect(properties.FilterConfiguration.Filters).toEqual([
      {
        Scope: 'DATA',
        Pattern: '{"source":["shop"],"$or":[{"detail":{"amount":[{"numeric":[">",5]}]}},{"region":["x"]}]}',
      },
      { Scope: 'METADATA', Pattern: '{"tenant":["a"]}' },
      { Scope: 'SYSTEM_METADATA', Pattern: '{"aws:DeliveryType":["LIVE"]}' },
    ]);
  });

  describe('an Express workflow', () => {
    const express = (
      options: CustomEventBusSourceOptions = {},
      props: Partial<IdempotentWorkflowProps> = {},
    ) => started(PLACED, options, { type: 'EXPRESS', ...props });
    const statesOfOne = (template: Template) =>
      Object(definitionIn(template, /Dispatcher/).States['For each record']).ItemProcessor.States;

    test('the subscriber waits for the dispatcher, which runs the workflow: no queue of messages, no function', () => {
      const template = express();
      const ofOne = statesOfOne(template);

      expect(subscriberOf(template).properties.InvokeConfiguration).toEqual(
        subscriberOf(started()).properties.InvokeConfiguration,
      );
      expect(definitionIn(template, /Dispatcher/)).toMatchObject({ TimeoutSeconds: 29 });
      expect(Object.keys(ofOne)).toEqual(
        expect.arrayContaining(['Run the workflow', 'Is its end final?', 'Delivered', 'Not finished']),
      );
      expect(ofOne['Run the workflow'].Resource).toMatch(/:aws-sdk:sfn:startSyncExecution$/);
      template.resourceCountIs('AWS::SQS::Queue', 2);
      template.resourceCountIs('AWS::Lambda::EventSourceMapping', 0);
    });

    test('the dispatcher may run the workflow, read its records, and keep events', () => {
      const actions = statementsOf(express(), /Dispatcher/).flatMap(({ Action }) => Action);

      expect(actions).toEqual(
        expect.arrayContaining(['states:StartSyncExecution', 'dynamodb:GetItem', 'sqs:SendMessage']),
      );
      expect(actions).not.toContain('states:StartExecution');
    });

    test('every error by which another delivery ends as well is final, and no other one', () => {
      const rejected = statesOfOne(express())['Has it been done?'].Choices.find(
        ({ Comment }: { Comment: string }) => Comment === 'Rejected for good',
      );

      expect(rejected.Condition).toContain("'Idempotency.InvalidEvent', 'Idempotency.PayloadMismatch'");
      expect([...FINAL_ERRORS].sort()).toEqual(
        [
          'ForeignRecord',
          'InDoubt',
          'InvalidEvent',
          'PayloadMismatch',
          'RecoveryGivenUp',
          'RedrivesExhausted',
          'ResultUnavailable',
          'Stopped',
        ].map(name => `Idempotency.${name}`),
      );
    });

    test.each<[string, Partial<IdempotentWorkflowProps>, number]>([
      ['retries', { retry: { errors: ['Busy'], interval: Duration.seconds(6), maxAttempts: 3 } }, 54],
      ['a wait', { onDuplicateInProgress: OnInProgress.wait(Duration.seconds(25)) }, 25],
      ['a `stepTimeout`', { stepTimeout: Duration.seconds(21) }, 21],
    ])('%s beyond the time that the bus waits: rejected at synthesis', (_, props, seconds) => {
      expect(() => express({}, { timeout: Duration.minutes(5), ...props })).toThrow(
        '`Source.customEventBus` waits 30 seconds for an EXPRESS workflow, so its step must take at most 20 seconds ' +
          `here, got ${seconds}`,
      );
    });

    test('a step of 20 seconds, and 40 events at once: accepted', () => {
      const props = { stepTimeout: Duration.seconds(20) };
      expect(subscriberOf(express({ batchSize: 40 }, props)).properties.BatchConfiguration).toEqual({
        MaxBatchSize: 40,
        MaxBatchWindowInSeconds: 0,
      });
    });

    test('a key that encrypts: the dispatcher may see what the executions answer', () => {
      const template = synthesized(stack => {
        const bus = new CfnEventBus(stack, 'Orders', { name: 'orders' });
        const encryptionKey = new Key(stack, 'Key');
        workflow(stack, { type: 'EXPRESS', encryptionKey }).startFrom(Source.customEventBus(bus, PLACED));
      });
      const contexts = statementsOf(template, /Dispatcher/)
        .filter(({ Action }) => Action === 'kms:Decrypt')
        .map(({ Condition }) => JSON.stringify(Condition));

      expect(contexts).toContainEqual(expect.stringMatching(/PayStateMachine/));
    });
  });

  const dependenciesBetweenSubscribers = (template: Template) =>
    Object.fromEntries(
      Object.entries(template.findResources('AWS::EventsV2::Subscriber')).map(([id, { DependsOn = [] }]) => [
        id.replace(/[0-9A-F]{8}$/, ''),
        [DependsOn]
          .flat()
          .filter((one: string) => /^(Audit|Other|(Pay|Ship).*Subscriber)/.test(one))
          .map((one: string) => one.replace(/[0-9A-F]{8}$/, ''))
          .sort(),
      ]),
    );

  test('subscribers of one bus in a stack: created one after the other, those of the app itself included', () => {
    const template = synthesized(stack => {
      const bus = new CfnEventBus(stack, 'Orders', { name: 'orders' });
      const invokeConfiguration = { targetArn: 'arn', roleArn: 'arn' };
      new CfnSubscriber(stack, 'Audit', {
        name: 'audit',
        eventBusArn: bus.attrEventBusArn,
        invokeConfiguration,
      });
      new CfnSubscriber(stack, 'Other', { name: 'other', eventBusArn: BUS, invokeConfiguration });
      const pay = workflow(stack);
      pay.startFrom(Source.customEventBus(bus, PLACED));
      pay.startFrom(Source.customEventBus(bus, { data: { source: ['web'] } }, { id: 'Web' }));
    });

    expect(dependenciesBetweenSubscribers(template)).toEqual({
      Audit: [],
      Other: [],
      PaySourceOrdersSubscriber: ['Audit'],
      PaySourceWebSubscriber: ['Audit', 'PaySourceOrdersSubscriber'],
    });
  });

  test('subscribers in another order than that of the tree: still one after the other', () => {
    const template = synthesized(stack => {
      const bus = new CfnEventBus(stack, 'Orders', { name: 'orders' });
      const pay = workflow(stack);
      const ship = workflow(stack, {}, 'Ship');
      ship.startFrom(Source.customEventBus(bus, PLACED));
      pay.startFrom(Source.customEventBus(bus, PLACED));
      ship.startFrom(Source.customEventBus(bus, { data: { source: ['web'] } }, { id: 'Web' }));
      pay.startFrom(Source.customEventBus(bus, { data: { source: ['web'] } }, { id: 'Web' }));
    });

    expect(dependenciesBetweenSubscribers(template)).toEqual({
      ShipSourceOrdersSubscriber: [],
      PaySourceOrdersSubscriber: ['ShipSourceOrdersSubscriber'],
      ShipSourceWebSubscriber: ['PaySourceOrdersSubscriber', 'ShipSourceOrdersSubscriber'],
      PaySourceWebSubscriber: [
        'PaySourceOrdersSubscriber',
        'ShipSourceOrdersSubscriber',
        'ShipSourceWebSubscriber',
      ],
    });
  });

  test('the ARN of a bus: its name tells the source from others', () => {
    const template = synthesized(stack => workflow(stack).startFrom(Source.customEventBus(BUS, PLACED)));

    expect(subscriberOf(template).properties).toMatchObject({
      Name: expect.stringMatching(/^Test-Pay-Sourceorders-/),
      EventBusArn: BUS,
    });
  });

  test('the bus of another account in the region: the target and the role are of the account of the workflow', () => {
    const stack = new Stack(new App(), 'Test', { env: { account: '222222222222', region: 'us-east-1' } });

    workflow(stack).startFrom(Source.customEventBus(BUS, PLACED));

    expect(subscriberOf(Template.fromStack(stack)).properties.EventBusArn).toBe(BUS);
  });
});

type Define = (stack: Stack) => unknown;
const given = (value: unknown) => value as never;
const from = (
  filter: unknown,
  options: unknown = {},
  props: Partial<IdempotentWorkflowProps> = {},
): Define => {
  return stack => workflow(stack, props).startFrom(Source.customEventBus(BUS, given(filter), given(options)));
};

test.each<[string, Define, string]>([
  [
    'a classic event bus',
    stack => Source.customEventBus(given(new EventBus(stack, 'Bus')), PLACED),
    'takes a custom event bus, AWS::EventsV2::EventBus, or its ARN, got a classic event bus, AWS::Events::EventBus. ' +
      'Use `Source.eventBridge`',
  ],
  [
    'the ARN of a classic event bus',
    () => Source.customEventBus('arn:aws:events:us-east-1:111111111111:event-bus/orders', PLACED),
    'got a classic event bus, AWS::Events::EventBus. Use `Source.eventBridge`',
  ],
  [
    'a name',
    () => Source.customEventBus('orders', PLACED),
    '`Source.customEventBus` takes a custom event bus, AWS::EventsV2::EventBus, or its ARN, got "orders"',
  ],
  ['no bus', () => Source.customEventBus(given(null), PLACED), 'or its ARN, got null'],
  [
    'a pattern without its scope',
    from({ source: ['shop'] }),
    'the filter of Source.customEventBus has no option `source`. Its options are data, metadata, systemMetadata',
  ],
  ['an empty pattern', from({ data: {} }), '`data` must be an event pattern such as'],
  [
    'a wildcard',
    from({ data: { detail: { name: [{ wildcard: 'a*' }] } } }),
    '`data` must not contain `wildcard`, because custom event buses reject it. Use `prefix` or `suffix`',
  ],
  [
    'a wildcard in anything-but, within $or',
    from({ data: { $or: [{ source: ['a'] }, { source: [{ 'anything-but': { wildcard: 'a*' } }] }] } }),
    '`data` must not contain `wildcard`',
  ],
  [
    'a number in what the bus put beside an event',
    from({ systemMetadata: { 'aws:SequenceNumber': [{ numeric: ['>', 1] }] } }),
    '`systemMetadata` has texts only, so a number matches nothing, got {"numeric":[">",1]}',
  ],
  [
    'a prefix in metadata',
    from({ metadata: { tenant: [{ prefix: 'a' }] } }),
    '`metadata` matches whole texts only, got {"prefix":"a"}',
  ],
  [
    'a filter that is too long',
    from({ data: { source: ['x'.repeat(5000)] } }),
    'the filter of Source.customEventBus must have at most 4096 bytes, got 5015. Use a shorter pattern',
  ],
  ['an unknown option', from(PLACED, { kep: [] }), 'has no option `kep`. Did you mean `keep`?'],
  [
    'another member',
    from(PLACED, { keep: ['replay-name'] }),
    '`keep` must be a list of these names: id, time',
  ],
  [
    'a batch of none',
    from(PLACED, { batchSize: 0 }),
    '`batchSize` must be a whole number from 1 to 100, got 0',
  ],
  ['a batch of 101', from(PLACED, { batchSize: 101 }), '`batchSize` must be a whole number from 1 to 100'],
  [
    'a batch of more events than run at the same time, for an Express workflow',
    from(PLACED, { batchSize: 41 }, { type: 'EXPRESS' }),
    '`batchSize` must be at most 40 for an EXPRESS workflow, got 41.',
  ],
  [
    'a key out of a member that is left out, of an Express workflow',
    from(PLACED, {}, { type: 'EXPRESS', idempotencyKey: '{% $states.input.id %}' }),
    'differs between deliveries of one event, so this source leaves it out of events',
  ],
  [
    'a position of streams',
    from(PLACED, { startingPosition: 'TRIM_HORIZON' }),
    "`startingPosition` must be 'LATEST' or 'HORIZON', got \"TRIM_HORIZON\"",
  ],
  [
    'a key out of a member that is left out',
    from(PLACED, {}, { idempotencyKey: '{% $states.input.id %}' }),
    'differs between deliveries of one event, so this source leaves it out of events',
  ],
  [
    'a bus of another region',
    () => {
      const stack = new Stack(new App(), 'Test', { env: { account: '111111111111', region: 'eu-west-1' } });
      workflow(stack).startFrom(Source.customEventBus(BUS, PLACED));
    },
    '`Source.customEventBus` must be in the region of the stack, eu-west-1',
  ],
])('%s: rejected with the remedy', (_, define, message) => {
  expect(() => define(newStack())).toThrow(message);
});

test('the compiler tells both kinds of bus apart', () => {
  const stack = newStack();
  const classic = new EventBus(stack, 'Classic');
  const custom = new CfnEventBus(stack, 'Custom', { name: 'orders' });

  // @ts-expect-error a classic event bus is not a custom one
  expect(() => Source.customEventBus(classic, PLACED)).toThrow('got a classic event bus');
  // @ts-expect-error a custom event bus is not a classic one
  expect(() => Source.eventBridge(custom, { source: ['shop'] })).toThrow('got a custom event bus');
});
