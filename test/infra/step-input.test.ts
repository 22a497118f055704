import { Duration, type Stack } from 'aws-cdk-lib';
import {
  Choice,
  Condition,
  CustomState,
  type IChainable,
  JsonPath,
  Map as MapState,
  Parallel,
  Pass,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentWorkflow, type IdempotentWorkflowProps } from '../../infra/index';
import { newStack } from '../support/synthesize';

type Make = (stack: Stack) => IChainable;

/** The message about a step at synthesis; empty if the step is accepted. */
function problemOf(step: Make, more: Partial<IdempotentWorkflowProps> = {}): string {
  const stack = newStack();
  const props = { idempotencyKey: '{% $states.input.id %}', stepTimeout: Duration.minutes(1), ...more };
  try {
    new IdempotentWorkflow(stack, 'Pay', { ...props, step: step(stack) });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const reading =
  (path: string): Make =>
  stack =>
    new CustomState(stack, 'First', { stateJson: { Type: 'Pass', Parameters: { of: { 'a.$': path } } } });

describe('the first state of a chain in JSONPath reads what the step is not called with', () => {
  test.each<[string, Make, string]>([
    ['in its parameters', reading('$.detail.id'), '$.detail.id'],
    ['in a function of paths', reading("States.Format('{} $.x', $.input.a, $.detail)"), '$.detail'],
    ['as its input', stack => new Pass(stack, 'First', { inputPath: '$.detail' }), '$.detail'],
    [
      'as its time',
      stack => new Wait(stack, 'First', { time: WaitTime.secondsPath('$.detail.s') }),
      '$.detail.s',
    ],
    [
      'as its items',
      stack =>
        new MapState(stack, 'First', { itemsPath: '$.detail.lines' }).itemProcessor(new Pass(stack, 'P')),
      '$.detail.lines',
    ],
    [
      'for each item',
      stack =>
        new MapState(stack, 'First', {
          itemSelector: {
            id: JsonPath.stringAt('$.detail.id'),
            value: JsonPath.objectAt('$$.Map.Item.Value'),
          },
        }).itemProcessor(new Pass(stack, 'P')),
      '$.detail.id',
    ],
    ['in a branch', stack => new Parallel(stack, 'Both').branch(reading('$.detail')(stack)), '$.detail'],
  ])('%s: rejected with what there is', (_, step, path) => {
    const problem = problemOf(step);

    expect(problem).toContain(`Test/Pay: state 'First' of \`step\` reads `);
    expect(problem).toContain(path);
    expect(problem).toContain(
      'has idempotencyKey, attempt, input, but not detail. Write $.input.detail, or pass',
    );
  });

  test('of an input of its own: rejected with what that has', () => {
    const stepInput = { order: '{% $states.input.detail %}' };

    expect(problemOf(reading('$.order.id'), { stepInput })).toBe('');
    expect(problemOf(reading('$.detail.id'), { stepInput })).toContain(
      'has order, but not detail. Add it, or',
    );
  });

  test.each<[string, Make]>([
    ['a member of it', reading('$.input.detail.id')],
    ['the context object', reading('$$.Execution.Name')],
    ['a variable', reading('$idempotencyKey')],
    ['all of it', reading('$')],
    ['whatever there is', reading('$.detail[*].id')],
    ['a text that looks like a path', reading("States.Format('$.detail')")],
    [
      'if it is there',
      stack => new Choice(stack, 'First').when(Condition.isPresent('$.detail'), new Pass(stack, 'Then')),
    ],
    ['behind another state', stack => new Pass(stack, 'P').next(reading('$.detail')(stack))],
    [
      'of what a Parallel hands to its branches',
      stack => {
        const stateJson = {
          Type: 'Parallel',
          Parameters: { detail: 1 },
          Branches: [{ StartAt: 'B', States: { B: { Type: 'Pass', InputPath: '$.detail', End: true } } }],
        };
        return new CustomState(stack, 'First', { stateJson });
      },
    ],
    [
      'of what its own input is',
      stack => new Pass(stack, 'P', { inputPath: '$.input', parameters: { 'a.$': '$.b' } }),
    ],
  ])('%s: accepted', (_, step) => {
    expect(problemOf(step)).toBe('');
  });

  test('the input of the step is an expression: unknown, accepted', () => {
    expect(problemOf(reading('$.detail'), { stepInput: '{% $states.input %}' })).toBe('');
  });
});
