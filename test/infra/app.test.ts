import { App, Stack, Validations } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { PaymentsStack } from '../../infra/app/stack';
import { IdempotentWorkflow, Monitoring, RecordTable, Recovery, Source } from '../../infra/index';
import { everySource } from '../support/every-source';
import { someFunction } from '../support/synthesize';

describe('the reference app', () => {
  const template = Template.fromStack(
    new PaymentsStack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Payments'),
  );

  test('the rule: OrderPlaced of shop.orders, to the dispatcher', () => {
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { source: ['shop.orders'], 'detail-type': ['OrderPlaced'] },
      State: 'ENABLED',
    });
  });

  test('synthesis says nothing: no warning, no error', () => {
    const stack = new PaymentsStack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Payments');
    const annotations = Annotations.fromStack(stack);
    const said = [
      ...annotations.findWarning('*', Match.anyValue()),
      ...annotations.findError('*', Match.anyValue()),
    ];

    expect(said.map(({ id, entry }) => `${id}: ${entry.data}`)).toEqual([]);
  });

  test('the business function: may update the ledger, nothing else', () => {
    const policies = Object.entries(template.findResources('AWS::IAM::Policy'));
    const [, own] = policies.find(([id]) => id.startsWith('ChargePaymentFunction')) ?? [];

    expect(own?.['Properties']['PolicyDocument']['Statement']).toEqual([
      expect.objectContaining({ Action: 'dynamodb:UpdateItem', Effect: 'Allow' }),
    ]);
  });
});

describe('the AwsSolutions rules of cdk-nag', () => {
  const checkedApp = () => {
    const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    return app;
  };

  test('the reference app: no finding that is not acknowledged with its reason', () => {
    const app = checkedApp();
    new PaymentsStack(app, 'Payments');

    expect(() => app.synth()).not.toThrow();
  });

  test('a queue in the clear: found', () => {
    const app = checkedApp();
    new Queue(new Stack(app, 'Careless'), 'Queue');

    expect(() => app.synth()).toThrow(/SQS/);
  });

  test('every source with keys of the customer: what is left in our resources is for the team to decide', () => {
    const app = checkedApp();
    const stack = new Stack(app, 'All');
    const table = new RecordTable(stack, 'Records', { encryptionKey: new Key(stack, 'TableKey') });
    const recovery = Recovery.automatic({ redeliverFailed: { maxAttempts: 3 } });
    everySource(stack, { table, metrics: true, encryptionKey: new Key(stack, 'Key'), recovery });

    const findings = findingsOf(app).matchAll(/^ +All\/(\S+) .*\n.*AwsSolutions::AwsSolutions-(.*)'$/gm);
    const ours = [...findings]
      .filter(([, path = '']) => /^(?:Pay|Records)\//.test(path))
      .map(([, , rule]) => rule);

    // The team decides who may call the API (APIG4, COG4), and whether it has a firewall (APIG3).
    expect(new Set(ours)).toEqual(new Set(['APIG3', 'APIG4', 'COG4']));
  });

  test('every construct of the package with every option: nothing beside what the function of the team brings', () => {
    const app = checkedApp();
    const stack = new Stack(app, 'Options');
    Validations.of(stack).acknowledge({ id: 'AwsSolutions::AwsSolutions-L1', reason: "the team's" });
    const step = someFunction(stack);
    Validations.of(step).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      reason: "the team's",
    });
    const idempotencyKey = '{% $states.input.detail.id %}';
    const bus = Source.eventBridge(new EventBus(stack, 'Bus'), { source: ['shop'] });
    const workflow = { idempotencyKey, step };
    new IdempotentWorkflow(stack, 'Held', {
      ...workflow,
      delivery: 'at-most-once',
    });
    const recovery = Recovery.automatic({ redeliverFailed: { maxAttempts: 3 } });
    const counted = new IdempotentWorkflow(stack, 'Counted', { ...workflow, metrics: true, recovery });
    new Monitoring(stack, 'Monitoring', { workflow: counted.startFrom(bus) });
    new IdempotentWorkflow(stack, 'Express', { ...workflow, type: 'EXPRESS' }).startFrom(bus);

    expect(() => app.synth()).not.toThrow();
  });
});

/** What the rules find, as text. */
function findingsOf(app: App): string {
  try {
    app.synth();
  } catch (error) {
    return String(error);
  }
  return '';
}
