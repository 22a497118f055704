import { Duration } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  CustomerManagedEncryptionConfiguration,
  DefinitionBody,
  QueryLanguage,
  StateMachine,
} from 'aws-cdk-lib/aws-stepfunctions';
import {
  IdempotentFragment,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  RecordTable,
  Recovery,
  Source,
} from '../../infra/index';
import { newStack, someFunction, statementsOf } from '../support/synthesize';

const idempotencyKey = '{% $states.input.detail.id %}';
const MAY_USE = {
  Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
  Effect: 'Allow',
  Resource: { 'Fn::GetAtt': [expect.stringMatching(/^Key/), 'Arn'] },
};

/** A workflow with every source, and recovery with all that it has. */
function deployed(props: Partial<IdempotentWorkflowProps>): Template {
  const stack = newStack();
  const encryptionConfiguration = new CustomerManagedEncryptionConfiguration(new Key(stack, 'Key'));
  const step = someFunction(stack, { timeout: Duration.seconds(10) });
  const bus = new EventBus(stack, 'Bus');
  const queue = new Queue(stack, 'Queue', {
    visibilityTimeout: Duration.hours(2),
    deadLetterQueue: { queue: new Queue(stack, 'Dead'), maxReceiveCount: 5 },
  });
  new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step, encryptionConfiguration, ...props })
    .startFrom(Source.eventBridge(bus, { source: ['shop'] }))
    .startFrom(Source.queue(queue));
  return Template.fromStack(stack);
}

describe('executions that a key of the customer encrypts', () => {
  const recovery = Recovery.automatic({ redeliverFailed: { maxAttempts: 10 } });
  let standard: Template;
  let express: Template;
  beforeAll(() => {
    standard = deployed({ recovery });
    express = deployed({ type: 'EXPRESS' });
  });

  test.each([
    ['the dispatcher of a bus', /^PaySource(?!Queue).*DispatcherStateMachineRole/],
    ['the dispatcher of a queue', /^PaySourceQueue.*DispatcherStateMachineRole/],
    ['the function that settles messages', /^PaySource.*Settler.*Role/],
    ['the function that redrives', /^PayRedriveFunction.*Role/],
    ['recovery', /^PayRecoveryStateMachineRole/],
    ['redelivery', /^PayRecoveryRedeliveryStateMachineRole/],
  ])('%s: may use it', (_, role) => {
    expect(statementsOf(standard, role)).toContainEqual(MAY_USE);
  });

  test.each([
    ['the rules', /^PayStateMachineEventsRole/],
    ['the function that starts from a queue', /^PaySource.*Starter.*Role/],
  ])('of an Express workflow, %s: may use it', (_, role) => {
    expect(statementsOf(express, role)).toContainEqual(MAY_USE);
  });

  test('the machine of a fragment: the function that redrives may use it', () => {
    const stack = newStack();
    const fragment = new IdempotentFragment(stack, 'Pay', {
      idempotencyKey,
      table: new RecordTable(stack, 'Records'),
      step: someFunction(stack),
    });
    const machine = new StateMachine(stack, 'Orders', {
      queryLanguage: QueryLanguage.JSONATA,
      definitionBody: DefinitionBody.fromChainable(fragment),
      encryptionConfiguration: new CustomerManagedEncryptionConfiguration(new Key(stack, 'Key')),
    });
    fragment.grantTo(machine);

    const statements = statementsOf(Template.fromStack(stack), /^OnceflowRedriveFunction.*Role/);
    expect(statements).toContainEqual(MAY_USE);
  });

  test('that AWS owns the key of: nobody may use any', () => {
    const stack = newStack();
    const step = someFunction(stack);
    new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step });

    expect(JSON.stringify(Template.fromStack(stack).toJSON())).not.toContain('kms:');
  });
});
