import { App, Duration, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus, type EventPattern } from 'aws-cdk-lib/aws-events';
import { ArnPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Pass } from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentWorkflow, type IdempotentWorkflowProps, Source } from '../../infra/index';
import { definitionParts } from '../support/definition-parts';
import { grantsIn, newStack, someFunction } from '../support/synthesize';

const KEY = '{% $states.input.detail.orderId %}';

/** Workflows of one stack, each with a step and a pattern of its own. */
function stackOf(names: readonly string[], hasBus: boolean, props: Partial<IdempotentWorkflowProps> = {}) {
  const stack = new Stack(new App({ context: { '@aws-cdk/aws-iam:minimizePolicies': true } }), 'Shop');
  const bus = EventBus.fromEventBusName(stack, 'Bus', 'shop');
  for (const name of names) {
    const step = LambdaFunction.fromFunctionName(stack, `${name}Step`, `${name}-step`);
    const stepTimeout = Duration.seconds(30);
    const workflow = new IdempotentWorkflow(stack, name, {
      idempotencyKey: KEY,
      step,
      stepTimeout,
      ...props,
    });
    const pattern: EventPattern = { source: ['shop'], detailType: [name] };
    if (hasBus) workflow.startFrom(Source.eventBridge(bus, pattern));
  }
  return stack;
}

const namesOf = (count: number) => Array.from({ length: count }, (_, at) => `Work${at}Flow`);

/** Resources of a stack, and bytes of its template as CDK writes it. */
function sizeOf(count: number, hasBus: boolean) {
  const template = Template.fromStack(stackOf(namesOf(count), hasBus)).toJSON();
  return {
    resources: Object.keys(template['Resources']).length,
    bytes: JSON.stringify(template, null, 1).length,
  };
}

describe('workflows in one stack', () => {
  test.each([
    ['with a bus', true, 22, 20],
    ['without a source', false, 13, 12],
  ])(
    '%s: twenty fit, each with no more resources and bytes than the page of limits says',
    (_, hasBus, first, further) => {
      const [one, two, twenty] = [sizeOf(1, hasBus), sizeOf(2, hasBus), sizeOf(20, hasBus)];

      expect([one.resources, two.resources, twenty.resources]).toEqual([
        first,
        first + further,
        first + 19 * further,
      ]);
      expect((twenty.bytes - one.bytes) / 19).toBeLessThan(30_000);
      expect(twenty.bytes).toBeLessThan(650_000);
    },
  );
});

type Resources = Readonly<
  Record<string, { readonly Type: string; readonly Properties: Record<string, unknown> }>
>;

/** The resources of one workflow, with the definitions that CloudFormation deploys. */
function resourcesOf(name: string, stack: Stack): Record<string, unknown> {
  const template = Template.fromStack(stack).toJSON();
  const own = Object.entries(template['Resources'] as Resources).filter(([id]) => id.startsWith(name));
  return Object.fromEntries(
    own.map(([id, resource]) => {
      if (resource.Type !== 'AWS::StepFunctions::StateMachine') return [id, resource];
      const { DefinitionString: _, DefinitionSubstitutions: _values, ...others } = resource.Properties;
      const parts = definitionParts(template, resource.Properties);
      const definition = parts.map(one => (typeof one === 'string' ? one : JSON.stringify(one))).join('');
      return [id, { ...resource, Properties: { ...others, definition } }];
    }),
  );
}

describe('two workflows of one stack', () => {
  test('each has the resources that it has alone: neither removal nor replacement changes the other one', () => {
    const together = stackOf(['Pay', 'Refund'], true);

    expect(resourcesOf('Pay', together)).toEqual(resourcesOf('Pay', stackOf(['Pay'], true)));
    expect(resourcesOf('Refund', together)).toEqual(resourcesOf('Refund', stackOf(['Refund'], true)));
  });

  test('no role may do anything with what belongs to the other one', () => {
    const grants = grantsIn(Template.fromStack(stackOf(['Pay', 'Refund'], true, { metrics: true })));
    const other = (role: string) => (role.startsWith('Pay') ? '"Refund' : '"Pay');

    expect(grants).toHaveLength(12);
    for (const [role, statements] of grants) {
      expect(statements).not.toEqual([]);
      expect([role, JSON.stringify(statements)]).toEqual([role, expect.not.stringContaining(other(role))]);
    }
  });

  test('they share two log groups, and those that a key encrypts or metrics count share none', () => {
    const groups = (
      props: Partial<IdempotentWorkflowProps>,
      stack = stackOf(['Pay', 'Refund'], true, props),
    ) =>
      Object.keys(Template.fromStack(stack).findResources('AWS::Logs::LogGroup')).map(id => id.slice(0, -8));

    expect(groups({})).toEqual(['OnceflowFunctionLogs', 'OnceflowStartLogs']);
    expect(groups({ metrics: true }).sort()).toEqual([
      'OnceflowFunctionLogs',
      'PayLogs',
      'PaySourceBusDispatcherLogs',
      'RefundLogs',
      'RefundSourceBusDispatcherLogs',
    ]);
    const keys = new Stack(new App(), 'Keys');
    const encryptionKey = Key.fromKeyArn(keys, 'Key', 'arn:aws:kms:us-east-1:111111111111:key/1');
    expect(groups({ encryptionKey }).sort()).toEqual([
      'PayRedriveFunctionLogs',
      'PaySourceBusDispatcherLogs',
      'RefundRedriveFunctionLogs',
      'RefundSourceBusDispatcherLogs',
    ]);
  });
});

describe('the grants of a role', () => {
  const policiesOf = (template: Template, role: RegExp) =>
    Object.entries(template.findResources('AWS::IAM::Policy'))
      .filter(([, { Properties }]) =>
        Properties.Roles.some((one: { Ref?: string }) => role.test(String(one.Ref))),
      )
      .map(([id]) => id.slice(0, -8));
  const workflow = (stack: Stack, props: Partial<IdempotentWorkflowProps>) =>
    new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: KEY, step: someFunction(stack), ...props });

  test('are in the role itself, except what names executions', () => {
    const stack = newStack();
    workflow(stack, {});

    expect(policiesOf(Template.fromStack(stack), /./)).toEqual(['PayOwnExecutions']);
  });

  test('may name a key whose policy names the role: they stay in a policy', () => {
    const stack = newStack();
    const encryptionKey = new Key(stack, 'Key');
    const { stateMachine } = workflow(stack, { encryptionKey });
    encryptionKey.grantDecrypt(new ArnPrincipal(stateMachine.role.roleArn));

    // Template.fromStack rejects circular dependencies.
    expect(policiesOf(Template.fromStack(stack), /^PayStateMachineRole/)).toContain(
      'PayStateMachineRoleDefaultPolicy',
    );
  });

  test("of a workflow whose step is a team's states, which can call what names the role: they stay in a policy", () => {
    const stack = newStack();
    const { stateMachine } = workflow(stack, {
      step: Pass.jsonata(stack, 'Reserve'),
      stepTimeout: Duration.seconds(9),
    });
    const called = new Role(stack, 'Called', { assumedBy: new ArnPrincipal(stateMachine.role.roleArn) });
    called.grantAssumeRole(stateMachine.role);

    expect(policiesOf(Template.fromStack(stack), /^PayStateMachineRole/)).toContain(
      'PayStateMachineRoleDefaultPolicy',
    );
  });

  test('that an app adds later are in the role', () => {
    const stack = newStack();
    const { stateMachine } = workflow(stack, {});
    new EventBus(stack, 'Bus').grantPutEventsTo(stateMachine);
    const grants = new Map(grantsIn(Template.fromStack(stack)));
    const [, statements] = [...grants].find(([role]) => role.startsWith('PayStateMachineRole')) ?? [];

    expect(JSON.stringify(statements)).toContain('events:PutEvents');
  });

  test('a role of another app has a policy of its own, without a condition on its ARN', () => {
    const stack = newStack();
    workflow(stack, { role: Role.fromRoleName(stack, 'Role', 'payments') });
    const policies = Object.values(Template.fromStack(stack).findResources('AWS::IAM::Policy'));
    const own = policies.filter(one => one['Properties'].Roles.includes('payments'));

    expect(own.length).toBeGreaterThan(0);
    expect(JSON.stringify(own)).toContain('states:DescribeExecution');
    expect(JSON.stringify(own)).not.toContain('aws:PrincipalArn');
    expect(JSON.stringify(policies)).toContain('aws:PrincipalArn');
  });
});
