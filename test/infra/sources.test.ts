import { App, Duration, Fn, Stack, TimeZone } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { EventBus, Schedule } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  type IScheduleExpression,
  type IWorkflowSource,
  Key as KeyOf,
  RecordTable,
  Recovery,
  type ScheduleSourceOptions,
  Source,
} from '../../infra/index';
import { allowed, definitionIn, newStack, someFunction, synthesized } from '../support/synthesize';

function started(
  source: (stack: Stack) => IWorkflowSource,
  props: Partial<IdempotentWorkflowProps> = {},
): Template {
  return synthesized(stack => {
    const idempotencyKey = '{% $states.input.detail.id %}';
    const step = someFunction(stack);
    new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step, ...props }).startFrom(source(stack));
  });
}

const bus = (stack: Stack) => Source.eventBridge(new EventBus(stack, 'Bus'), { source: ['shop'] });

describe('Source.eventBridge', () => {
  test('an Express dispatcher behind the rule, a dead-letter queue behind each', () => {
    const template = started(bus);

    template.resourceCountIs('AWS::SQS::Queue', 2);
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { source: ['shop'] },
      Targets: [{ DeadLetterConfig: {} }],
    });
    template.hasResourceProperties('AWS::StepFunctions::StateMachine', { StateMachineType: 'EXPRESS' });
  });

  test('the dispatcher: may read records, start the workflow and keep events, and write its log', () => {
    const statements = allowed(started(bus), /DispatcherStateMachineRole/);

    expect(statements.map(statement => statement.split(' ')[0])).toEqual(
      expect.arrayContaining(['dynamodb:GetItem', 'states:StartExecution', 'sqs:SendMessage']),
    );
    const others = statements.filter(statement => !/^(dynamodb|states|sqs):/.test(statement));
    expect(others).toEqual([expect.stringMatching(/^logs:CreateLogDelivery/)]);
  });

  test("a table with a customer's key: the dispatcher may read what it encrypts, and write nothing", () => {
    const template = synthesized(stack => {
      const table = new RecordTable(stack, 'Records', { encryptionKey: new Key(stack, 'Key') });
      const workflow = { idempotencyKey: '{% $states.input.detail.id %}', step: someFunction(stack), table };
      new IdempotentWorkflow(stack, 'Pay', workflow).startFrom(bus(stack));
    });
    const statements = allowed(template, /DispatcherStateMachineRole/);

    expect(statements.filter(statement => statement.startsWith('kms:'))).toEqual([
      expect.stringMatching(/^kms:Decrypt \{"Fn::GetAtt":\["Key/),
    ]);
  });

  test('dead-letter queues: encrypted, over TLS only, kept for 14 days', () => {
    const template = started(bus);

    template.allResourcesProperties('AWS::SQS::Queue', {
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 86_400,
    });
    template.allResourcesProperties('AWS::SQS::QueuePolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Deny',
            Action: 'sqs:*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ]),
      },
    });
    template.resourceCountIs('AWS::SQS::QueuePolicy', 2);
  });

  test('the logs of the dispatcher: errors, no data', () => {
    started(bus).hasResourceProperties('AWS::StepFunctions::StateMachine', {
      LoggingConfiguration: { Level: 'ERROR', IncludeExecutionData: false },
    });
  });

  test('an Express workflow: started itself, as it has no names', () => {
    started(bus, { type: 'EXPRESS' }).resourceCountIs('AWS::StepFunctions::StateMachine', 1);
  });

  test.each([
    ['the key', { idempotencyKey: '{% $states.input.id %}' }],
    ['a part of the key', { idempotencyKey: ['{% $states.input.detail.a %}', '{% $states.input.time %}'] }],
    ['the payload', { payload: '{% $states.input.time %}' }],
  ])('%s reads what is left out: rejected with the remedy', (_, props) => {
    expect(() => started(bus, props)).toThrow(
      /^Test\/Pay: \$states\.input\.(id|time) differs between deliveries.*keep: \['(id|time)'\]/,
    );
  });

  test.each([
    '{% $states.input %}',
    '{% $lookup($states.input, $states.input.detail.name) %}',
    '{% $count($states.input.*) %}',
  ])(
    'a payload as the key that takes the input as a whole, %s: rejected, as what differs is in it',
    payload => {
      expect(() => started(bus, { idempotencyKey: KeyOf.ofPayload(payload) })).toThrow(
        /^Test\/Pay: `Key\.ofPayload` must name members of \$states\.input.*the whole input contains id, time/,
      );
    },
  );

  test('a payload as the key that names members: accepted, but none that is left out', () => {
    const key = (payload: string) => ({ idempotencyKey: KeyOf.ofPayload(payload) });

    expect(() =>
      started(bus, key("{% {'a': $states.input.detail.a, 'b': $states.input.source} %}")),
    ).not.toThrow();
    expect(() => started(bus, key('{% $states.input.detail.{"at": $states.input.time} %}'))).toThrow(
      /\$states\.input\.time differs between deliveries/,
    );
  });

  test('the context as a key: rejected, as the dispatcher has one of its own', () => {
    expect(() =>
      started(bus, { idempotencyKey: '{% $states.context.Execution.Name %}', recovery: Recovery.none() }),
    ).toThrow(/^Test\/Pay: `idempotencyKey` or `payload` reads \$states\.context/);
  });

  test('all retries of the dispatcher together: within the five minutes of an Express execution', () => {
    const { States } = definitionIn(started(bus), /Dispatcher/);
    const worst = (name: string) => {
      const state = States[name] as unknown as { TimeoutSeconds: number; Retry: Record<string, number>[] };
      const {
        IntervalSeconds = 1,
        MaxAttempts = 0,
        BackoffRate = 1,
        MaxDelaySeconds = 0,
      } = state.Retry[1] ?? {};
      const delays = Array.from({ length: MaxAttempts }, (_, n) =>
        Math.min(IntervalSeconds * BackoffRate ** n, MaxDelaySeconds),
      );
      return state.TimeoutSeconds * (MaxAttempts + 1) + delays.reduce((sum, delay) => sum + delay, 0);
    };

    const path = ['Start by key', 'Read record', 'Start again', 'Keep the event'];
    expect(path.reduce((sum, name) => sum + worst(name), 0)).toBeLessThan(270);
    expect(worst('Start by key')).toBeGreaterThan(100);
  });

  test('whatever fails before a start leads to a start without a key, or to the dead-letter queue', () => {
    const { StartAt, States } = definitionIn(started(bus), /Dispatcher/);
    const { Catch } = States[StartAt] as unknown as { Catch: { ErrorEquals: string[]; Next: string }[] };

    expect(Catch).toEqual([
      expect.objectContaining({ ErrorEquals: ['States.DataLimitExceeded'], Next: 'Keep the event' }),
      expect.objectContaining({ ErrorEquals: ['States.ALL'], Next: 'Start without a key' }),
    ]);
    for (const name of ['Start by key', 'Start again', 'Start without a key']) {
      expect(States[name]).toMatchObject({
        Catch: expect.arrayContaining([
          expect.objectContaining({ ErrorEquals: ['States.ALL'], Next: 'Keep the event' }),
        ]) as unknown,
      });
    }
  });

  test('an Express workflow: a queue keeps the event, and the rules of the account may send to it', () => {
    const template = started(bus, { type: 'EXPRESS' });

    template.hasResourceProperties('AWS::Events::Rule', {
      Targets: [
        Match.objectLike({
          Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('Messages'), 'Arn'] },
          RoleArn: Match.absent(),
        }),
      ],
    });
    template.hasResource('AWS::Events::Rule', {
      DependsOn: Match.arrayWith([Match.stringLikeRegexp('MessagesPolicy')]),
    });
    template.hasResourceProperties('AWS::SQS::QueuePolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: 'sqs:SendMessage',
            Effect: 'Allow',
            Principal: { Service: 'events.amazonaws.com' },
            Condition: {
              StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
              ArnLike: { 'aws:SourceArn': Match.anyValue() },
            },
          }),
        ]),
      },
    });
  });

  test('an Express workflow: a key out of what differs between sendings is rejected, the whole event as payload warned of', () => {
    const express = (props: Partial<IdempotentWorkflowProps>) => () =>
      started(bus, { type: 'EXPRESS', ...props });

    expect(express({ idempotencyKey: '{% $states.input.id %}' })).toThrow(
      /of one event; got .* \{ keep: \['id'\] \}/,
    );
    expect(express({ payload: '{% $states.input.time %}' })).toThrow(/\{ keep: \['time'\] \}/);
    const stack = newStack();
    const workflow = new IdempotentWorkflow(stack, 'Pay', {
      ...{ type: 'EXPRESS', idempotencyKey: '{% $states.input.detail.id %}', payload: '{% $states.input %}' },
      step: someFunction(stack),
    });
    workflow.startFrom(bus(stack));
    Annotations.fromStack(stack).hasWarning(
      '*',
      Match.stringLikeRegexp('sent again is rejected as another payload'),
    );
  });

  test('what is kept may be read', () => {
    const keeping = (stack: Stack) =>
      Source.eventBridge(new EventBus(stack, 'Bus'), { source: ['shop'] }, { keep: ['id'] });
    const template = started(keeping, { idempotencyKey: '{% $states.input.id %}' });

    const input = JSON.stringify(definitionIn(template, /Dispatcher/).States['Start by key']);
    expect(input).toContain("$name in ['time', 'replay-name']");
  });
});

describe('Source.schedule', () => {
  const hourly = (options?: ScheduleSourceOptions) => () =>
    Source.schedule(Schedule.rate(Duration.hours(1)), options);
  const time = { idempotencyKey: '{% $states.input.time %}' };

  test('a schedule of EventBridge Scheduler: the scheduled time is in the input, nothing else differs', () => {
    const template = started(hourly(), time);

    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'rate(1 hour)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      GroupName: Match.anyValue(),
      Target: { Arn: Match.anyValue(), DeadLetterConfig: Match.anyValue() },
    });
    const [schedule] = Object.values(template.findResources('AWS::Scheduler::Schedule'));
    const input = JSON.stringify(schedule?.['Properties'].Target.Input);
    expect(input.replaceAll('\\', '')).toContain('"time":"<aws.scheduler.scheduled-time>"');
    expect(input).not.toMatch(/execution-id|attempt-number/);
    const { States } = definitionIn(template, /Dispatcher/);
    expect(States['Start by key']).toMatchObject({ Arguments: { Input: '{% $states.input %}' } });
  });

  test('its role: may start the dispatcher and keep what it could not, for schedules of its account', () => {
    const template = started(hourly(), time);
    const statements = allowed(template, /ScheduleRole/).map(statement => statement.split(' ')[0]);

    expect(new Set(statements)).toEqual(new Set(['states:StartExecution', 'sqs:SendMessage']));
    template.hasResourceProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Statement: [
          Match.objectLike({
            Principal: { Service: 'scheduler.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
        ],
      },
    });
  });

  test.each<[string, IScheduleExpression, ScheduleSourceOptions, object]>([
    [
      'a zone of its own',
      ScheduleExpression.cron({ hour: '8', timeZone: TimeZone.EUROPE_BERLIN }),
      {},
      { ScheduleExpressionTimezone: 'Europe/Berlin' },
    ],
    [
      'the zone of the option',
      Schedule.cron({ hour: '8' }),
      { timeZone: TimeZone.ASIA_TOKYO },
      { ScheduleExpressionTimezone: 'Asia/Tokyo' },
    ],
    [
      'the zone of the option, over the default of CDK',
      ScheduleExpression.expression('cron(0 8 * * ? *)'),
      { timeZone: TimeZone.ASIA_TOKYO },
      { ScheduleExpressionTimezone: 'Asia/Tokyo' },
    ],
    [
      'the zone of the option, which the deployment knows',
      ScheduleExpression.rate(Duration.days(1)),
      { timeZone: TimeZone.of(Fn.importValue('zone')) },
      { ScheduleExpressionTimezone: { 'Fn::ImportValue': 'zone' } },
    ],
    [
      'a one-time schedule',
      ScheduleExpression.at(new Date('2026-12-24T18:00:00Z')),
      {},
      { ScheduleExpression: 'at(2026-12-24T18:00:00)' },
    ],
    [
      'a window',
      ScheduleExpression.rate(Duration.days(1)),
      { flexibleWindow: Duration.minutes(15) },
      { FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 15 } },
    ],
  ])('%s: is the schedule’s', (_, schedule, options, expected) => {
    started(() => Source.schedule(schedule, options), time).hasResourceProperties(
      'AWS::Scheduler::Schedule',
      expected,
    );
  });

  test.each<[string, IScheduleExpression, ScheduleSourceOptions, RegExp]>([
    [
      'two zones',
      ScheduleExpression.cron({ timeZone: TimeZone.EUROPE_BERLIN }),
      { timeZone: TimeZone.ASIA_TOKYO },
      /`timeZone` is Asia\/Tokyo, but the schedule has Europe\/Berlin/,
    ],
    [
      'two zones, one out of a token',
      ScheduleExpression.cron({ timeZone: TimeZone.EUROPE_BERLIN }),
      { timeZone: TimeZone.of(Fn.importValue('zone')) },
      /`timeZone` is a token, but the schedule has Europe\/Berlin\. Leave one of them out/,
    ],
    [
      'a window of a day and more',
      Schedule.rate(Duration.hours(1)),
      { flexibleWindow: Duration.days(2) },
      /`flexibleWindow` must be whole minutes from 1 minute to 24 hours, got 2 days/,
    ],
  ])('%s: rejected with the remedy', (_, schedule, options, message) => {
    expect(() => started(() => Source.schedule(schedule, options), time)).toThrow(message);
  });

  test.each([
    ['of a Standard workflow', {}],
    ['of an Express workflow', { type: 'EXPRESS' as const, timeout: Duration.minutes(2) }],
    ['that is a part', { idempotencyKey: ['{% $states.input.time %}', '{% $states.input.detail.id %}'] }],
  ])('a key out of the detail, which is always empty, %s: rejected with the remedy', (_, props) => {
    expect(() => started(hourly(), props)).toThrow(
      /`idempotencyKey` reads \$states\.input\.detail\.id, .*\{% \$states\.input\.time %\}/,
    );
  });

  test('a key out of the id, which it does not have: rejected with the remedy', () => {
    expect(() => started(hourly(), { idempotencyKey: '{% $states.input.id %}' })).toThrow(
      /reads \$states\.input\.id, which no event of a schedule has/,
    );
  });
});

describe('several sources', () => {
  test('each has its own place', () => {
    const stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Test');
    const idempotencyKey = '{% $states.input.detail.id %}';
    new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack) })
      .startFrom(bus(stack))
      .startFrom(Source.queue(new Queue(stack, 'Queue'), { deleteWhen: 'started' }));

    // The workflow, its recovery and the search of that, and two dispatchers.
    Template.fromStack(stack).resourceCountIs('AWS::StepFunctions::StateMachine', 5);
  });
});
