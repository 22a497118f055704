import validateAsl from 'asl-validator';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AttributeType, type ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Alias } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  Choice,
  Condition,
  type IChainable,
  JsonPath,
  Map as MapState,
  Parallel,
  Pass,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { DynamoAttributeValue, DynamoPutItem, LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import {
  Key as EventKey,
  FailureDestination,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  KeepPayload,
  OnFailed,
  OnInProgress,
  RecordTable,
  Recovery,
  Redrive,
  Source,
} from '../../infra/index';
import { expectExample, expectGolden } from '../support/golden';
import {
  type Definition,
  definitionIn,
  newStack,
  someFunction,
  statementsOf,
  synthesized,
} from '../support/synthesize';

const KEY = '{% $states.input.id %}';
const ORDER = '{% $states.input.detail.id %}';

function workflow(scope: Construct, props: Partial<IdempotentWorkflowProps> = {}): IdempotentWorkflow {
  const step = props.step ?? someFunction(scope);
  return new IdempotentWorkflow(scope, 'Pay', { idempotencyKey: KEY, ...props, step });
}

function definition(props: Partial<IdempotentWorkflowProps> = {}): Definition {
  return definitionIn(synthesized(stack => workflow(stack, props)));
}

function dispatcher(props: Partial<IdempotentWorkflowProps>): Definition {
  const template = synthesized(stack => {
    const rule = Source.eventBridge(new EventBus(stack, 'Bus'), { source: ['shop'] });
    workflow(stack, { idempotencyKey: ORDER, ...props }).startFrom(rule);
  });
  return definitionIn(template, /Dispatcher/);
}

function itemOf(claim: unknown): Record<string, unknown> {
  return (claim as { Arguments: { Item: Record<string, unknown> } }).Arguments.Item;
}

/** A chain as CDK makes it where nothing is said of a query language: in JSONPath. */
function orderIn(stack: Construct): IChainable {
  const table = Table.fromTableName(stack, 'Table', 'orders');
  const charge = new LambdaInvoke(stack, 'Charge the order', {
    lambdaFunction: someFunction(stack),
    resultSelector: { 'charge.$': '$.Payload.id' },
    resultPath: '$.payment',
    retryOnServiceExceptions: false,
  });
  const write = new DynamoPutItem(stack, 'Write the order', {
    table,
    item: { order: DynamoAttributeValue.fromString(JsonPath.stringAt('$.idempotencyKey')) },
    resultPath: JsonPath.DISCARD,
  });
  const wait = new Wait(stack, 'Wait for stock', { time: WaitTime.secondsPath('$.input.wait') });
  const each = new MapState(stack, 'Each line', { itemsPath: '$.input.lines', resultPath: '$.lines' });
  const both = new Parallel(stack, 'Reserve and tell', { resultPath: JsonPath.DISCARD });
  const inStock = new Choice(stack, 'In stock?')
    .when(Condition.booleanEquals('$.input.inStock', false), wait.next(both))
    .otherwise(both);
  both.branch(each.itemProcessor(new Pass(stack, 'Reserve')), Pass.jsonata(stack, 'Tell'));
  both.addCatch(new Pass(stack, 'Not reserved'), { resultPath: '$.error' });
  return charge.next(write).next(inStock);
}

/** The states that are not the same in both. */
function changed(one: Definition['States'] = {}, other: Definition['States'] = {}): string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.filter(name => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
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
      'handler-and-evidence',
      () =>
        definition({
          idempotencyKey: EventKey.ofPayload('{% $states.input.detail %}'),
          payload: '{% $states.input.detail.amount %}',
          keepPayload: KeepPayload.redacted("{% $states.input.detail.{'amount': amount} %}"),
          stepInput: { body: '{% $states.input.detail %}', key: '{% $idempotencyKey %}' },
          stepResult: '{% $states.result.body %}',
        }),
    ],
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
    [
      'chain-in-jsonpath',
      () =>
        definitionIn(
          synthesized(stack => workflow(stack, { step: orderIn(stack), stepTimeout: Duration.minutes(2) })),
        ),
    ],
    [
      'waits-at-most-once',
      () =>
        definition({
          onDuplicateInProgress: OnInProgress.wait(Duration.minutes(5)),
          onFailedBefore: OnFailed.returnStoredFailure(),
          delivery: 'at-most-once',
        }),
    ],
    [
      'on-failure',
      () =>
        definitionIn(
          synthesized(stack =>
            workflow(stack, {
              payload: '{% $states.input.amount %}',
              delivery: 'at-most-once',
              onFailure: FailureDestination.queue(new Queue(stack, 'Failures'), { rejections: true }),
            }),
          ),
        ),
    ],
    ['express', () => definition({ type: 'EXPRESS', timeout: Duration.minutes(2) })],
    ['dispatcher', () => dispatcher({ payload: '{% $states.input.detail.amount %}', scope: 'Pay' })],
    ['dispatcher-by-hash', () => dispatcher({ executionNames: 'hash' })],
  ];
  test.each(variants)('%s: the reviewed definition, which a second validator accepts', (name, define) => {
    const asl = define();
    expectGolden(`${name}.asl.json`, asl);
    if (name === 'payload-and-retention') expectExample(asl);
    const checkable = JSON.parse(JSON.stringify(asl).replaceAll(/\$\{[^}]*\}/g, 'x')) as Definition;
    expect(validateAsl(checkable, {}).errors).toEqual([]);
  });

  // So a proof of the one is a proof of the other: they differ in the step's input and the stored result.
  test.each<[string, (scope: Construct) => Partial<IdempotentWorkflowProps>]>([
    ['a function', () => ({})],
    ['a function, at most once', () => ({ delivery: 'at-most-once' })],
    ['a chain', scope => ({ step: Pass.jsonata(scope, 'First'), stepTimeout: Duration.minutes(2) })],
    ['Express', () => ({ type: 'EXPRESS' })],
  ])('a handler as it is, %s: the same states, ways and conditions', (_, more) => {
    const own = { stepInput: '{% $states.input %}', stepResult: '{% $states.result.body %}' };
    const [plain, mapped] = [{}, own].map(props => {
      const { States } = definitionIn(synthesized(stack => workflow(stack, { ...more(stack), ...props })));
      const { Arguments: input } = States['Business step'] as unknown as { Arguments: { Payload?: unknown } };
      const completed = States['Record the result'] as unknown as {
        readonly Arguments: { readonly ExpressionAttributeValues: Record<string, unknown> };
        readonly Output: unknown;
      };
      const values = completed.Arguments.ExpressionAttributeValues;
      const said = [input.Payload ?? input, values[':outcome'], completed.Output];
      values[':outcome'] = {};
      const without = (name: string, member: string) => ({ ...States[name], [member]: {} });
      const graph = {
        ...States,
        'Business step': without('Business step', 'Arguments'),
        'Record the result': without('Record the result', 'Output'),
      };
      return { graph, said };
    });

    expect(mapped?.graph).toEqual(plain?.graph);
    expect(mapped?.said).toEqual([
      expect.stringContaining(own.stepInput.slice(3, -3)),
      expect.stringMatching(/^\{% \( \$result := \(\$states\.input\.body\);/),
      '{% $states.input.body %}',
    ]);
  });

  // As above: the judgement goes by the hash, with and without.
  test.each(['STANDARD', 'EXPRESS'] as const)(
    'a payload that is kept, %s: one attribute and one fact more',
    type => {
      const payload = '{% $states.input.amount %}';
      const [plain, kept] = [false, true].map(
        keepPayload => definition({ type, payload, keepPayload }).States,
      );
      const { payload: attribute, ...item } = itemOf(kept?.['Claim record']);
      expect(attribute).toEqual({ S: expect.stringContaining('($states.input.amount)') });
      expect(item).toEqual(itemOf(plain?.['Claim record']));
      expect(kept?.['Payload mismatch']).toMatchObject({
        Cause: expect.stringContaining("'differingFields'"),
      });
      expect(changed(plain, kept)).toEqual([
        'Claim record',
        'What does the record say?',
        'Payload mismatch',
        'Name the fields that differ',
      ]);
    },
  );

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

  test('the roles: three operations on the table, its step, its own executions, its recovery, nothing else', () => {
    const template = synthesized(stack => workflow(stack));
    // What recovery may do has a test of its own.
    const roles = [/^PayStateMachineRole/, /^PayRedriveFunction/];
    const statements = roles.flatMap(role => statementsOf(template, role));
    const resources = statements.map(({ Resource }) => JSON.stringify(Resource));
    const ownExecutions =
      /^\{[^[]*\["",.*:execution:",\{"Fn::GetAtt":\["PayStateMachine\w+","Name"\]\},":\*"\]\]\}$/;

    expect(statements.map(({ Action }) => Action)).toEqual([
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      'lambda:InvokeFunction',
      'states:DescribeExecution',
      'states:StartExecution',
      'states:RedriveExecution',
    ]);
    expect(resources[0]).toMatch(/^\{"Fn::GetAtt":\["PayRecords\w+","Arn"\]\}$/);
    expect(
      new Set(resources[1]?.match(/"(?:Charge|PayRedriveFunction)\w+"|"Arn"|":\*"/g)?.map(nameIn)),
    ).toEqual(new Set(['Charge', 'Arn', ':*']));
    expect(resources[2]).toMatch(ownExecutions);
    expect(resources[3]).toMatch(/^\{"Ref":"PayRecoveryStateMachine[0-9A-F]{8}"\}$/);
    expect(resources[4]).toMatch(ownExecutions);
  });

  const RECOVERY = /^PayRecoveryStateMachine/;

  /** A logical id without what CDK adds to it. */
  const nameIn = (quoted: string) => quoted.slice(1, -1).replace(/[0-9A-F]{8}$/, '');

  const actionsIn = (template: Template, role: RegExp) =>
    statementsOf(template, role).map(({ Action }) => Action);

  test('at most once: recovery alone may read histories, and those of the workflow only', () => {
    const [once, least] = (['at-most-once', 'at-least-once'] as const).map(delivery =>
      JSON.stringify(
        statementsOf(
          synthesized(stack => workflow(stack, { delivery })),
          /./,
        ).filter(({ Action }) => JSON.stringify(Action).includes('states:GetExecutionHistory')),
      ),
    );

    expect(JSON.parse(once ?? '')).toHaveLength(1);
    expect(once).toMatch(/:execution:.*PayStateMachine/);
    expect(once).not.toContain('PayRecovery');
    expect(least).toBe('[]');
  });

  test('redrives: the function may, the workflow and its recovery may not', () => {
    const template = synthesized(stack => workflow(stack));

    expect(actionsIn(template, /^PayStateMachineRole/).slice(-2)).toEqual([
      'states:DescribeExecution',
      'states:StartExecution',
    ]);
    expect(actionsIn(template, /^PayRedriveFunction/)).toEqual(['states:RedriveExecution']);
    expect(actionsIn(template, /PayRecovery/).flat()).not.toContain('states:RedriveExecution');
    expect(definitionIn(template, RECOVERY).States['Redrive the owner']).toMatchObject({
      Resource: 'arn:aws:states:::lambda:invoke',
    });
  });

  test('redrives directly: recovery may, and there is no function but the step', () => {
    const template = synthesized(stack => workflow(stack, { redrive: Redrive.direct() }));

    expect(actionsIn(template, /^PayStateMachineRole|PayRedrive/).slice(-2)).toEqual([
      'states:DescribeExecution',
      'states:StartExecution',
    ]);
    expect(actionsIn(template, /PayRecovery/).flat()).toContain('states:RedriveExecution');
    expect(definitionIn(template, RECOVERY).States['Redrive the owner']).toMatchObject({
      Resource: 'arn:aws:states:::aws-sdk:sfn:redriveExecution',
    });
    template.resourceCountIs('AWS::Lambda::Function', 1);
  });

  test('Express: the type, its timeout, no policy for executions, no function that redrives', () => {
    const template = synthesized(stack => workflow(stack, { type: 'EXPRESS' }));

    template.resourceCountIs('AWS::Lambda::Function', 1);

    template.hasResourceProperties('AWS::StepFunctions::StateMachine', { StateMachineType: 'EXPRESS' });
    expect(definitionIn(template)).toMatchObject({ TimeoutSeconds: 300 });
    expect(actionsIn(template, /./).filter(one => String(one).startsWith('states:'))).toEqual([]);
  });

  test('a table with a key of the customer: the role may use the key, also to write', () => {
    const template = synthesized(stack => {
      const { table } = new RecordTable(stack, 'Records', { encryptionKey: new Key(stack, 'Key') });
      workflow(stack, { table });
    });

    expect(actionsIn(template, /PayStateMachineRole/)).toContainEqual([
      'kms:Decrypt',
      'kms:Encrypt',
      'kms:GenerateDataKey*',
      'kms:ReEncrypt*',
    ]);
    template.hasResourceProperties('AWS::DynamoDB::Table', { SSESpecification: { SSEType: 'KMS' } });
  });

  test('two workflows, one table, one scope: rejected', () => {
    const stack = newStack();
    const table = new RecordTable(stack, 'Records');
    const step = someFunction(stack);
    new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: KEY, step, table });

    const again = () =>
      new IdempotentWorkflow(stack, 'Refund', { idempotencyKey: KEY, step, table, scope: 'Pay' });
    expect(again).toThrow(
      /`scope` 'Pay' is already used by another workflow on this table. Give each workflow its own `scope`/,
    );
    expect(
      () => new IdempotentWorkflow(stack, 'Charge2', { idempotencyKey: KEY, step, table }),
    ).not.toThrow();
  });

  test('two workflows, one table that is imported twice, one scope: rejected', () => {
    const stack = newStack();
    const step = someFunction(stack);
    const arn = 'arn:aws:dynamodb:eu-west-1:111111111111:table/records';
    const add = (id: string, table: ITable) =>
      new IdempotentWorkflow(stack, id, { idempotencyKey: KEY, step, table, scope: 'Charge' });
    add('Pay', Table.fromTableName(stack, 'A', 'records'));

    expect(() => add('Refund', Table.fromTableArn(stack, 'B', arn))).toThrow(
      /`scope` 'Charge' is already used by another workflow on this table/,
    );
    expect(() => add('Other', Table.fromTableName(stack, 'C', 'other'))).not.toThrow();
  });

  test('a table with another key: rejected', () => {
    const stack = newStack();
    const table = new Table(stack, 'Other', { partitionKey: { name: 'id', type: AttributeType.STRING } });

    workflow(stack, { table });
    expect(() => Template.fromStack(stack)).toThrow(/must have the partition key idempotencyKey, got id/);
  });

  test('a table with a sort key: rejected', () => {
    const stack = newStack();
    const table = new Table(stack, 'Other', {
      partitionKey: { name: 'idempotencyKey', type: AttributeType.STRING },
      sortKey: { name: 'at', type: AttributeType.STRING },
    });

    workflow(stack, { table });
    expect(() => Template.fromStack(stack)).toThrow(/`table` must have no sort key, got at/);
  });

  test('a value that is not a source: rejected', () => {
    expect(() => workflow(newStack()).startFrom(undefined as never)).toThrow(/takes a source/);
  });

  test('names that the expression itself binds: allowed', () => {
    const payload = '{% ( $id := $states.input.id; $f := function($x) { $uppercase($x) }; $f($id) ) %}';
    expect(() => definition({ payload, idempotencyKey: EventKey.ofPayload(payload) })).not.toThrow();
  });

  test('the execution name as the key: allowed without recovery, the caller gave it', () => {
    const idempotencyKey = '{% $states.context.Execution.Name %}';

    expect(() => definition({ idempotencyKey, recovery: Recovery.none() })).not.toThrow();
    expect(() => definition({ idempotencyKey })).toThrow(/\$states\.context has other values/);
  });

  test('the table: on demand, TTL on expiry, restorable, encrypted, kept', () => {
    const template = synthesized(stack => workflow(stack));

    template.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: Match.objectLike({
        KeySchema: [{ AttributeName: 'idempotencyKey', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: 'expiry', Enabled: true },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true },
      }),
    });
  });

  test('a table that is to go with its stack: goes', () => {
    const template = synthesized(stack => {
      new RecordTable(stack, 'Records', { removalPolicy: RemovalPolicy.DESTROY });
    });

    template.hasResource('AWS::DynamoDB::Table', { DeletionPolicy: 'Delete' });
  });
});
