import validateAsl from 'asl-validator';
import { Duration } from 'aws-cdk-lib';
import { Annotations, Match, type Template } from 'aws-cdk-lib/assertions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  FailureDestination,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  OnFailed,
  Recovery,
  type RedeliverFailedOptions,
  Redrive,
  Source,
} from '../../infra/index';
import { NOTHING_TO_RECOVER } from '../../state-machine/contract/error-names';
import { expectGolden } from '../support/golden';
import {
  type Definition,
  definitionIn,
  newStack,
  type Statement,
  someFunction,
  statementsOf,
  synthesized,
} from '../support/synthesize';

const KEY = '{% $states.input.id %}';

function recovered(props: Partial<IdempotentWorkflowProps> = {}): Template {
  return synthesized(stack => {
    const step = someFunction(stack, { timeout: Duration.seconds(10) });
    new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: KEY, step, ...props });
  });
}

const REDELIVERING = { recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 10 } }) };

/** A target that gets the detail of the event, and the ARN of the workflow. */
const WITH_WORKFLOW = {
  InputTransformer: {
    InputPathsMap: { detail: '$.detail' },
    InputTemplate: {
      'Fn::Join': [
        '',
        ['{"detail":<detail>,"workflowArn":"', { Ref: expect.stringMatching(/^PayStateMachine/) }, '"}'],
      ],
    },
  },
};

const actionsOf = (statements: readonly Statement[]) => statements.map(({ Action }) => Action);

const CONTEXT_KEY = '{% $states.context.Execution.Name %}';

describe('recovery without the option', () => {
  test('a Standard workflow: as with Recovery.automatic()', () => {
    expect(recovered().toJSON()).toEqual(recovered({ recovery: Recovery.automatic() }).toJSON());
    recovered().resourceCountIs('AWS::StepFunctions::StateMachine', 3);
    recovered().resourceCountIs('AWS::Events::Rule', 2);
  });

  test('an Express workflow: none', () => {
    const template = recovered({ type: 'EXPRESS' });

    template.resourceCountIs('AWS::StepFunctions::StateMachine', 1);
    template.resourceCountIs('AWS::Events::Rule', 0);
  });

  test.each([
    ['key', { idempotencyKey: CONTEXT_KEY }],
    ['part of a key', { idempotencyKey: [KEY, CONTEXT_KEY] }],
    ['payload', { payload: CONTEXT_KEY }],
  ])('a %s out of the context: an error, unless there is no recovery', (_, props) => {
    expect(() => recovered(props)).toThrow(
      /^Test\/Pay: `recovery` delivers .*\$states\.context has other values: .*or choose Recovery\.none\(\)$/,
    );
    expect(() => recovered({ ...props, recovery: Recovery.none() })).not.toThrow();
    expect(() => recovered({ ...props, type: 'EXPRESS' })).not.toThrow();
  });
});

describe('Recovery.none', () => {
  test('one state machine, and no rule', () => {
    const template = recovered({ recovery: Recovery.none() });

    template.resourceCountIs('AWS::StepFunctions::StateMachine', 1);
    template.resourceCountIs('AWS::Events::Rule', 0);
  });

  const warned = (props: Partial<IdempotentWorkflowProps>) => {
    const stack = newStack();
    new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: KEY, step: someFunction(stack), ...props });
    return Annotations.fromStack(stack).findWarning(
      '/Test/Pay',
      Match.stringLikeRegexp('with Recovery.none\\(\\), a key .* stays in progress until you'),
    );
  };

  test('a warning at synthesis, of a Standard workflow only', () => {
    expect(warned({ recovery: Recovery.none() })).toHaveLength(1);
    expect(warned({})).toEqual([]);
    expect(warned({ type: 'EXPRESS', recovery: Recovery.none() })).toEqual([]);
  });

  test.each(['finished', 'started'] as const)(
    'with a queue as a source, deleteWhen %s: an error',
    deleteWhen => {
      const define = (props: Partial<IdempotentWorkflowProps>) => {
        const stack = newStack();
        const given = { idempotencyKey: '{% $states.input.order %}', step: someFunction(stack), ...props };
        const queue = new Queue(stack, 'Orders', {
          visibilityTimeout: Duration.hours(1),
          deadLetterQueue: { queue: new Queue(stack, 'Dead'), maxReceiveCount: 5 },
        });
        new IdempotentWorkflow(stack, 'Pay', given).startFrom(Source.queue(queue, { deleteWhen }));
      };

      expect(() => define({ recovery: Recovery.none() })).toThrow(
        /^Test\/Pay: a source with a queue needs `recovery`, .*\. Leave `recovery` out$/,
      );
      expect(() => define({})).not.toThrow();
    },
  );

  test('with a queue as a source of an Express workflow: as ever', () => {
    const stack = newStack();
    const queue = new Queue(stack, 'Orders', { visibilityTimeout: Duration.hours(1) });
    const given = { idempotencyKey: KEY, step: someFunction(stack), type: 'EXPRESS' } as const;

    expect(() => new IdempotentWorkflow(stack, 'Pay', given).startFrom(Source.queue(queue))).not.toThrow();
  });
});

describe('Recovery.automatic', () => {
  test.each([
    ['recovery', /^PayRecoveryStateMachine/, {}],
    ['search', /^PayRecoverySearch/, {}],
    ['redelivery', /^PayRecoveryRedelivery/, REDELIVERING],
    ['search-with-metrics', /^PayRecoverySearch/, { metrics: true }],
  ])('%s: the reviewed definition, which a second validator accepts', (name, id, props) => {
    const asl = definitionIn(recovered(props), id);

    expectGolden(`${name}.asl.json`, asl);
    const checkable = JSON.parse(JSON.stringify(asl).replaceAll(/\$\{[^}]*\}/g, 'x')) as Definition;
    expect(validateAsl(checkable, {}).errors).toEqual([]);
  });

  test("the workflow's own definition: as it is without, and one state that calls it", () => {
    const own = /^PayStateMachine/;
    const { 'Call recovery': call, ...others } = definitionIn(recovered(), own).States;
    const without = definitionIn(recovered({ recovery: Recovery.none() }), own).States;

    expect(call).toMatchObject({
      Resource: 'arn:aws:states:::aws-sdk:sfn:startExecution',
      Arguments: { StateMachineArn: expect.stringContaining('PayRecoveryStateMachine') },
      Next: 'In progress',
    });
    expect(Object.keys(others)).toEqual(Object.keys(without));
    const differing = Object.keys(others).filter(
      name => JSON.stringify(others[name]) !== JSON.stringify(without[name]),
    );
    expect(differing.sort()).toEqual(["Return the owner's result", 'What does the record say?']);
  });

  test('the rule: ends of this state machine, except deliveries that were answered or rejected for good', () => {
    const rules = Object.values(recovered().findResources('AWS::Events::Rule')).map(
      ({ Properties }) => Properties,
    );

    expect(rules.find(({ EventPattern }) => EventPattern)).toMatchObject({
      EventPattern: {
        source: ['aws.states'],
        'detail-type': ['Step Functions Execution Status Change'],
        detail: {
          stateMachineArn: [{ Ref: expect.stringMatching(/^PayStateMachine/) }],
          status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
          error: [{ 'anything-but': NOTHING_TO_RECOVER }, { exists: false }],
        },
      },
      Targets: [WITH_WORKFLOW],
    });
  });

  test('the role: read and write the record, ask about executions and list them, redrive by the function, start', () => {
    const template = recovered();
    const recovery = statementsOf(template, /^PayRecoveryStateMachineRole/);

    expect(actionsOf(recovery).flat().sort()).toEqual([
      'dynamodb:GetItem',
      'dynamodb:UpdateItem',
      'lambda:InvokeFunction',
      'states:DescribeExecution',
      'states:ListExecutions',
      'states:StartExecution',
    ]);
    expect(recovery.find(({ Action }) => [Action].flat().includes('dynamodb:UpdateItem'))?.Condition).toEqual(
      {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['Pay#*'] },
      },
    );
    for (const { Resource } of recovery) expect(Resource).not.toBe('*');
    expect(statementsOf(template, /^PayRecoverySearch/)).toEqual([]);
    const machines = Object.entries(template.findResources('AWS::StepFunctions::StateMachine'));
    const [, search] = machines.find(([id]) => id.startsWith('PayRecoverySearch')) ?? [];
    expect(search?.['Properties'].RoleArn).toEqual({
      'Fn::GetAtt': [expect.stringMatching(/^PayRecoveryStateMachineRole/), 'Arn'],
    });
  });

  test('with `metrics`: the search may put metrics of this one namespace', () => {
    const search = statementsOf(recovered({ metrics: true }), /^PayRecoveryStateMachineRole/);

    expect(search.find(({ Action }) => Action === 'cloudwatch:PutMetricData')).toMatchObject({
      Resource: '*',
      Condition: {
        StringEquals: {
          'cloudwatch:namespace': {
            'Fn::Join': [
              '',
              ['Onceflow/', { 'Fn::GetAtt': [expect.stringMatching(/^PayStateMachine/), 'Name'] }],
            ],
          },
        },
      },
    });
  });

  describe('of a workflow with a failure destination', () => {
    const notifying = (props: Partial<IdempotentWorkflowProps> = {}) =>
      synthesized(stack => {
        const onFailure = FailureDestination.queue(new Queue(stack, 'Failures'));
        const step = someFunction(stack, { timeout: Duration.seconds(10) });
        const recovery = Recovery.automatic();
        new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: KEY, recovery, step, onFailure, ...props });
      });
    const role = /^PayRecoveryStateMachineRole/;

    test('the reviewed definition, which a second validator accepts', () => {
      const asl = definitionIn(notifying(), /^PayRecoveryStateMachine/);

      expectGolden('recovery-on-failure.asl.json', asl);
      const checkable = JSON.parse(JSON.stringify(asl).replaceAll(/\$\{[^}]*\}/g, 'x')) as Definition;
      expect(validateAsl(checkable, {}).errors).toEqual([]);
    });

    test('the role: may also invoke the function that redrives', () => {
      const actions = actionsOf(statementsOf(notifying(), role));

      expect(actions).toContain('lambda:InvokeFunction');
      expect(actions).not.toContain('states:RedriveExecution');
    });

    test('Redrive.direct(): may redrive executions of the workflow, and no others', () => {
      const statements = statementsOf(notifying({ redrive: Redrive.direct() }), role);
      const [redriving] = statements.filter(({ Action }) => Action === 'states:RedriveExecution');

      expect(actionsOf(statements)).not.toContain('lambda:InvokeFunction');
      expect(JSON.stringify(redriving?.Resource)).toMatch(/PayStateMachine[0-9A-F]{8}/);
      expect(JSON.stringify(redriving?.Resource)).not.toContain('PayRecovery');
    });
  });

  test('state machines that the workflow has had before: their executions as well', () => {
    const template = recovered({ formerStateMachines: ['OldPay', 'OlderPay'] });
    const rules = JSON.stringify(template.findResources('AWS::Events::Rule'));
    const redelivering = recovered({ formerStateMachines: ['OldPay'], ...REDELIVERING });
    const search = JSON.stringify(definitionIn(template, /^PayRecoverySearch/));
    const asks = JSON.stringify(statementsOf(template, /^PayRecoveryStateMachineRole/));

    const failures = Object.values(redelivering.findResources('AWS::Events::Rule')).filter(
      ({ Properties }) => Properties.EventPattern?.detail.status.length === 1,
    );
    expect(JSON.stringify(failures)).toContain(':stateMachine:OldPay"');
    const described = statementsOf(redelivering, /^PayRecoveryRedelivery/);
    expect(JSON.stringify(described)).toContain(':execution:OldPay:*');
    for (const name of ['OldPay', 'OlderPay']) {
      for (const text of [rules, asks]) expect(text).toContain(`:stateMachine:${name}"`);
      // Those that were stopped, have timed out or have failed.
      expect(search.split(`:stateMachine:${name}"`)).toHaveLength(4);
      expect(asks).toContain(`:execution:${name}:*`);
    }
  });

  test('redeliverFailed: its role, its rule, and what it has given up', () => {
    const template = recovered(REDELIVERING);
    const statements = statementsOf(template, /^PayRecoveryRedeliveryStateMachineRole/);

    expect(actionsOf(statements).sort()).toEqual([
      'dynamodb:GetItem',
      'states:DescribeExecution',
      'states:StartExecution',
    ]);
    for (const { Resource } of statements) expect(Resource).not.toBe('*');
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { detail: { status: ['FAILED'] } },
      Targets: [{ InputTransformer: { InputPathsMap: { detail: '$.detail' } } }],
    });
    const stack = newStack();
    const given = { idempotencyKey: KEY, step: someFunction(stack), ...REDELIVERING };
    const workflow = new IdempotentWorkflow(stack, 'Pay', given);
    expect(Object.keys(workflow.metricRecoveryGivenUp().usingMetrics)).toHaveLength(6);
  });

  test.each<[string, Partial<IdempotentWorkflowProps>, RegExp]>([
    [
      'a failure that is the answer',
      { onFailedBefore: OnFailed.returnStoredFailure() },
      /`redeliverFailed` runs a failed step again/,
    ],
    [
      'a failure that is forgotten before',
      { failedRetention: Duration.minutes(30) },
      /waits up to 1 hour, .* expires after 30 minutes\. Use a longer `failedRetention`/,
    ],
    [
      'a success that is forgotten before',
      { retention: Duration.minutes(30), failedRetention: Duration.days(1) },
      /waits up to 1 hour, .* expires after 30 minutes\. Use a longer `retention`/,
    ],
  ])('redeliverFailed with %s: rejected', (_, props, message) => {
    expect(() => recovered({ ...REDELIVERING, ...props })).toThrow(message);
  });

  test.each([
    [{}, /`maxAttempts` of `redeliverFailed` must be a whole number from 1 to 100, got undefined/],
    [{ maxAttempts: 101 }, /from 1 to 100, got 101/],
    [
      { maxAttempts: 3, delay: Duration.seconds(5) },
      /`delay` of `redeliverFailed` must be a Duration from 10 s/,
    ],
    [
      { maxAttempts: 3, delay: Duration.hours(2), maxDelay: Duration.hours(1) },
      /as long as `delay` at least/,
    ],
    [{ maxAttempts: 3, interval: 5 }, /redeliverFailed has no option `interval`/],
    [true, /takes \{ maxAttempts: 10 \}, got true/],
  ])('redeliverFailed of %j: rejected', (given, message) => {
    const redeliverFailed = given as unknown as RedeliverFailedOptions;
    const rejected = () => recovered({ recovery: Recovery.automatic({ redeliverFailed }) });

    expect(rejected).toThrow(message);
    expect(rejected).toThrow(/^Test\/Pay: /);
  });

  test('its state machines, roles and policies: retained', () => {
    const template = recovered();
    for (const type of ['AWS::StepFunctions::StateMachine', 'AWS::IAM::Policy'])
      template.allResources(type, { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
  });

  test('a step that may be at work for as long as its record is kept: a warning', () => {
    const stack = newStack();
    const step = someFunction(stack, { timeout: Duration.seconds(30) });
    new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: KEY, step, retention: Duration.minutes(1) });
    new IdempotentWorkflow(stack, 'Ship', { idempotencyKey: KEY, step, retention: Duration.hours(1) });

    const warnings = Annotations.fromStack(stack);
    warnings.hasWarning(
      '/Test/Pay/Recovery',
      Match.stringLikeRegexp('can run for .*stored for only 1 minute'),
    );
    warnings.hasNoWarning('/Test/Ship/Recovery', Match.anyValue());
  });

  test('searchEvery: the rate of the schedule', () => {
    recovered({ recovery: Recovery.automatic({ searchEvery: Duration.minutes(5) }) }).hasResourceProperties(
      'AWS::Events::Rule',
      { ScheduleExpression: 'rate(5 minutes)' },
    );
  });

  test.each([
    ['less than a minute', Duration.seconds(30), /whole minutes, up to a day, got 30 seconds/],
    ['no whole minutes', Duration.seconds(90), /whole minutes/],
    ['more than a day', Duration.days(2), /up to a day/],
    ['no Duration', 5 as unknown as Duration, /takes a Duration such as Duration.hours\(1\), got 5/],
  ])('searchEvery of %s: rejected', (_, searchEvery, message) => {
    const rejected = () => recovered({ recovery: Recovery.automatic({ searchEvery }) });

    expect(rejected).toThrow(message);
    expect(rejected).toThrow(/^Test\/Pay: /);
  });

  test('an Express workflow: rejected', () => {
    const recovery = Recovery.automatic();

    expect(() => recovered({ type: 'EXPRESS', recovery })).toThrow(/`recovery` needs a STANDARD workflow/);
  });

  test('a key out of the context: rejected', () => {
    const recovery = Recovery.automatic();

    expect(() => recovered({ idempotencyKey: CONTEXT_KEY, recovery })).toThrow(
      /from \$states.input, or choose Recovery.none\(\)/,
    );
  });

  test('another value, from JavaScript: rejected', () => {
    const recovery = true as unknown as Recovery;

    expect(() => recovered({ recovery })).toThrow(
      '`recovery` must be Recovery.automatic() or Recovery.none(), got true',
    );
  });
});
