import type { CfnResource, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { IdempotentWorkflow, Source } from '../../infra/index';
import { newStack, someFunction } from '../support/synthesize';

// Aspects of an organisation change what the package creates, too. If a guarantee depends on a property, the
// template must have it.

function app(): Stack {
  const stack = newStack();
  const idempotencyKey = '{% $states.input.order %}';
  const workflow = new IdempotentWorkflow(stack, 'Pay', {
    idempotencyKey,
    step: someFunction(stack),
  });
  const deadLetterQueue = { queue: new Queue(stack, 'Dead'), maxReceiveCount: 5 };
  workflow.startFrom(Source.queue(new Queue(stack, 'Orders', { deadLetterQueue })));
  return stack;
}

const MAPPING = 'AWS::Lambda::EventSourceMapping';
const MACHINE = 'AWS::StepFunctions::StateMachine';
const BATCHES =
  /needs `FunctionResponseTypes` with ReportBatchItemFailures, no `FilterCriteria` and a `BatchSize`/;

/** What differs in every resource of a type: the property, its value, and how the synthesis ends. */
const CASES: readonly (readonly [type: string, property: string, value: unknown, message: RegExp])[] = [
  [MAPPING, 'FunctionResponseTypes', undefined, BATCHES],
  [MAPPING, 'FunctionResponseTypes', [], BATCHES],
  [MAPPING, 'FilterCriteria', { Filters: [{ Pattern: '{}' }] }, BATCHES],
  [MAPPING, 'BatchSize', 100, BATCHES],
  [MACHINE, 'StateMachineType', 'EXPRESS', /StateMachineType is "EXPRESS" in the template, but was not set/],
  [MACHINE, 'StateMachineType', 'STANDARD', /StateMachineType is not set in the template, but was "EXPRESS"/],
];

test.each(CASES)(
  '%s with %s %j: ends the synthesis, for each of them that had another',
  (type, property, value, message) => {
    const template = Template.fromStack(app());
    const changed = Object.entries(template.findResources(type)).filter(
      ([, { Properties }]) =>
        JSON.stringify(Properties[property] ?? 'STANDARD') !== JSON.stringify(value ?? 'STANDARD'),
    );
    expect(changed).not.toEqual([]);

    for (const [id] of changed) {
      const stack = app();
      const resources = stack.node.findAll() as unknown as CfnResource[];
      const resource = resources.find(
        one => one.cfnResourceType === type && stack.resolve(one.logicalId) === id,
      );
      resource?.addPropertyOverride(property, value);
      expect(() => Template.fromStack(stack)).toThrow(message);
    }
  },
);

test('the redrive policy of a queue as a text: read as well', () => {
  const stack = app();
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: 'arn', maxReceiveCount: 1 });
  (stack.node.findChild('Orders').node.defaultChild as CfnResource).addPropertyOverride(
    'RedrivePolicy',
    RedrivePolicy,
  );

  expect(() => Template.fromStack(stack)).toThrow(/needs a `maxReceiveCount` of at least 3.*has 1/);
});
