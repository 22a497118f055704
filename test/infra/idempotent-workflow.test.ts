import validateAsl from 'asl-validator';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { Alias } from 'aws-cdk-lib/aws-lambda';
import { Pass } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { IdempotentWorkflow, type IdempotentWorkflowProps } from '../../infra/index';
import { expectGolden } from '../support/golden';
import { type Definition, definitionIn, someFunction, synthesized } from '../support/synthesize';

const KEY = '{% $states.input.id %}';

function workflow(scope: Construct, props: Partial<IdempotentWorkflowProps> = {}): IdempotentWorkflow {
  const step = props.step ?? someFunction(scope);
  return new IdempotentWorkflow(scope, 'Pay', { idempotencyKey: KEY, ...props, step });
}

function definition(props: Partial<IdempotentWorkflowProps> = {}): Definition {
  return definitionIn(synthesized(stack => workflow(stack, props)));
}

describe('IdempotentWorkflow', () => {
  const variants: [string, () => Definition][] = [
    ['minimal', () => definition()],
    [
      'payload-and-retention',
      () => definition({ payload: '{% $states.input.amount %}', retention: Duration.hours(1) }),
    ],
    ['composite-key', () => definition({ idempotencyKey: ['{% $states.input.shop %}', KEY] })],
    [
      'chain',
      () =>
        definitionIn(
          synthesized(stack => {
            const step = Pass.jsonata(stack, 'First').next(Pass.jsonata(stack, 'Second'));
            workflow(stack, { step, stepTimeout: Duration.minutes(2) });
          }),
        ),
    ],
  ];
  test.each(variants)('%s: the reviewed definition, which a second validator accepts', (name, define) => {
    const asl = define();

    expectGolden(`${name}.asl.json`, asl);
    const checkable = JSON.parse(JSON.stringify(asl).replaceAll(/\$\{[^}]*\}/g, 'x')) as Definition;
    expect(validateAsl(checkable, {}).errors).toEqual([]);
  });

  test('state names: within the 80 characters that Step Functions allows', () => {
    expect(Object.keys(definition().States).filter(name => name.length > 80)).toEqual([]);
  });

  test.each([
    ['no timeout set: the 3 s of Lambda and a margin', {}, 33],
    ['a timeout set: that and a margin', { timeout: Duration.seconds(10) }, 40],
  ])('function with %s', (_, props, seconds) => {
    const template = synthesized(stack => workflow(stack, { step: someFunction(stack, props) }));

    expect(definitionIn(template).States['Business step']).toMatchObject({ TimeoutSeconds: seconds });
  });

  test('an alias: the timeout of the function behind it', () => {
    const template = synthesized(stack => {
      const version = someFunction(stack, { timeout: Duration.seconds(20) }).currentVersion;
      workflow(stack, { step: new Alias(stack, 'Live', { aliasName: 'live', version }) });
    });

    expect(definitionIn(template).States['Business step']).toMatchObject({ TimeoutSeconds: 50 });
  });

  test('the role: three operations on its table, its function, its own executions, nothing else', () => {
    const template = synthesized(stack => workflow(stack));
    const statements = Object.values(template.findResources('AWS::IAM::Policy')).flatMap(
      policy =>
        policy['Properties']['PolicyDocument']['Statement'] as { Action: unknown; Resource: unknown }[],
    );

    expect(statements.map(({ Action }) => Action)).toEqual([
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      'lambda:InvokeFunction',
      'states:DescribeExecution',
    ]);
    expect(JSON.stringify(statements[0]?.Resource)).toMatch(/^\{"Fn::GetAtt":\["PayRecords\w+","Arn"\]\}$/);
    expect(JSON.stringify(statements[2]?.Resource)).toMatch(
      /:execution:",\{"Fn::GetAtt":\["PayStateMachine\w+","Name"\]\},":\*"/,
    );
  });

  test('the table: on demand, TTL on expiry, restorable, encrypted, kept', () => {
    const template = synthesized(stack => workflow(stack));

    template.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Retain',
      Properties: Match.objectLike({
        KeySchema: [{ AttributeName: 'idempotencyKey', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: 'expiry', Enabled: true },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true },
      }),
    });
  });

  const rejected: [string, Partial<IdempotentWorkflowProps>, RegExp][] = [
    [
      'a key without delimiters',
      { idempotencyKey: '$.id' },
      /`idempotencyKey` must be a JSONata expression in \{% %\}.*got \$\.id/,
    ],
    [
      'a key that is no JSONata',
      { idempotencyKey: '{% $states.( %}' },
      /`idempotencyKey` is not valid JSONata 2\.0\.6/,
    ],
    [
      'an operator newer than 2.0.6',
      { idempotencyKey: '{% $states.input.a ?? 1 %}' },
      /not valid JSONata 2\.0\.6/,
    ],
    [
      'a list, which would drop missing parts',
      { idempotencyKey: '{% ([$states.input.a]) %}' },
      /pass the parts as separate/,
    ],
    ['no part', { idempotencyKey: [] }, /at least one part/],
    ['a part without delimiters', { idempotencyKey: [KEY, 'b'] }, /`idempotencyKey\[1\]`/],
    ['a key that is new each time', { idempotencyKey: '{% $uuid() %}' }, /must give the same.*\$uuid/],
    [
      'a payload that is new each time',
      { payload: "{% {'at': $now()} %}" },
      /`payload` must give the same.*\$now/,
    ],
    ['a scope with the separator', { scope: 'a#b' }, /`scope` must have/],
    ['an empty scope', { scope: '' }, /`scope` must have/],
    ['no retention', { retention: Duration.seconds(0) }, /`retention` must be at least one second/],
  ];
  test.each(rejected)('%s: refused with the remedy', (_, props, message) => {
    expect(() => workflow(new Stack(new App(), 'Test'), props)).toThrow(message);
  });
});
