import validateAsl from 'asl-validator';
import { Duration } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import {
  DefinitionBody,
  type IChainable,
  Pass,
  QueryLanguage,
  StateMachine,
  StateMachineType,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { IdempotentFragment, type MachineRecoveryOptions, RecordTable, Recovery } from '../../infra/index';
import { expectGolden } from '../support/golden';
import { type Definition, definitionIn, newStack, someFunction } from '../support/synthesize';

/** A machine of a team with two fragments, of steps of 10 s and of a minute. */
function orders(scope: Construct) {
  const table = new RecordTable(scope, 'Records');
  const fragment = (id: string, timeout: Duration) =>
    new IdempotentFragment(scope, id, {
      table,
      idempotencyKey: '{% $states.input.orderId %}',
      step: someFunction(new Construct(scope, `${id}Function`), { timeout }),
    });
  const reserve = fragment('Reserve', Duration.seconds(10));
  const charge = fragment('Charge', Duration.minutes(1));
  const machine = machineOf(scope, reserve.next(charge));
  return { machine, reserve, charge };
}

function machineOf(scope: Construct, body: IChainable, stateMachineType = StateMachineType.STANDARD) {
  return new StateMachine(scope, 'Orders', {
    stateMachineType,
    queryLanguage: QueryLanguage.JSONATA,
    definitionBody: DefinitionBody.fromChainable(body),
  });
}

function recovered(options?: MachineRecoveryOptions): Template {
  const stack = newStack();
  const { machine, reserve, charge } = orders(stack);
  reserve.grantTo(machine);
  charge.grantTo(machine);
  Recovery.of(machine, options);
  return Template.fromStack(stack);
}

const textOf = (value: unknown) => JSON.stringify(value);

describe('Recovery.of', () => {
  test('the reviewed definition, which a second validator accepts', () => {
    const asl = definitionIn(recovered(), /^OrdersRecoveryStateMachine/);

    expectGolden('recovery-of-a-machine.asl.json', asl);
    const checkable = JSON.parse(textOf(asl).replaceAll(/\$\{[^}]*\}/g, 'x')) as Definition;
    expect(validateAsl(checkable, {}).errors).toEqual([]);
  });

  test('what it waits for: the longest of the steps, or what is said to take longer', () => {
    const waitIn = (template: Template) =>
      textOf(definitionIn(template, /^OrdersRecoveryStateMachine/).States['Let its time pass']);

    expect(waitIn(recovered())).toContain('$max([90, ');
    expect(waitIn(recovered({ stepTimeout: Duration.minutes(15) }))).toContain('$max([900, ');
  });

  test('the rules: ends of this state machine, but for what a fragment has settled; a schedule', () => {
    const template = recovered({ searchEvery: Duration.minutes(5) });

    template.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(5 minutes)' });
    const details = Object.values(template.findResources('AWS::Events::Rule')).flatMap(
      ({ Properties }) => Properties.EventPattern?.detail ?? [],
    );
    expect(details).toMatchObject([{ stateMachineArn: [{ Ref: expect.stringMatching(/^Orders/) }] }]);
    const [{ 'anything-but': settled }] = details[0].error;
    expect(settled).toEqual(expect.arrayContaining(['Idempotency.InProgress', 'Idempotency.Stopped']));
    expect(settled).not.toEqual(expect.arrayContaining(['Idempotency.TableRefused']));
  });

  test('its role: ask about executions and their histories, and start; no record', () => {
    const policies = Object.values(recovered().findResources('AWS::IAM::Policy')).filter(({ Properties }) =>
      textOf(Properties.Roles).includes('OrdersRecoveryStateMachineRole'),
    );
    const actions = policies.flatMap(({ Properties }) =>
      Properties.PolicyDocument.Statement.flatMap(({ Action }: { Action: string | string[] }) => Action),
    );

    expect([...new Set(actions)].sort()).toEqual([
      'states:DescribeExecution',
      'states:GetExecutionHistory',
      'states:StartExecution',
    ]);
  });

  test('no fragment was granted: refused with the remedy', () => {
    const stack = newStack();
    const machine = machineOf(stack, new Pass(stack, 'Ship'));

    expect(() => Recovery.of(machine)).toThrow(
      'Test/Orders: `Recovery.of` takes a state machine with IdempotentFragments; call their `grantTo(stateMachine)`',
    );
  });

  test('a fragment that is granted later: refused at synth', () => {
    const stack = newStack();
    const { machine, reserve, charge } = orders(stack);
    reserve.grantTo(machine);
    Recovery.of(machine);
    charge.grantTo(machine);

    expect(() => Template.fromStack(stack)).toThrow(
      'Test/Orders: `Recovery.of` knows the fragments that were granted before; call it last',
    );
  });

  test('twice for one state machine: refused', () => {
    const stack = newStack();
    const { machine, reserve, charge } = orders(stack);
    reserve.grantTo(machine);
    charge.grantTo(machine);
    Recovery.of(machine);

    expect(() => Recovery.of(machine)).toThrow('Test/Orders: the state machine has recovery already');
  });

  test.each([
    ['an unknown option', { every: 5 }, /Recovery.of has no option `every`/],
    ['a stepTimeout that is no Duration', { stepTimeout: 5 }, /`stepTimeout` takes a Duration.*got 5/],
    [
      'a searchEvery of seconds',
      { searchEvery: Duration.seconds(5) },
      /Test\/Orders: `searchEvery` takes whole/,
    ],
  ])('%s: refused, with the path of the state machine', (_, options, message) => {
    expect(() => recovered(options as unknown as MachineRecoveryOptions)).toThrow(message);
  });
});
