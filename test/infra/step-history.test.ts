import { Duration } from 'aws-cdk-lib';
import { type Chain, Pass } from 'aws-cdk-lib/aws-stepfunctions';
import type { StateJson } from '../../infra/cdk/definition';
import { IdempotentWorkflow } from '../../infra/index';
import { historyProblem } from '../../infra/validation/step-history';
import { newStack, someFunction } from '../support/synthesize';

const TASK = { Type: 'Task' };
const end = (state: object) => ({ StartAt: 'Only', States: { Only: state as StateJson } });

/** How many events a try of a chain writes, beside the two of the Parallel state around it. */
function eventsOf(StartAt: string, states: Readonly<Record<string, object>>): number {
  const States = states as Readonly<Record<string, StateJson>>;
  const [problem = ''] = historyProblem({
    Retry: [{ MaxAttempts: 100_000 }],
    Branches: [{ StartAt, States }],
  });
  return Number(/with up to (\d+) history events/.exec(problem)?.[1]) - 2;
}

describe('the events of a chain', () => {
  test.each<[string, Readonly<Record<string, object>>, number]>([
    ['a task', { A: TASK }, 5],
    ['two states', { A: { ...TASK, Next: 'B' }, B: { Type: 'Pass' } }, 7],
    ['a task that is tried again', { A: { ...TASK, Retry: [{ MaxAttempts: 4 }] } }, 5 + 4 * 3],
    [
      'a task whose end is waited for',
      { A: { ...TASK, Resource: 'arn:aws:states:::glue:startJobRun.sync', Retry: [{ MaxAttempts: 4 }] } },
      6 + 4 * 4,
    ],
    [
      'a state machine whose end is waited for',
      { A: { ...TASK, Resource: 'arn:aws:states:::states:startExecution.sync:2', Next: 'B' }, B: TASK },
      6 + 5,
    ],
    [
      'a token that is waited for',
      { A: { ...TASK, Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken' } },
      6,
    ],
    ['a retrier without a number', { A: { ...TASK, Retry: [{}] } }, 5 + 3 * 3],
    [
      'a choice: its longest way',
      {
        A: { Type: 'Choice', Choices: [{ Next: 'B' }], Default: 'C' },
        B: { ...TASK, Next: 'C' },
        C: { Type: 'Pass' },
      },
      9,
    ],
    ['a catcher', { A: { ...TASK, Next: 'C', Catch: [{ Next: 'B' }] }, B: TASK, C: { Type: 'Pass' } }, 10],
    ['a loop: once', { A: { ...TASK, Next: 'B' }, B: { Type: 'Choice', Choices: [{ Next: 'A' }] } }, 7],
    ['branches: each', { A: { Type: 'Parallel', Branches: [end(TASK), end(TASK)] } }, 16],
    ['a Map: one item', { A: { Type: 'Map', ItemProcessor: end(TASK) } }, 11],
    [
      'a distributed Map: its items have histories of their own',
      { A: { Type: 'Map', ItemProcessor: { ...end(TASK), ProcessorConfig: { Mode: 'DISTRIBUTED' } } } },
      6,
    ],
  ])('%s', (_, states, events) => {
    expect(eventsOf('A', states)).toBe(events);
  });

  test('thirty choices, one behind the other: counted at once', () => {
    const choices = Array.from({ length: 30 }, (_, n) => [
      [`A${n}`, { Type: 'Choice', Choices: [{ Next: `B${n}` }], Default: `A${n + 1}` }],
      [`B${n}`, { Type: 'Pass', Next: `A${n + 1}` }],
    ]);

    expect(eventsOf('A0', Object.fromEntries(choices.flat()))).toBe(30 * 4);
  });
});

describe('a chain that is retried', () => {
  /** A workflow whose step has eleven states, of two events each. */
  function retried(maxAttempts: number): void {
    const stack = newStack();
    const pass = (id: number) => Pass.jsonata(stack, `Pass ${id}`);
    const step = [2, 3, 4, 5, 6, 7, 8, 9, 10].reduce<Chain>(
      (chain, id) => chain.next(pass(id)),
      pass(0).next(pass(1)),
    );
    const retry = { errors: ['States.ALL'], maxAttempts, backoffRate: 1 };
    const stepTimeout = Duration.seconds(1);
    new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey: '{% $states.input.id %}',
      step,
      stepTimeout,
      retry,
    });
  }

  test('as often as its history has room for: one more is rejected', () => {
    expect(() => retried(832)).not.toThrow();
    expect(() => retried(833)).toThrow(
      'Test/Pay: `retry` can run the states of `step` 834 times with up to 24 history events each, but the history ' +
        'has room for 20000 such events, got 20016. Use fewer `maxAttempts`, and a longer `interval`',
    );
  });

  test('a function: by its attempts alone', () => {
    const stack = newStack();
    const retry = { errors: ['Busy'], maxAttempts: 1000, maxDelay: Duration.minutes(1) };
    const given = { idempotencyKey: '{% $states.input.id %}', step: someFunction(stack), retry };

    expect(() => new IdempotentWorkflow(stack, 'Pay', given)).not.toThrow();
  });
});
