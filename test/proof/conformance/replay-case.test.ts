import { readCase } from '../../../proof/conformance/cases/read-case';
import { replayCase } from '../../../proof/conformance/replay-case';

/** As the recorder writes events: their texts parsed, words over what changes from run to run. */
const HISTORY = [
  {
    id: 1,
    previousEventId: 0,
    type: 'ExecutionStarted',
    timestamp: 'timestamp',
    executionStartedEventDetails: { input: { at: 'date' }, roleArn: 'role' },
  },
  {
    id: 2,
    previousEventId: 0,
    type: 'TaskStateEntered',
    timestamp: 'timestamp',
    stateEnteredEventDetails: { name: 'Call', input: { at: 'date' } },
  },
  {
    id: 3,
    previousEventId: 2,
    type: 'LambdaFunctionScheduled',
    timestamp: 'timestamp',
    lambdaFunctionScheduledEventDetails: {
      input: { at: 'date' },
      resource: 'arn:<partition>:lambda:<region>:111111111111:function:<name>',
    },
  },
  { id: 4, previousEventId: 3, type: 'LambdaFunctionStarted', timestamp: 'timestamp' },
  {
    id: 5,
    previousEventId: 4,
    type: 'LambdaFunctionSucceeded',
    timestamp: 'timestamp',
    lambdaFunctionSucceededEventDetails: { output: { ok: true } },
  },
  {
    id: 6,
    previousEventId: 5,
    type: 'TaskStateExited',
    timestamp: 'timestamp',
    stateExitedEventDetails: { name: 'Call', output: { ok: true }, assignedVariables: { n: '1' } },
  },
  {
    id: 7,
    previousEventId: 6,
    type: 'ExecutionSucceeded',
    timestamp: 'timestamp',
    executionSucceededEventDetails: { output: { ok: true } },
  },
];

function outcomeOf(more: object, state: object = {}) {
  const definition = {
    QueryLanguage: 'JSONata',
    StartAt: 'Call',
    States: { Call: { Type: 'Task', Resource: '${LambdaArn:echo}', Assign: { n: 1 }, End: true, ...state } },
  };
  const text = JSON.stringify({
    kind: 'execution',
    definition,
    lambdas: { echo: { behaviour: 'echo' } },
    historyOrder: 'strict',
    expected: { status: 'SUCCEEDED', history: HISTORY },
    ...more,
  });
  const read = readCase(text, 'made-up');
  if (read.kind !== 'case') throw new Error(read.reason);
  return replayCase(read.recorded);
}

describe('a recorded history, replayed against its own definition', () => {
  test('goes the same way: passes, whatever was written over its names and times', () => {
    expect(outcomeOf({})).toEqual({ kind: 'passed' });
  });

  test('goes another way: fails at the event', () => {
    expect(outcomeOf({}, { Assign: { n: 2 } })).toEqual({
      kind: 'failed',
      difference: { path: '/', message: 'event 6, state "Call": variables n', expected: '1', actual: '2' },
    });
  });

  test.each([
    ['an activity that was deleted', { activities: { a: { deletedBeforeStart: true } } }],
    ['no history', { expected: { status: 'SUCCEEDED' } }],
    ['Distributed Map', { features: ['Map', 'Map:DISTRIBUTED'] }],
    [
      'ids that were not kept',
      { expected: { history: [...HISTORY, { id: null, type: 'TaskStateExited' }] } },
    ],
  ])('%s: is skipped', (reason, more) => {
    expect(outcomeOf(more)).toEqual({ kind: 'skipped', reason });
  });

  test('of a definition that is not run here: is skipped for what it lacks', () => {
    const ProcessorConfig = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' };
    const ItemProcessor = { ProcessorConfig, StartAt: 'Item', States: { Item: { Type: 'Pass', End: true } } };
    const ItemReader = { Resource: 'arn:aws:states:::s3:getObject', ReaderConfig: { InputType: 'MANIFEST' } };
    const states = { Call: { Type: 'Map', ItemReader, ItemProcessor, End: true } };
    const definition = { StartAt: 'Call', States: states };

    expect(outcomeOf({ definition })).toEqual({ kind: 'skipped', reason: 'Distributed Map' });
  });

  test('with what a Pass has made by chance, which was not kept: is skipped', () => {
    const ignore = ['/history/2/stateExitedEventDetails/output/id'];
    const exit = { id: 3, previousEventId: 2, type: 'PassStateExited' };

    expect(outcomeOf({ ignore, expected: { history: [...HISTORY.slice(0, 2), exit] } })).toEqual({
      kind: 'skipped',
      reason: 'values that were not kept',
    });
  });
});
