import { Duration, type Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  type IWorkflowSource,
  type QueueSourceOptions,
  Source,
} from '../../infra/index';
import { newStack, someFunction } from '../support/synthesize';

/** What JavaScript may give. */
const given = (value: unknown) => value as never;

const queue = (stack: Stack, options: QueueSourceOptions) => {
  const deadLetterQueue = { queue: new Queue(stack, 'Dead'), maxReceiveCount: 3 };
  const visibilityTimeout = Duration.minutes(6);
  return Source.queue(new Queue(stack, 'Queue', { deadLetterQueue, visibilityTimeout }), options);
};
const topic = (stack: Stack, options: QueueSourceOptions) => Source.topic(new Topic(stack, 'Topic'), options);
const http = (_: Stack, { input = '' }: QueueSourceOptions) => Source.http('payments', { input });

function started(
  source: (stack: Stack) => IWorkflowSource,
  props: Partial<IdempotentWorkflowProps> = {},
): Stack {
  const stack = newStack();
  const idempotencyKey = '{% $states.input.detail.orderId %}';
  const step = someFunction(stack);
  new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step, ...props }).startFrom(source(stack));
  return stack;
}

describe.each([
  ['a queue', queue],
  ['a topic', topic],
  ['HTTP', http],
])('`input` of %s', (_, source) => {
  test.each([
    ['text without {% %}', 'order', '`input` must be a JSONata expression in {% %}'],
    ['nothing of the event', "{% {'detail': {'orderId': 'a'}} %}", '`input` must read $states.input'],
    ['the clock', "{% {'detail': $states.input, 'at': $now()} %}", 'it uses $now'],
    ['a random value', "{% {'detail': $states.input, 'id': $uuid()} %}", 'it uses $uuid'],
    [
      'the name of the execution',
      "{% {'detail': $states.input, 'id': $states.context.Execution.Name} %}",
      '`input` reads $states.context, which has other values for each delivery',
    ],
    [
      'the order of members',
      "{% {'detail': {'names': $keys($states.input)}} %}",
      '`input` must not follow the order of the members of an object',
    ],
    ['a result', "{% {'detail': $states.result} %}", 'it uses $states.result'],
    ['what JSONata takes for nothing', "{% {'detail': orderId} %}", '`input` reads orderId'],
  ])('%s: rejected with the remedy', (__, input, message) => {
    expect(() => started(stack => source(stack, { input }))).toThrow(message);
  });

  test('not a text: rejected', () => {
    expect(() => started(stack => source(stack, { input: given({ detail: 1 }) }))).toThrow(
      '`input` must be a JSONata expression in {% %}',
    );
  });
});

describe.each([
  ['a queue', queue],
  ['a topic', topic],
])('`input` of %s', (_, source) => {
  test('a member that differs between deliveries of an event: rejected, unless it is kept', () => {
    const input = "{% {'detail': {'orderId': $states.input.id}} %}";

    expect(() => started(stack => source(stack, { input }))).toThrow(
      /reads \$states\.input\.id.*keep: \['id'\]/,
    );
    expect(() => started(stack => source(stack, { input, keep: ['id'] }))).not.toThrow();
  });

  test('an Express workflow, which gets a message as it is: rejected', () => {
    const input = "{% {'detail': $states.input} %}";
    const express = { type: 'EXPRESS', timeout: Duration.minutes(2) } as const;

    expect(() => started(stack => source(stack, { input }), express)).toThrow(
      '`input` needs a STANDARD workflow',
    );
  });

  test('the whole input as the payload: no warning, because what differs is left out before', () => {
    const input = "{% {'detail': $states.input} %}";
    const stack = started(stack => source(stack, { input }), { payload: '{% $states.input %}' });

    Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('whole event'));
  });
});
