import validateAsl from 'asl-validator';
import { App, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import {
  DefinitionBody,
  LogLevel,
  Pass,
  QueryLanguage,
  StateMachine,
  StateMachineType,
} from 'aws-cdk-lib/aws-stepfunctions';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Construct } from 'constructs';
import { IdempotentFragment, type IdempotentFragmentProps, RecordTable, Redrive } from '../../infra/index';
import { expectGolden } from '../support/golden';
import { definitionIn, newStack, someFunction, statementsOf, synthesized } from '../support/synthesize';

const KEY = '{% $states.input.orderId %}';

function fragment(scope: Construct, id = 'Pay', props: Partial<IdempotentFragmentProps> = {}) {
  const table = props.table ?? new RecordTable(scope, `${id}Records`);
  const step = props.step ?? Pass.jsonata(scope, `${id}Step`);
  return new IdempotentFragment(scope, id, { idempotencyKey: KEY, ...props, table, step });
}

function machine(scope: Construct, body: IdempotentFragment, props: object = {}): StateMachine {
  return new StateMachine(scope, 'Orders', {
    queryLanguage: QueryLanguage.JSONATA,
    definitionBody: DefinitionBody.fromChainable(body),
    ...props,
  });
}

/** What roles may do with executions, in the order of the actions. */
function ownExecutionsIn(template: Template): { readonly Action: unknown }[] {
  return statementsOf(template, /./)
    .filter(({ Action }) => JSON.stringify(Action).includes('Execution'))
    .sort((one, other) => String(one.Action).localeCompare(String(other.Action)));
}

describe('IdempotentFragment', () => {
  test('the reviewed definition, which a second validator accepts', () => {
    const template = synthesized(stack => {
      const charge = fragment(stack, 'Pay', { step: someFunction(stack, { functionName: 'charge' }) });
      charge.grantTo(machine(stack, charge));
    });
    const definition = definitionIn(template);

    expect(validateAsl(definition as never).errors).toEqual([]);
    expectGolden('fragment.asl.json', definition);
  });

  test('the second fragment of a machine has former state machines: their executions may be asked about', () => {
    const template = synthesized(stack => {
      const table = new RecordTable(stack, 'Records');
      const reserve = fragment(stack, 'Reserve', { table });
      const charge = fragment(stack, 'Pay', { table, formerStateMachines: ['OldOrders'] });
      reserve.next(charge);
      const orders = machine(stack, reserve);
      for (const one of [reserve, charge, charge]) one.grantTo(orders);
    });

    const ofOld = ownExecutionsIn(template).filter(one => JSON.stringify(one).includes(':OldOrders:*'));
    expect(ofOld.map(({ Action }) => Action).sort()).toEqual([
      'states:DescribeExecution',
      'states:RedriveExecution',
    ]);
  });

  test.each<[string, Partial<IdempotentFragmentProps>, string[][], number]>([
    ['a function, one for all', {}, [['states:DescribeExecution'], ['states:RedriveExecution']], 1],
    [
      'the machine itself',
      { redrive: Redrive.direct() },
      [['states:DescribeExecution', 'states:RedriveExecution']],
      0,
    ],
  ])('two fragments of a machine, whose executions are redriven by %s', (_, props, actions, functions) => {
    const template = synthesized(stack => {
      const table = new RecordTable(stack, 'Records');
      const reserve = fragment(stack, 'Reserve', { table, ...props });
      const charge = fragment(stack, 'Pay', { table, ...props });
      reserve.next(charge);
      const orders = machine(stack, reserve);
      reserve.grantTo(orders);
      charge.grantTo(orders);
    });

    expect(ownExecutionsIn(template)).toEqual(
      actions.map(action => ({
        Action: action.length === 1 ? action[0] : action,
        Effect: 'Allow',
        Resource: { 'Fn::Join': ['', expect.arrayContaining([':*'])] },
      })),
    );
    template.resourceCountIs('AWS::Lambda::Function', functions);
  });

  test('two that redrive differently: the machine may ask and redrive, the function redrive', () => {
    const template = synthesized(stack => {
      const table = new RecordTable(stack, 'Records');
      const reserve = fragment(stack, 'Reserve', { table });
      const charge = fragment(stack, 'Pay', { table, redrive: Redrive.direct() });
      reserve.next(charge);
      const orders = machine(stack, reserve);
      reserve.grantTo(orders);
      charge.grantTo(orders);
    });

    const actions = ownExecutionsIn(template).map(({ Action }) => Action);
    expect(actions).toContainEqual(['states:DescribeExecution', 'states:RedriveExecution']);
    expect(actions).toContainEqual('states:RedriveExecution');
  });

  test("a table with a customer's key: the machine may use it", () => {
    const template = synthesized(stack => {
      const table = new RecordTable(stack, 'Records', { encryptionKey: new Key(stack, 'Key') });
      const charge = fragment(stack, 'Pay', { table });
      charge.grantTo(machine(stack, charge));
    });

    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Action: Match.arrayWith(['kms:Decrypt', 'kms:Encrypt']) }),
        ]),
      },
    });
  });

  test('cdk-nag: no finding beside those of the machine and the function of the team', () => {
    const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    const stack = new Stack(app, 'Team');
    const step = someFunction(stack);
    Validations.of(step).acknowledge(
      { id: 'AwsSolutions::AwsSolutions-L1', reason: "the team's" },
      {
        id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
        reason: "the team's",
      },
    );
    const charge = fragment(stack, 'Pay', { step });
    const logs = { level: LogLevel.ALL, destination: new LogGroup(stack, 'Log') };
    const orders = machine(stack, charge, { logs, tracingEnabled: true });
    // To write its log, which CDK allows for all of them.
    Validations.of(orders).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason: "the team's",
    });
    charge.grantTo(orders);

    expect(() => app.synth()).not.toThrow();
  });

  test('the retention that is given: that of every record it ends', () => {
    const template = synthesized(stack => {
      const charge = fragment(stack, 'Pay', { retention: Duration.hours(1) });
      charge.grantTo(machine(stack, charge));
    });
    const expiries = JSON.stringify(definitionIn(template)).match(/\$millis\(\) \/ 1000\) \+ \d+/g) ?? [];

    expect(expiries.length).toBeGreaterThan(0);
    expect(new Set(expiries)).toEqual(new Set(['$millis() / 1000) + 3600']));
  });

  test('a retention of failures: that of the record of a failed step alone', () => {
    const template = synthesized(stack => {
      const charge = fragment(stack, 'Pay', { failedRetention: Duration.hours(1) });
      charge.grantTo(machine(stack, charge));
    });
    const text = JSON.stringify(definitionIn(template));

    expect(text.match(/\$millis\(\) \/ 1000\) \+ 3600\)/g)).toHaveLength(1);
    expect(text).toMatch(/Record the failure.*\$millis\(\) \/ 1000\) \+ 3600\)/);
  });

  test('retries of its step: on the step alone, before those of the workflow', () => {
    const template = synthesized(stack => {
      const retry = { errors: ['Busy'], maxAttempts: 2 };
      const charge = fragment(stack, 'Pay', { step: someFunction(stack), retry });
      charge.grantTo(machine(stack, charge));
    });
    const text = JSON.stringify(definitionIn(template));

    expect(text).toMatch(
      /"Pay: Business step":\{[^[]*"Retry":\[\{"ErrorEquals":\["Busy"\],"MaxAttempts":2\}/,
    );
    expect(text.match(/"Busy"/g)).toHaveLength(1);
  });

  test('not bound to its machine: rejected at synth, with what to call', () => {
    const stack = newStack();
    machine(stack, fragment(stack));

    expect(() => Template.fromStack(stack)).toThrow(/Test\/Pay .*call `grantTo\(stateMachine\)`/);
  });

  test('in an Express machine: rejected', () => {
    const stack = newStack();
    const charge = fragment(stack);
    const express = machine(stack, charge, { stateMachineType: StateMachineType.EXPRESS });

    expect(() => charge.grantTo(express)).toThrow(/needs a STANDARD state machine.*IdempotentWorkflow/);
  });

  test.each<[string, string, Partial<IdempotentFragmentProps>, RegExp]>([
    ['a long id', 'x'.repeat(51), {}, /at most 50 characters, .*got 51\. Use a shorter id and set `scope`/],
    ['a scope with #', 'Pay', { scope: 'a#b' }, /`scope` must have/],
    ['no retention', 'Pay', { retention: Duration.seconds(0) }, /`retention` must be at least one second/],
    ['a text for a step', 'Pay', { step: 'charge' as never }, /`step` must be a Lambda function/],
    ['a key without braces', 'Pay', { idempotencyKey: 'orderId' }, /idempotencyKey/],
  ])('%s: rejected with the remedy', (_, id, props, message) => {
    expect(() => fragment(newStack(), id, props)).toThrow(message);
  });

  test('the longest id: the names of the states within keep to 80 characters', () => {
    const template = synthesized(stack => {
      const pay = fragment(stack, 'x'.repeat(50));
      pay.grantTo(machine(stack, pay));
    });
    const names = [...JSON.stringify(definitionIn(template)).matchAll(/"(x{50}: [^"]+)":/g)];

    expect(names.length).toBeGreaterThan(20);
    expect(Math.max(...names.map(([, name = '']) => name.length))).toBeLessThanOrEqual(80);
  });

  test('two with one scope on one table: rejected', () => {
    const stack = newStack();
    const table = new RecordTable(stack, 'Records');
    fragment(stack, 'Pay', { table, scope: 'order' });

    expect(() => fragment(stack, 'Ship', { table, scope: 'order' })).toThrow(/`scope` .* is already used/);
  });
});
