import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { PaymentsStack } from '../../infra/app/stack';

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

  test('the business function: may update the ledger, nothing else', () => {
    const policies = Object.entries(template.findResources('AWS::IAM::Policy'));
    const [, own] = policies.find(([id]) => id.startsWith('ChargePaymentFunction')) ?? [];

    expect(own?.['Properties']['PolicyDocument']['Statement']).toEqual([
      expect.objectContaining({ Action: 'dynamodb:UpdateItem', Effect: 'Allow' }),
    ]);
  });
});
