import { Duration, Lazy, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Alias, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Activity,
  CustomState,
  DefinitionBody,
  DistributedMap,
  type IChainable,
  IntegrationPattern,
  Map as MapState,
  Parallel,
  Pass,
  QueryLanguage,
  StateMachine,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import {
  CallAwsService,
  LambdaInvocationType,
  LambdaInvoke,
  StepFunctionsInvokeActivity,
  StepFunctionsStartExecution,
} from 'aws-cdk-lib/aws-stepfunctions-tasks';
import {
  IdempotentFragment,
  IdempotentWorkflow,
  OnInProgress,
  RecordTable,
  type Step,
  StoreError,
} from '../../infra/index';
import { newStack, someFunction } from '../support/synthesize';

const KEY = '{% $states.input.id %}';

/** The message about a step at synthesis; empty if the step is accepted. */
function problemOf(step: (stack: Stack) => Step, stepTimeout?: Duration): string {
  const stack = newStack();
  const props = { idempotencyKey: KEY, step: step(stack), ...(stepTimeout && { stepTimeout }) };
  try {
    new IdempotentWorkflow(stack, 'Pay', props);
    Template.fromStack(stack);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const durable = (stack: Stack) =>
  someFunction(stack, { durableConfig: { executionTimeout: Duration.hours(12) } });
const other = (stack: Stack) => LambdaFunction.fromFunctionName(stack, 'Other', 'other');
const task =
  (resource: string, rest: object = {}) =>
  (stack: Stack) =>
    new CustomState(stack, 'Task', { stateJson: { Type: 'Task', Resource: resource, ...rest } });

describe('a Lambda durable function as the step', () => {
  test.each<[string, (stack: Stack) => Step]>([
    ['alone', durable],
    ['as a version', stack => durable(stack).currentVersion],
    ['as its latest version', stack => durable(stack).latestVersion],
    [
      'as an alias',
      stack => new Alias(stack, 'Live', { aliasName: 'live', version: durable(stack).currentVersion }),
    ],
    ['called by a chain', stack => LambdaInvoke.jsonata(stack, 'Call', { lambdaFunction: durable(stack) })],
    [
      'called within a Map of a chain',
      stack =>
        MapState.jsonata(stack, 'Each').itemProcessor(
          LambdaInvoke.jsonata(stack, 'Call', { lambdaFunction: durable(stack).currentVersion }),
        ),
    ],
    [
      'called by a chain in JSONPath',
      stack => new LambdaInvoke(stack, 'Call', { lambdaFunction: durable(stack) }),
    ],
    [
      'called by the SDK integration',
      stack =>
        CallAwsService.jsonata(stack, 'Call', {
          service: 'lambda',
          action: 'invoke',
          parameters: { FunctionName: durable(stack).functionArn },
          iamResources: ['*'],
        }),
    ],
    ['as the resource of a task', stack => task(durable(stack).functionArn)(stack)],
  ])('%s: rejected with the reason', (_, step) => {
    const problem = problemOf(step);

    expect(problem).toMatch(
      /\[Test\/Pay\/StateMachine\] state '(Business step|Call|Task)' runs Test\/Charge/,
    );
    expect(problem).toContain('a Lambda durable function, which can run for up to a year');
  });

  test('an ordinary function, alone and in a chain: accepted', () => {
    expect(problemOf(stack => someFunction(stack))).toBe('');
    expect(
      problemOf(stack =>
        LambdaInvoke.jsonata(stack, 'Call', { lambdaFunction: someFunction(stack).currentVersion }),
      ),
    ).toBe('');
  });

  test('in a fragment: rejected at synth', () => {
    const stack = newStack();
    const table = new RecordTable(stack, 'Records');
    const pay = new IdempotentFragment(stack, 'Pay', { table, idempotencyKey: KEY, step: durable(stack) });
    const definitionBody = DefinitionBody.fromChainable(pay);
    pay.grantTo(new StateMachine(stack, 'Orders', { definitionBody, queryLanguage: QueryLanguage.JSONATA }));

    expect(() => Template.fromStack(stack)).toThrow(/state 'Pay: Business step' runs Test\/Charge/);
  });
});

describe('a chain whose work may outlive its states', () => {
  const outliving: [string, (stack: Stack) => IChainable, string][] = [
    ['a job', task('arn:aws:states:::ecs:runTask.sync'), 'a task of ecs:runTask.sync'],
    ['a job that is only started', task('arn:aws:states:::glue:startJobRun'), 'a task of glue:startJobRun'],
    [
      'another state machine',
      stack =>
        StepFunctionsStartExecution.jsonata(stack, 'Nested', {
          stateMachine: StateMachine.fromStateMachineName(stack, 'Other', 'other'),
          integrationPattern: IntegrationPattern.RUN_JOB,
        }),
      'a task of states:startExecution.sync:2',
    ],
    [
      'a task token',
      stack =>
        LambdaInvoke.jsonata(stack, 'Approve', {
          lambdaFunction: other(stack),
          integrationPattern: IntegrationPattern.WAIT_FOR_TASK_TOKEN,
          payload: { type: 1, value: { token: '{% $states.context.Task.Token %}' } } as never,
        }),
      'a task of lambda:invoke.waitForTaskToken',
    ],
    [
      'an activity',
      stack =>
        StepFunctionsInvokeActivity.jsonata(stack, 'Work', { activity: new Activity(stack, 'Activity') }),
      'an activity',
    ],
    ['an activity by its ARN', task('arn:aws:states:us-east-1:111111111111:activity:work'), 'an activity'],
    [
      'a function that nobody waits for',
      stack =>
        LambdaInvoke.jsonata(stack, 'Tell', {
          lambdaFunction: other(stack),
          invocationType: LambdaInvocationType.EVENT,
        }),
      'a task of lambda:invoke',
    ],
    [
      'a function that nobody waits for, in JSONPath',
      stack =>
        new LambdaInvoke(stack, 'Tell', {
          lambdaFunction: other(stack),
          invocationType: LambdaInvocationType.EVENT,
        }),
      'a task of lambda:invoke',
    ],
    [
      'a function that perhaps nobody waits for, in JSONPath',
      task('arn:aws:states:::lambda:invoke', { Parameters: { 'InvocationType.$': '$.input.how' } }),
      'a task of lambda:invoke',
    ],
    [
      'an operation that starts something',
      task('arn:aws:states:::aws-sdk:batch:submitJob'),
      'a task of aws-sdk:batch:submitJob',
    ],
    [
      'a distributed Map',
      stack =>
        new DistributedMap(stack, 'Each', { queryLanguage: QueryLanguage.JSONATA }).itemProcessor(
          Pass.jsonata(stack, 'One'),
        ),
      'a distributed Map',
    ],
    [
      'a branch',
      stack => Parallel.jsonata(stack, 'Both').branch(task('arn:aws:states:::ecs:runTask.sync')(stack)),
      'a task of ecs:runTask.sync',
    ],
  ];

  test.each(outliving)('%s, without stepTimeout: rejected with the remedy', (_, step, what) => {
    const problem = problemOf(step);

    expect(problem).toContain(`of \`step\` is ${what}, whose work can continue`);
    expect(problem).toContain('Set `stepTimeout`');
  });

  test.each(outliving)('%s, with stepTimeout: accepted', (_, step) => {
    expect(problemOf(step, Duration.hours(3))).toBe('');
  });

  test.each<[string, (stack: Stack) => IChainable]>([
    ['a function', stack => LambdaInvoke.jsonata(stack, 'Call', { lambdaFunction: other(stack) })],
    ['a function by its ARN', task('arn:aws:lambda:us-east-1:111111111111:function:charge')],
    ['a write', task('arn:aws:states:::dynamodb:putItem')],
    ['a message', task('arn:aws:states:::sqs:sendMessage')],
    ['an SDK call that is done when it is answered', task('arn:aws:states:::aws-sdk:s3:putObject')],
    ['a wait', stack => Wait.jsonata(stack, 'Wait', { time: WaitTime.duration(Duration.seconds(1)) })],
  ])('%s, without stepTimeout: accepted', (_, step) => {
    expect(problemOf(step)).toBe('');
  });
});

describe('a time that is known at deployment only', () => {
  const token = () => Duration.seconds(Lazy.number({ produce: () => 60 }));

  test.each<[string, (stack: Stack) => Step, Duration | undefined, string]>([
    ['as stepTimeout of a chain', stack => Pass.jsonata(stack, 'Step'), token(), '`stepTimeout`'],
    ['as stepTimeout of a function', other, token(), '`stepTimeout`'],
  ])('%s: rejected', (_, step, stepTimeout, what) => {
    expect(problemOf(step, stepTimeout)).toBe(
      `Test/Pay: ${what} must be a time that is known at synth, such as Duration.minutes(15), got a token`,
    );
  });
});

describe('settings that only JavaScript lets through', () => {
  const stack = () => newStack();
  const workflow = (props: object) => () => {
    const scope = stack();
    return new IdempotentWorkflow(scope, 'Pay', { idempotencyKey: KEY, step: someFunction(scope), ...props });
  };
  const fragment = (props: object) => () => {
    const scope = stack();
    const required = {
      idempotencyKey: KEY,
      step: someFunction(scope),
      table: new RecordTable(scope, 'Records'),
    };
    return new IdempotentFragment(scope, 'Pay', { ...required, ...props });
  };

  test.each([
    ['a table as a name', { table: 'records' }, '`table` must be a RecordTable'],
    [
      'a wait as a text',
      { onDuplicateInProgress: 'wait' },
      '`onDuplicateInProgress` must be OnInProgress.fail()',
    ],
    ['an error as a number', { storeError: 200 }, '`storeError` must be StoreError.all()'],
    ['a failure as a text', { onFailedBefore: 'retry' }, '`onFailedBefore` must be OnFailed.retry()'],
  ])('%s: rejected with the remedy', (_, props, message) => {
    expect(workflow(props)).toThrow(message);
    expect(fragment(props)).toThrow(message);
  });

  test.each([
    ['10', 'got "10"'],
    [Number.NaN, 'got NaN'],
    [-1, 'got -1'],
    [40_000, 'got 40000'],
  ])('StoreError.upTo(%p): rejected with what it takes', (characters, message) => {
    const upTo = () => StoreError.upTo(characters as number);
    expect(upTo).toThrow('`StoreError.upTo` takes a whole number of characters from 1 to 32768');
    expect(upTo).toThrow(message);
  });

  test.each([
    [5, 'got 5'],
    [undefined, 'got undefined'],
  ])('OnInProgress.wait(%p): rejected with what it takes', (total, message) => {
    const wait = () => OnInProgress.wait(total as unknown as Duration);
    expect(wait).toThrow(`\`OnInProgress.wait\` takes a Duration such as Duration.minutes(5), ${message}`);
  });

  test('an option that there is not: rejected with those there are', () => {
    expect(workflow({ stepTimout: Duration.seconds(3) })).toThrow(
      /^Test\/Pay: IdempotentWorkflow has no option `stepTimout`\. Did you mean `stepTimeout`\?/,
    );
    expect(fragment({ delivery: 'at-most-once' })).toThrow(
      /^Test\/Pay: IdempotentFragment has no option `delivery`. Its options are /,
    );
  });

  test('a fragment without a table: rejected with the remedy', () => {
    expect(fragment({ table: undefined })).toThrow('`table` must be a RecordTable, or a DynamoDB table');
  });

  test('what they stand for: accepted', () => {
    const scope = stack();
    const table = Table.fromTableName(scope, 'Table', 'records');

    expect(workflow({ onDuplicateInProgress: OnInProgress.wait(Duration.seconds(5)) })).not.toThrow();
    expect(fragment({ table, scope: 'Payments' })).not.toThrow();
  });
});
