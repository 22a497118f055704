import type { EventDetails, HistoryEventType } from '../../../engine/history';
import { toApiEvent } from '../../../runtime/executions/execution-history';

describe('an event as GetExecutionHistory returns it', () => {
  test.each<[HistoryEventType, EventDetails, object]>([
    [
      'ExecutionStarted',
      { input: '{}', roleArn: 'r' },
      { executionStartedEventDetails: { input: '{}', inputDetails: whole(), roleArn: 'r' } },
    ],
    [
      'TaskStateEntered',
      { name: 'S', input: '1' },
      { stateEnteredEventDetails: { name: 'S', input: '1', inputDetails: whole() } },
    ],
    [
      'PassStateExited',
      { name: 'S', output: '1', assignedVariables: { a: '2' } },
      {
        stateExitedEventDetails: {
          name: 'S',
          output: '1',
          outputDetails: whole(),
          assignedVariables: { a: '2' },
          assignedVariablesDetails: whole(),
        },
      },
    ],
    [
      'LambdaFunctionScheduled',
      { resource: 'arn', input: '1', timeoutInSeconds: 5 },
      {
        lambdaFunctionScheduledEventDetails: {
          resource: 'arn',
          input: '1',
          inputDetails: whole(),
          timeoutInSeconds: 5,
        },
      },
    ],
    [
      'TaskScheduled',
      { resourceType: 'sqs', resource: 'sendMessage', region: 'eu-west-1', parameters: '{}' },
      {
        taskScheduledEventDetails: {
          resourceType: 'sqs',
          resource: 'sendMessage',
          region: 'eu-west-1',
          parameters: '{}',
        },
      },
    ],
    [
      'MapIterationStarted',
      { name: 'S', index: 1 },
      { mapIterationStartedEventDetails: { name: 'S', index: 1 } },
    ],
    ['MapStateStarted', { length: 2 }, { mapStateStartedEventDetails: { length: 2 } }],
    ['ExecutionRedriven', { redriveCount: 1 }, { executionRedrivenEventDetails: { redriveCount: 1 } }],
    ['ExecutionAborted', {}, { executionAbortedEventDetails: {} }],
    ['ExecutionFailed', { error: 'E' }, { executionFailedEventDetails: { error: 'E' } }],
    [
      'EvaluationFailed',
      { error: 'E', cause: 'c', location: 'Output', state: 'S' },
      { evaluationFailedEventDetails: { error: 'E', cause: 'c', location: 'Output', state: 'S' } },
    ],
  ])('%s: its details in a member of their own', (type, details, expected) => {
    expect(toApiEvent(eventOf(type, details), true)).toEqual({ ...head(type), ...expected });
  });

  test.each<[HistoryEventType]>([
    ['LambdaFunctionStarted'],
    ['WaitStateAborted'],
    ['ParallelStateStarted'],
    ['ParallelStateSucceeded'],
    ['MapStateFailed'],
  ])('%s: says nothing more', type => {
    expect(toApiEvent(eventOf(type, {}), true)).toEqual(head(type));
  });

  test('without data: no input and output, but variables and task parameters', () => {
    const exited = eventOf('PassStateExited', { name: 'S', output: '1', assignedVariables: { a: '2' } });
    const scheduled = eventOf('TaskScheduled', { resource: 'invoke', parameters: '{"a":1}' });

    expect(toApiEvent(exited, false)).toEqual({
      ...head('PassStateExited'),
      stateExitedEventDetails: {
        name: 'S',
        assignedVariables: { a: '2' },
        assignedVariablesDetails: whole(),
      },
    });
    expect(toApiEvent(scheduled, false)).toEqual({
      ...head('TaskScheduled'),
      taskScheduledEventDetails: { resource: 'invoke', parameters: '{"a":1}' },
    });
  });
});

function whole() {
  return { truncated: false };
}

function head(type: HistoryEventType) {
  return { id: 2, previousEventId: 1, type, timestamp: 1000 };
}

function eventOf(type: HistoryEventType, details: EventDetails) {
  return { ...head(type), ...details };
}
