import { App, Aspects, Duration, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentWorkflow, type IdempotentWorkflowProps, RecordTable, Source } from '../../infra/index';
import { definitionParts } from '../support/definition-parts';

type Given = Partial<IdempotentWorkflowProps>;

interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

const KEY = '{% $states.input.detail.orderId %}';
const stepTimeout = Duration.minutes(15);
const MACHINE = 'AWS::StepFunctions::StateMachine';

/** The template of a stack with workflows of these names. Each has a bus. */
function templateOf(workflows: Readonly<Record<string, Given>>, change = (_: Stack) => {}) {
  const app = new App({ context: { '@aws-cdk/aws-iam:minimizePolicies': true } });
  const stack = new Stack(app, 'Test');
  const functionArn = 'arn:aws:lambda:us-east-1:111111111111:function:charge';
  const step = LambdaFunction.fromFunctionAttributes(stack, 'Step', { functionArn, sameEnvironment: true });
  const bus = new EventBus(stack, 'Bus');
  for (const [id, given] of Object.entries(workflows)) {
    const workflow = new IdempotentWorkflow(stack, id, { idempotencyKey: KEY, step, stepTimeout, ...given });
    workflow.startFrom(Source.eventBridge(bus, { source: ['shop.orders'] }));
  }
  change(stack);
  const { template } = app.synth().getStackByName('Test');
  return template as {
    Resources: Record<string, Resource>;
    Mappings?: Record<string, Record<string, Record<string, string>>>;
  };
}

/** The definitions as CloudFormation deploys them, by logical id. */
function definitionsIn(template: ReturnType<typeof templateOf>): Record<string, unknown> {
  const machines = Object.entries(template.Resources).filter(([, { Type }]) => Type === MACHINE);
  return Object.fromEntries(
    machines.map(([id, { Properties }]) => {
      const parts = definitionParts(template, Properties);
      return [id, JSON.parse(parts.map(one => (typeof one === 'string' ? one : name(one))).join(''))];
    }),
  );
}

const name = (reference: unknown) =>
  Object.values(reference as object)
    .flat()
    .join('.');

const sharing = ({ Resources }: ReturnType<typeof templateOf>) =>
  Object.keys(Resources).filter(id => Resources[id]?.Properties?.['DefinitionSubstitutions'] !== undefined);

const OTHER: Given = {
  idempotencyKey: '{% $states.input.detail.refund.id %}',
  scope: 'Refunds',
  retention: Duration.days(30),
  stepTimeout: Duration.seconds(77),
};

describe('definitions of several workflows', () => {
  test('one workflow has its definitions in its resources', () => {
    const template = templateOf({ Pay: {} });

    expect(template.Mappings).toBeUndefined();
    expect(sharing(template)).toEqual([]);
  });

  test.each<[string, Given, Given]>([
    ['the same options', {}, {}],
    ['another key, scope, retention and step time', {}, OTHER],
    [
      'another payload',
      { payload: '{% $states.input.detail.a %}' },
      { payload: '{% $states.input.detail %}' },
    ],
    ['a key with quotes', {}, { idempotencyKey: `{% $states.input.detail."the 'id'" %}` }],
    ['a scope of a letter', { scope: 'e' }, { scope: 'Type' }],
    ['a time that other waits have as well', { stepTimeout: Duration.seconds(60) }, {}],
    ['other keys', { idempotencyKey: ['{% $states.input.detail.a %}', '{% $states.input.detail.b %}'] }, {}],
    [
      'other guarantees',
      { delivery: 'at-most-once' },
      { type: 'EXPRESS', stepTimeout: Duration.seconds(20) },
    ],
  ])('%s: each has the definitions that it has alone', (_name, one, other) => {
    const together = definitionsIn(templateOf({ One: one, Other: other }));

    expect(together).toEqual({
      ...definitionsIn(templateOf({ One: one })),
      ...definitionsIn(templateOf({ Other: other })),
    });
  });

  test('two with other values: each text is in the template once', () => {
    const template = templateOf({ Pay: {}, Refund: OTHER });

    expect(sharing(template)).toHaveLength(8);
    expect(Object.keys(template.Mappings?.['OnceflowDefinitions'] ?? {})).toHaveLength(4);
    const alone = JSON.stringify(templateOf({ Pay: {} })).length;
    expect(JSON.stringify(template).length).toBeLessThan(1.4 * alone);
  });

  test('a text with a placeholder of its own: CloudFormation is not given it', () => {
    const idempotencyKey = "{% $states.input.detail.'${Value1}' %}";

    const template = templateOf({ Pay: { idempotencyKey }, Refund: { idempotencyKey } });

    expect(sharing(template).filter(id => !id.includes('Search'))).toEqual([]);
    expect(JSON.stringify(definitionsIn(template))).toContain('${Value1}');
  });

  test('a definition that an aspect or an override changes is its own', () => {
    const template = templateOf({ Pay: {}, Refund: {}, Ship: {} }, stack => {
      Aspects.of(stack).add(
        {
          visit: node => {
            if (
              !(node instanceof CfnStateMachine) ||
              !node.node.path.endsWith('/Refund/StateMachine/Resource')
            )
              return;
            node.definitionString = '{"StartAt":"End","States":{"End":{"Type":"Succeed"}}}';
            node.definitionSubstitutions = undefined;
          },
        },
        { priority: 2000 },
      );
    });

    const changed =
      Object.keys(template.Resources).find(id => /^RefundStateMachine[0-9A-F]{8}$/.test(id)) ?? '';
    expect(definitionsIn(template)[changed]).toMatchObject({ StartAt: 'End' });
    expect(sharing(template)).toHaveLength(11);
  });

  test('a table of another stack: each refers to its export', () => {
    const app = new App();
    const { table } = new RecordTable(new Stack(app, 'Tables'), 'Records');
    const stack = new Stack(app, 'Test');
    const step = LambdaFunction.fromFunctionName(stack, 'Step', 'charge');
    for (const scope of ['Pay', 'Refund'])
      new IdempotentWorkflow(stack, scope, { idempotencyKey: KEY, step, stepTimeout, table, scope });

    const { template } = app.synth().getStackByName('Test');

    const shared = Object.values<Resource>(template.Resources).flatMap(
      ({ Properties }) => Properties?.['DefinitionSubstitutions'] ?? [],
    );
    expect(shared).toHaveLength(6);
    expect(JSON.stringify(shared)).toContain('Tables:ExportsOutput');
  });
});
