import { App, Duration, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { EventBus, Schedule } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  type IWorkflowSource,
  RecordTable,
  Source,
} from '../../infra/index';
import { allowed, definitionIn, someFunction, synthesized } from '../support/synthesize';

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
  ])('%s reads what is left out: refused with the remedy', (_, props) => {
    expect(() => started(bus, props)).toThrow(
      /^Test\/Pay: \$states\.input\.(id|time) differs between deliveries.*keep: \['(id|time)'\]/,
    );
  });

  test('the context as a key: refused, as the dispatcher has one of its own', () => {
    expect(() => started(bus, { idempotencyKey: '{% $states.context.Execution.Name %}' })).toThrow(
      /^Test\/Pay: \$states\.context is another in the state machine that starts by key/,
    );
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

  test('nothing is evaluated before a Task whose every failure leads to the dead-letter queue', () => {
    const { StartAt, States } = definitionIn(started(bus), /Dispatcher/);
    const { Catch } = States[StartAt] as unknown as { Catch: { ErrorEquals: string[]; Next: string }[] };

    expect(States[StartAt]).toMatchObject({ Type: 'Task' });
    expect(Catch).toContainEqual(
      expect.objectContaining({ ErrorEquals: ['States.ALL'], Next: 'Keep the event' }),
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
  test('the time of the schedule is the key; only the id of the event is left out', () => {
    const hourly = () => Source.schedule(Schedule.rate(Duration.hours(1)));
    const template = started(hourly, { idempotencyKey: '{% $states.input.time %}' });

    template.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 hour)' });
    expect(JSON.stringify(definitionIn(template, /Dispatcher/).States['Start by key'])).toContain(
      "$name in ['id']",
    );
  });

  test.each([
    ['of a Standard workflow', {}],
    ['of an Express workflow', { type: 'EXPRESS' as const, timeout: Duration.minutes(2) }],
    ['that is a part', { idempotencyKey: ['{% $states.input.time %}', '{% $states.input.detail.id %}'] }],
  ])('a key out of the detail, which is always empty, %s: refused with the remedy', (_, props) => {
    const hourly = () => Source.schedule(Schedule.rate(Duration.hours(1)));

    expect(() => started(hourly, props)).toThrow(
      /`idempotencyKey` is out of \$states\.input\.detail, .*\{% \$states\.input\.time %\}/,
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
