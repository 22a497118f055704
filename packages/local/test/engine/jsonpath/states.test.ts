import type { JsonObject } from '../../../json/json';
import { machineOf, play, START, UUID } from '../play';

const JSONPATH = { QueryLanguage: 'JSONPath' };
const DONE = { Type: 'Succeed' };
const ITEM = { StartAt: 'I', States: { I: { Type: 'Pass', End: true } } };

describe('Choice', () => {
  const choice: JsonObject = {
    Type: 'Choice',
    InputPath: '$.order',
    OutputPath: '$.id',
    Choices: [
      { Variable: '$.id', NumericGreaterThan: 5, Assign: { 'big.$': '$.id' }, Next: 'Big' },
      { Variable: '$.no', IsPresent: true, Next: 'Big' },
    ],
    Assign: { big: 'none' },
    Default: 'Small',
  };
  const show = { Type: 'Pass', Parameters: { 'in.$': '$', 'big.$': '$big' }, End: true };
  test.each([
    ['a rule that holds', 7, { in: 7, big: 7 }],
    ['no rule that holds', 3, { in: 3, big: 'none' }],
  ])('%s: its own variables, and the paths of the state', (_, id, output) => {
    const machine = machineOf({ A: choice, Big: show, Small: { ...show } }, JSONPATH);

    expect(play(machine, { input: { order: { id } } }).execution.end?.output?.value).toEqual(output);
  });

  test('a variable that is not there: fails', () => {
    const { execution } = play(
      machineOf({ A: { ...choice, OutputPath: '$' }, Big: DONE, Small: DONE }, JSONPATH),
      {
        input: { order: {} },
      },
    );

    expect(execution.end?.error).toBe('States.Runtime');
    expect(execution.end?.cause).toMatch(
      /Invalid path '\$\.id': The choice state's condition path references/,
    );
  });
});

describe('Wait', () => {
  test.each<[JsonObject, number]>([
    [{ SecondsPath: '$.seconds' }, 90_000],
    [{ TimestampPath: '$.at' }, 60_000],
  ])('%j: until then, with the output its paths select', (until, ms) => {
    const machine = machineOf(
      { A: { Type: 'Wait', ...until, OutputPath: '$.seconds', End: true } },
      JSONPATH,
    );
    const { execution } = play(machine, { input: { seconds: 90, at: '2026-01-01T00:01:00Z' } });

    expect(execution.end).toMatchObject({ at: START + ms, output: { value: 90 } });
  });

  test.each([
    ['2026-01-01T01:00:00+01:00', 'SUCCEEDED'],
    ['2094-01-19T03:14:07Z', 'SUCCEEDED'],
    ['2094-01-19T03:14:08Z', 'FAILED'],
  ])('until %s: %s, as it lasts no longer than 32 bits have seconds', (at, status) => {
    const machine = machineOf({ A: { Type: 'Wait', TimestampPath: '$', End: true } }, JSONPATH);
    const { effects, execution } = play(machine, { input: at, stop: { atMs: 1000 } });

    const isWaiting = effects.some(({ kind }) => kind === 'setTimer');
    expect(isWaiting ? 'SUCCEEDED' : execution.status).toBe(status);
    if (status === 'FAILED') expect(execution.end?.cause).toMatch(/ Wait state delay is too long\.$/);
  });

  test('a negative number of seconds: fails', () => {
    const machine = machineOf({ A: { Type: 'Wait', SecondsPath: '$.n', End: true } }, JSONPATH);

    expect(play(machine, { input: { n: -1 } }).execution.end?.cause).toMatch(
      / The SecondsPath parameter references a negative value: \$\.n == -1$/,
    );
  });
});

describe('Map', () => {
  test('ItemSelector: sees the input after InputPath, and the item in the context', () => {
    const map = {
      Type: 'Map',
      InputPath: '$.cart',
      ItemsPath: '$.items',
      ItemSelector: { 'of.$': '$.id', 'item.$': '$$.Map.Item.Value', 'at.$': '$$.Map.Item.Index' },
      ItemProcessor: ITEM,
      ResultPath: '$.done',
      OutputPath: '$.done',
      End: true,
    };
    const { execution } = play(machineOf({ A: map }, JSONPATH), {
      input: { cart: { id: 1, items: ['a', 'b'] } },
    });

    expect(execution.end?.output?.value).toEqual([
      { of: 1, item: 'a', at: 0 },
      { of: 1, item: 'b', at: 1 },
    ]);
  });

  test('Parameters and Iterator: are the older names', () => {
    const map = { Type: 'Map', Parameters: { 'v.$': '$$.Map.Item.Value' }, Iterator: ITEM, End: true };

    expect(play(machineOf({ A: map }, JSONPATH), { input: [1] }).execution.end?.output?.value).toEqual([
      { v: 1 },
    ]);
  });

  test('a number written as a text: counts', () => {
    const map = { Type: 'Map', ItemsPath: '$v', MaxConcurrencyPath: '$n', ItemProcessor: ITEM, End: true };
    const set = { Type: 'Pass', Assign: { v: [1, 2], n: '1' }, Next: 'A' };
    const { history } = play(machineOf({ Set: set, A: map }, JSONPATH));

    const starts = history.flatMap((line, index) => (line.includes('MapIterationStarted') ? [index] : []));
    expect(starts[1]).toBeGreaterThan((starts[0] ?? 0) + 1);
  });

  test.each([
    [{ n: 'x' }, '"x"'],
    [{ n: 1.5 }, '"1.5"'],
    [{ n: {} }, '"{}"'],
    [{ n: -1 }, '"-1"'],
  ])('MaxConcurrencyPath to %j: no integer', (input, shown) => {
    const map = { Type: 'Map', ItemsPath: '$v', MaxConcurrencyPath: '$.n', ItemProcessor: ITEM, End: true };
    const set = { Type: 'Pass', Assign: { v: [1] }, Next: 'A' };
    const { execution, history } = play(machineOf({ Set: set, A: map }, JSONPATH), { input });

    const reason = `The MaxConcurrencyPath field refers to value ${shown} which is not a valid integer: $.n`;
    expect(execution.end?.cause).toContain(reason);
    expect(history.at(-1)).toMatch(/^5<-4 ExecutionFailed/);
  });
});

test('Parallel: its branches get Parameters, and its result goes where ResultPath says', () => {
  const branch = (name: string) => ({ StartAt: name, States: { [name]: { Type: 'Pass', End: true } } });
  const parallel = {
    Type: 'Parallel',
    Parameters: { 'n.$': '$.id' },
    Branches: [branch('B'), branch('C')],
    ResultSelector: { 'first.$': '$[0]' },
    ResultPath: '$.all',
    End: true,
  };

  expect(
    play(machineOf({ A: parallel }, JSONPATH), { input: { id: 1 } }).execution.end?.output?.value,
  ).toEqual({
    id: 1,
    all: { first: { n: 1 } },
  });
});

test('states of both languages: share input and variables', () => {
  const states = {
    A: {
      Type: 'Pass',
      Assign: { 'v.$': '$$.Execution.Input.a' },
      Parameters: { 'b.$': 'States.MathAdd($.a, 1)' },
      Next: 'B',
    },
    B: {
      Type: 'Pass',
      QueryLanguage: 'JSONata',
      Output: { c: '{% $v + $states.input.b %}' },
      Assign: { w: '{% $v * 10 %}' },
      Next: 'C',
    },
    C: { Type: 'Pass', Parameters: { 'sum.$': 'States.MathAdd($.c, $w)' }, End: true },
  };

  expect(play(machineOf(states, JSONPATH), { input: { a: 1 } }).execution.end?.output?.value).toEqual({
    sum: 13,
  });
});

test('chance: comes from the execution, so that a replay can make it again', () => {
  const state = {
    Type: 'Pass',
    Parameters: { 'id.$': 'States.UUID()', 'n.$': 'States.MathRandom(0, 10)' },
    End: true,
  };

  const { execution } = play(machineOf({ A: state }, JSONPATH), { random: 0.5 });

  expect(execution.end?.output?.value).toEqual({ id: UUID, n: 5 });
});
