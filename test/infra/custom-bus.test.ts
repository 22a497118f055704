import { Match, Template } from 'aws-cdk-lib/assertions';
import { startFromCustomBus } from '../../docs/guide/snippets/custom-bus';
import { IdempotentWorkflow } from '../../infra/index';
import { newStack, someFunction } from '../support/synthesize';

const BUS = 'arn:aws:events:us-east-1:111111111111:event-busv2/orders/1a2b3c4d5e6f7g8h9i0j1k2l3';

describe('a workflow whose queue a subscriber of a custom event bus writes to', () => {
  const stack = newStack();
  const payments = new IdempotentWorkflow(stack, 'Pay', {
    idempotencyKey: '{% $states.input.detail.orderId %}',
    step: someFunction(stack),
  });
  startFromCustomBus(stack, BUS, payments);
  const template = Template.fromStack(stack);
  const logicalId = (type: string, name: string) =>
    Object.keys(template.findResources(type)).find(id => id.startsWith(name)) ?? `no ${name}`;

  test('the subscriber retries for a day, keeps what it gives up, and waits for the permissions of its role', () => {
    const policy = logicalId('AWS::IAM::Policy', 'DeliveryRole');

    template.hasResource('AWS::EventsV2::Subscriber', {
      DependsOn: Match.arrayWith([policy]),
      Properties: {
        EventBusArn: BUS,
        RetryPolicy: { MaxRetryAttempts: 185, MaxEventAgeInSeconds: 86_400 },
        OnFailureConfiguration: {
          Arn: { 'Fn::GetAtt': [logicalId('AWS::SQS::Queue', 'UndeliveredOrders'), 'Arn'] },
        },
      },
    });
  });

  test('the role may send to its two queues, and nothing else', () => {
    const policy = template.findResources('AWS::IAM::Policy')[logicalId('AWS::IAM::Policy', 'DeliveryRole')];
    const statements: { Action: string | string[]; Resource: unknown }[] =
      policy?.['Properties'].PolicyDocument.Statement;

    const actions = new Set(statements.flatMap(({ Action }) => Action));
    expect(
      [...actions].filter(action => action !== 'sqs:GetQueueAttributes' && action !== 'sqs:GetQueueUrl'),
    ).toEqual(['sqs:SendMessage']);
    expect(statements.flatMap(({ Resource }) => Resource)).toEqual(
      ['PublishedOrders', 'UndeliveredOrders'].map(name => ({
        'Fn::GetAtt': [logicalId('AWS::SQS::Queue', name), 'Arn'],
      })),
    );
  });
});
