import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { IdempotentWorkflow, Recovery, Source } from '../../infra/index';
import { newStack, someFunction } from '../support/synthesize';

const FEW = 'A'.repeat(40);
/** The names of so many state machines of 40 characters. */
const former = (count: number) => Array.from({ length: count }, (_, index) => `${FEW.slice(2)}${10 + index}`);

function workflow(stack: Stack, formerStateMachines: readonly string[] = []): IdempotentWorkflow {
  return new IdempotentWorkflow(stack, 'Pay', {
    idempotencyKey: '{% $states.input.detail.id %}',
    step: someFunction(stack),
    formerStateMachines,
    recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 3 } }),
  });
}

describe('event patterns as long as EventBridge takes, 2,048 characters', () => {
  test.each(['x', 'é', '€', '😀'])('a source whose values are of the character %s', character => {
    const synthesized = (length: number) => {
      const stack = newStack();
      const empty = [...JSON.stringify({ source: [''] })].length;
      const source = [character.repeat(length - empty)];
      workflow(stack).startFrom(Source.eventBridge(new EventBus(stack, 'Bus'), { source }));
      return stack;
    };

    expect(() => Template.fromStack(synthesized(2048))).not.toThrow();
    expect(() => Template.fromStack(synthesized(2049))).toThrow(
      /the event pattern has at least 2,049 characters as EventBridge counts them, and may have 2,048. Select/,
    );
  });

  test.each([
    [14, 0],
    [20, 2],
  ])('recovery and redelivery of %i former state machines: %i rules are rejected', (count, rejected) => {
    const stack = newStack();
    workflow(stack, former(count));

    const problems = stack.node.findAll().flatMap(({ node }) => node.validate());

    expect(problems).toEqual(
      Array(rejected).fill(
        expect.stringMatching(/at least 2,\d\d\d characters .* Pass fewer `formerStateMachines`/),
      ),
    );
  });
});
