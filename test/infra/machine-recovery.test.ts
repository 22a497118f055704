import validateAsl from 'asl-validator';
import { Duration, Lazy } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import {
  CustomerManagedEncryptionConfiguration,
  DefinitionBody,
  type IChainable,
  Pass,
  QueryLanguage,
  StateMachine,
  type StateMachineProps,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import {
  type IdempotencyKey,
  IdempotentFragment,
  type IdempotentFragmentProps,
  type MachineRecoveryOptions,
  RecordTable,
  Recovery,
} from '../../infra/index';
import { expectGolden } from '../support/golden';
import { type Definition, definitionIn, newStack, someFunction, statementsOf } from '../support/synthesize';

/** What may be said of a machine and its second fragment. */
interface Given {
  readonly retention?: Duration;
  readonly failedRetention?: Duration;
  readonly idempotencyKey?: IdempotencyKey;
  readonly payload?: string;
  /** The timeout of its step. @default - a minute */
  readonly timeout?: Duration;
  /** The key that encrypts executions, defined within the stack. */
  readonly key?: (scope: Construct) => IKey;
}

/** A machine of a team with two fragments, of steps of 10 s and of a minute. */
function orders(scope: Construct, { key, timeout = Duration.minutes(1), ...retentions }: Given = {}) {
  const table = new RecordTable(scope, 'Records');
  const fragment = (id: string, timeout: Duration, props: Partial<IdempotentFragmentProps> = {}) =>
    new IdempotentFragment(scope, id, {
      table,
      idempotencyKey: '{% $states.input.orderId %}',
      step: someFunction(new Construct(scope, `${id}Function`), { timeout }),
      ...props,
    });
  const reserve = fragment('Reserve', Duration.seconds(10));
  const charge = fragment('Charge', timeout, retentions);
  const encryption = key && {
    encryptionConfiguration: new CustomerManagedEncryptionConfiguration(key(scope)),
  };
  const machine = machineOf(scope, reserve.next(charge), encryption);
  return { machine, reserve, charge };
}

function machineOf(scope: Construct, body: IChainable, props: Partial<StateMachineProps> = {}) {
  return new StateMachine(scope, 'Orders', {
    queryLanguage: QueryLanguage.JSONATA,
    definitionBody: DefinitionBody.fromChainable(body),
    ...props,
  });
}

function recovered(options?: MachineRecoveryOptions, given?: Given): Template {
  const stack = newStack();
  const { machine, reserve, charge } = orders(stack, given);
  reserve.grantTo(machine);
  charge.grantTo(machine);
  Recovery.of(machine, options);
  return Template.fromStack(stack);
}

const textOf = (value: unknown) => JSON.stringify(value);

/** What the role of recovery may do. */
const statementsIn = (template: Template) => statementsOf(template, /^OrdersRecoveryStateMachineRole/);

describe('Recovery.of', () => {
  test('the reviewed definition, which a second validator accepts', () => {
    const asl = definitionIn(recovered(), /^OrdersRecoveryStateMachine/);

    expectGolden('recovery-of-a-machine.asl.json', asl);
    const checkable = JSON.parse(textOf(asl).replaceAll(/\$\{[^}]*\}/g, 'x')) as Definition;
    expect(validateAsl(checkable, {}).errors).toEqual([]);
  });

  test('what it waits for: the longest of the steps, or what is said to take longer', () => {
    const waitIn = (template: Template) =>
      textOf(definitionIn(template, /^OrdersRecoveryStateMachine/).States['Wait until nothing can act']);

    expect(waitIn(recovered())).toContain('$max([90, ');
    expect(waitIn(recovered({ stepTimeout: Duration.minutes(15) }))).toContain('$max([900, ');
  });

  test('the rules: ends of this state machine, except those that a fragment has settled; a schedule', () => {
    const template = recovered({ searchEvery: Duration.minutes(5) });

    template.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(5 minutes)' });
    const details = Object.values(template.findResources('AWS::Events::Rule')).flatMap(
      ({ Properties }) => Properties.EventPattern?.detail ?? [],
    );
    expect(details).toMatchObject([{ stateMachineArn: [{ Ref: expect.stringMatching(/^Orders/) }] }]);
    const [{ 'anything-but': settled }] = details[0].error;
    expect(settled).toEqual(expect.arrayContaining(['Idempotency.InProgress', 'Idempotency.Stopped']));
  });

  test('its role: ask about executions and their histories, list them, and start; no record', () => {
    const actions = statementsIn(recovered()).flatMap(({ Action }) => Action);

    expect([...new Set(actions)].sort()).toEqual([
      'states:DescribeExecution',
      'states:GetExecutionHistory',
      'states:ListExecutions',
      'states:StartExecution',
    ]);
  });

  test('its role: reads histories of the state machine only, and describes its own executions as well', () => {
    const statements = statementsIn(recovered());
    const resources = (action: string) =>
      textOf(statements.filter(({ Action }) => Action === action).map(({ Resource }) => Resource));

    expect(resources('states:GetExecutionHistory')).toMatch(/Orders[0-9A-F]{8}/);
    expect(resources('states:GetExecutionHistory')).not.toContain('OrdersRecovery');
    expect(resources('states:DescribeExecution')).toContain('OrdersRecoveryStateMachine');
  });

  const ARN = 'arn:aws:kms:us-east-1:111111111111:key/1234';
  test.each<[string, Given['key'], unknown]>([
    [
      'a key of the app',
      scope => new Key(scope, 'Key'),
      { 'Fn::GetAtt': [expect.stringMatching(/^Key/), 'Arn'] },
    ],
    ['a key from elsewhere', scope => Key.fromKeyArn(scope, 'Key', ARN), ARN],
  ])('executions that %s encrypts: its role may start and read them', (_, key, Resource) => {
    const statements = statementsIn(recovered({}, key && { key }));

    expect(statements).toContainEqual({
      Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
      Condition: { ArnLike: { 'kms:EncryptionContext:aws:states:stateMachineArn': expect.anything() } },
      Effect: 'Allow',
      Resource,
    });
  });

  test.each<[string, Given]>([
    ['retention', { retention: Duration.minutes(40) }],
    ['failedRetention', { failedRetention: Duration.minutes(40) }],
  ])('a short %s of a fragment: searched four times within it', (_, given) => {
    recovered({}, given).hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(10 minutes)',
    });
  });

  test('records that may be gone before a step has certainly ended: rejected', () => {
    const shortest = (seconds: number) => () => recovered({}, { failedRetention: Duration.seconds(seconds) });

    expect(shortest(200)).toThrow(
      /\[Test\/Orders\/Recovery\] `Recovery.of` must redeliver within half .* more than 200 seconds here, got 200\. Give the/,
    );
    expect(shortest(201)).not.toThrow();
  });

  const NAME = '{% $states.context.Execution.Name %}';

  test.each<[string, Given]>([
    ['a key of the name of the execution', { idempotencyKey: NAME }],
    ['a part of a key', { idempotencyKey: ['{% $states.input.orderId %}', NAME] }],
    ['a payload', { payload: NAME }],
  ])('%s: rejected, because recovery starts another execution', (_, given) => {
    expect(() => recovered({}, given)).toThrow(
      /^Test\/Orders: `recovery` delivers an input again in another execution, .*: instead of \{% \$states\.context\.Execution\.Name %\}, take `idempotencyKey` and `payload` from \$states\.input$/,
    );
  });

  test('a key of the input of the execution, which recovery starts again: accepted', () => {
    const idempotencyKey = '{% $states.context.Execution.Input.orderId %}';

    expect(() => recovered({}, { idempotencyKey })).not.toThrow();
  });

  test('a retention that is known at deployment only: not checked', () => {
    const retention = Duration.seconds(Lazy.number({ produce: () => 86_401 }));

    expect(textOf(definitionIn(recovered({}, { retention }), /^OrdersRecoveryStateMachine/))).toContain(
      '86401',
    );
  });

  test('no fragment was granted: rejected with the remedy', () => {
    const stack = newStack();
    const machine = machineOf(stack, new Pass(stack, 'Ship'));

    expect(() => Recovery.of(machine)).toThrow(
      'Test/Orders: `Recovery.of` needs a state machine with IdempotentFragments. Call their `grantTo(stateMachine)`',
    );
  });

  test('a fragment that is granted later: rejected at synth', () => {
    const stack = newStack();
    const { machine, reserve, charge } = orders(stack);
    reserve.grantTo(machine);
    Recovery.of(machine);
    charge.grantTo(machine);

    expect(() => Template.fromStack(stack)).toThrow(
      'Test/Orders: `Recovery.of` knows the fragments that were granted before; call it last',
    );
  });

  test('twice for one state machine: rejected', () => {
    const stack = newStack();
    const { machine, reserve, charge } = orders(stack);
    reserve.grantTo(machine);
    charge.grantTo(machine);
    Recovery.of(machine);

    expect(() => Recovery.of(machine)).toThrow('Test/Orders: the state machine already has recovery');
  });

  test.each([
    ['an unknown option', { every: 5 }, /Recovery.of has no option `every`/],
    [
      'redeliverFailed, which is for workflows',
      { redeliverFailed: { maxAttempts: 3 } },
      /Test\/Orders: Recovery.of has no option `redeliverFailed`/,
    ],
    ['a stepTimeout that is no Duration', { stepTimeout: 5 }, /`stepTimeout` takes a Duration.*got 5/],
    [
      'a stepTimeout that is known at deployment only',
      { stepTimeout: Duration.seconds(Lazy.number({ produce: () => 5 })) },
      /Test\/Orders: `stepTimeout` must be a time that is known at synth/,
    ],
    [
      'a searchEvery of seconds',
      { searchEvery: Duration.seconds(5) },
      /Test\/Orders: `searchEvery` must be whole/,
    ],
  ])('%s: rejected, with the path of the state machine', (_, options, message) => {
    expect(() => recovered(options as unknown as MachineRecoveryOptions)).toThrow(message);
  });
});
