import { newExecution } from '../../../engine/execution';
import { transition } from '../../../engine/transition';
import type { Inspected } from '../../../engine/turn';
import type { Json, JsonObject } from '../../../json/json';
import { afterStart, contextAt, machineOf, play, START } from '../play';

const JSONPATH = { QueryLanguage: 'JSONPath' };
const within = (reason: string) =>
  `An error occurred while executing the state 'A' (entered at the event id #2). ${reason}`;

function playState(state: JsonObject, input: Json, output?: Json) {
  const answers = output === undefined ? [] : [{ output }];
  return play(machineOf({ A: { ...state, End: true } }, JSONPATH), { input, answers });
}

const CALL = { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke' };
const FUNCTION = { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:111111111111:function:f' };

describe('the steps of a Pass', () => {
  const input = { order: { id: 7, lines: ['a', 'b'] }, rest: 1 };
  test.each<[string, JsonObject, Json]>([
    ['nothing', {}, input],
    ['InputPath', { InputPath: '$.order.lines' }, ['a', 'b']],
    ['InputPath null', { InputPath: null }, {}],
    [
      'Parameters see what InputPath selects',
      { InputPath: '$.order', Parameters: { 'n.$': '$.id' } },
      { n: 7 },
    ],
    ['Result', { Result: { 'a.$': '$.b' } }, { 'a.$': '$.b' }],
    [
      'ResultPath puts into the whole input',
      { InputPath: '$.order', ResultPath: '$.copy.of' },
      {
        ...input,
        copy: { of: input.order },
      },
    ],
    ['ResultPath null', { Result: 1, ResultPath: null }, input],
    ['OutputPath', { Result: { a: [1] }, OutputPath: '$.a[0]' }, 1],
    ['OutputPath null', { OutputPath: null }, {}],
    ['OutputPath of the context', { OutputPath: '$$.State.Name' }, 'A'],
  ])('%s: as in the order of the specification', (_, fields, output) => {
    const { execution } = playState({ Type: 'Pass', ...fields }, input);

    expect(execution.end?.output?.value).toEqual(output);
  });

  test('an input that nothing changes: stays as it was written', () => {
    const { execution } = playState({ Type: 'Pass', InputPath: '$', OutputPath: '$' }, 'text');

    expect(execution.end?.output).toBe(execution.input);
  });

  test('a Pass that spells its result out: does not look at its input', () => {
    const { execution } = playState({ Type: 'Pass', InputPath: '$.no', Result: 1 }, {});

    expect(execution.end?.output?.value).toBe(1);
  });
});

describe('a Task', () => {
  test('with all steps: calls with Parameters, and puts what ResultSelector makes into its input', () => {
    const played = playState(
      {
        ...CALL,
        InputPath: '$.order',
        Parameters: { FunctionName: 'f', 'Payload.$': '$.id' },
        ResultSelector: { 'said.$': '$.Payload', 'by.$': '$$.State.Name' },
        ResultPath: '$.answer',
        OutputPath: '$.answer.said',
        Assign: { 'said.$': '$.said' },
      },
      { order: { id: 7 } },
      { Payload: 'yes', StatusCode: 200 },
    );

    expect(played.effects).toContainEqual(
      expect.objectContaining({ kind: 'call', arguments: { FunctionName: 'f', Payload: 7 } }),
    );
    expect(played.execution.end?.output?.value).toBe('yes');
    expect(played.history.at(-2)).toContain('"assignedVariables":{"said":"\\"yes\\""}');
  });

  test('a function without Parameters: gets what InputPath selects', () => {
    const { effects } = playState({ ...FUNCTION, InputPath: '$.order' }, { order: [1] }, 1);

    expect(effects).toContainEqual(
      expect.objectContaining({ arguments: expect.objectContaining({ Payload: [1] }) }),
    );
  });

  test('limits and a role that are looked up: are in the event', () => {
    const state = {
      ...FUNCTION,
      TimeoutSecondsPath: '$.timeout',
      HeartbeatSecondsPath: '$.heartbeat',
      Credentials: { 'RoleArn.$': '$.role' },
    };
    const { history } = playState(state, { timeout: 20, heartbeat: 5, role: 'arn:aws:iam::1:role/r' }, 1);

    expect(history[2]).toContain('"timeoutInSeconds":20,"heartbeatInSeconds":5');
    expect(history[2]).toContain('"taskCredentials":{"roleArn":"arn:aws:iam::1:role/r"}');
  });

  test('an error that is caught: goes where the catcher says, by none of the paths of the state', () => {
    const Catch = [
      { ErrorEquals: ['States.ALL'], ResultPath: '$.failed', Assign: { 'e.$': '$.Error' }, Next: 'B' },
    ];
    const states = {
      A: { ...FUNCTION, InputPath: '$.x', ResultPath: '$.result', OutputPath: null, Catch, End: true },
      B: { Type: 'Pass', Parameters: { 'e.$': '$e', 'all.$': '$' }, End: true },
    };
    const { execution } = play(machineOf(states, JSONPATH), {
      input: { x: 1 },
      answers: [{ error: 'E', cause: 'c' }],
    });

    expect(execution.end?.output?.value).toEqual({
      e: 'E',
      all: { x: 1, failed: { Error: 'E', Cause: 'c' } },
    });
  });
});

describe('what cannot be looked up', () => {
  test.each<[string, JsonObject, string]>([
    ['InputPath', { Type: 'Pass', InputPath: '$.no' }, "Invalid path '$.no' : No results for path: $['no']"],
    [
      'InputPath of a Wait',
      { Type: 'Wait', Seconds: 1, InputPath: '$.no' },
      "Invalid path '$.no' : No results for path: $['no']",
    ],
    [
      'OutputPath',
      { Type: 'Pass', OutputPath: '$.no' },
      "Invalid path '$.no' : No results for path: $['no']",
    ],
    [
      'Parameters',
      { Type: 'Pass', Parameters: { 'a.$': '$.no' } },
      `The JSONPath '$.no' specified for the field 'a.$' could not be found in the input '{"n":"x"}'`,
    ],
    [
      'SecondsPath',
      { Type: 'Wait', SecondsPath: '$.no' },
      'The SecondsPath parameter does not reference an input value: $.no',
    ],
    [
      'no seconds',
      { Type: 'Wait', SecondsPath: '$.n' },
      'The SecondsPath parameter cannot be parsed as a long value: $.n == x',
    ],
    [
      'no time',
      { Type: 'Wait', TimestampPath: '$.n' },
      'The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format string: $.n == x',
    ],
    [
      'no timeout',
      { ...FUNCTION, TimeoutSecondsPath: '$.no' },
      "Invalid path '$.no' : No results for path: $['no']",
    ],
    [
      'no list',
      { Type: 'Map', ItemsPath: '$.n', ItemProcessor: { StartAt: 'I', States: { I: { Type: 'Succeed' } } } },
      'Reference path "$.n" must point to array.',
    ],
    [
      'no list in the context',
      {
        Type: 'Map',
        ItemsPath: '$$.State',
        ItemProcessor: { StartAt: 'I', States: { I: { Type: 'Succeed' } } },
      },
      'Reference path "$.State" must point to array.',
    ],
  ])('%s: the execution fails at once with States.Runtime, whatever would catch it', (_, state, reason) => {
    const canCatch = state['Type'] === 'Task' || state['Type'] === 'Map';
    const Catch = [{ ErrorEquals: ['States.ALL'], Next: 'B' }];
    const states = { A: { ...state, ...(canCatch && { Catch }), Next: 'B' }, B: { Type: 'Succeed' } };

    const played = play(machineOf(states, JSONPATH), { input: { n: 'x' } });

    const failure = { error: 'States.Runtime', cause: within(reason) };
    expect(afterStart(played).at(-1)).toBe(`3<-2 ExecutionFailed ${JSON.stringify(failure)}`);
  });

  test('a Fail: by the field that is not there', () => {
    const { execution } = play(
      machineOf({ A: { Type: 'Fail', ErrorPath: '$.e', CausePath: '$.c' } }, JSONPATH),
      {
        input: { e: 'E' },
      },
    );

    const reason = `The JSONPath '$.c' specified for the field 'CausePath' could not be found in the input '{"e":"E"}'`;
    expect(execution.end).toMatchObject({ error: 'States.Runtime', cause: within(reason) });
  });

  test('after a call: the failure follows the result', () => {
    const { history } = playState({ ...FUNCTION, ResultSelector: { 'a.$': '$.no' } }, {}, { b: 1 });

    expect(history.at(-1)).toMatch(/^6<-5 ExecutionFailed .*field 'a\.\$' could not be found in the input/);
  });

  const CATCH = [{ ErrorEquals: ['States.ReferencePathConflict'], Next: 'B' }];
  const ITEMS = { ItemProcessor: { StartAt: 'I', States: { I: { Type: 'Succeed' } } } };

  test.each([
    [
      'a result that fits nowhere',
      { ...FUNCTION, ResultPath: '$.a.b' },
      'Unable to apply step "b" to input {"a":1}',
    ],
    [
      'items that are not there',
      { Type: 'Map', ItemsPath: '$.no', ...ITEMS },
      'Unable to apply step "no" to input {"a":1}',
    ],
  ])('%s: is an error that can be caught, and its cause stands for itself', (_, state, Cause) => {
    const states = { A: { ...state, Catch: CATCH, Next: 'B' }, B: { Type: 'Succeed' } };
    const { history } = play(machineOf(states, JSONPATH), { input: { a: 1 }, answers: [{ output: 2 }] });

    const output = JSON.stringify({ Error: 'States.ReferencePathConflict', Cause });
    expect(history.at(-1)).toContain(JSON.stringify({ output }));
  });
});

describe('who tests a state alone', () => {
  test.each<[string, JsonObject, readonly Inspected[]]>([
    [
      'a Pass',
      { Parameters: { a: 1 } },
      ['afterInputPath', 'afterParameters', 'afterResultSelector', 'afterResultPath'],
    ],
    [
      'a Pass that spells its result out',
      { Result: 1 },
      ['result', 'afterResultSelector', 'afterResultPath'],
    ],
  ])('%s: the listener gets the stages of its data, in order', (_, fields, names) => {
    const told: Inspected[] = [];
    const context = Object.assign(contextAt(START), { inspect: (what: Inspected) => void told.push(what) });
    const input = { value: {}, text: '{}' };
    const execution = newExecution({ arn: 'arn', name: 'e', input, startedAt: START });

    const machine = machineOf({ A: { Type: 'Pass', ...fields, End: true } }, JSONPATH);
    transition(machine, execution, { kind: 'started' }, context);

    expect(told).toEqual(names);
  });
});
