import type { JsonObject } from '../../../../json/json';
import { parseDefinition } from '../../../../language/asl/parse';
import { problemsOf } from './problems';

const SCHEMA = 'SCHEMA_VALIDATION_FAILED';
const machine = (state: JsonObject) => ({ StartAt: 'X', States: { X: state } });
const choice = (rule: JsonObject) => ({
  StartAt: 'X',
  States: { X: { Type: 'Choice', Choices: [{ ...rule, Next: 'E' }], Default: 'E' }, E: { Type: 'Succeed' } },
});
const FUNCTION = 'arn:aws:lambda:us-east-1:111111111111:function:f';
const processor = { StartAt: 'A', States: { A: { Type: 'Succeed' } } };
const NO_QUERY = (field: string) =>
  `${SCHEMA}: The value for the field '${field}' must be a valid JSONPath or a valid intrinsic function call`;

describe('a JSONPath state', () => {
  test.each<JsonObject>([
    { Type: 'Pass', Result: { a: 1 }, End: true },
    { Type: 'Pass', InputPath: '$.a', Parameters: { 'b.$': '$$.State.Name' }, ResultPath: null, End: true },
    { Type: 'Pass', InputPath: null, OutputPath: '$v.a', ResultPath: '$.a.b', End: true },
    { Type: 'Pass', Assign: { 'a.$': "States.Format('{}', $.a)", b: { 'c.$': '$' } }, End: true },
    { Type: 'Wait', Seconds: 1, End: true },
    { Type: 'Wait', SecondsPath: '$.seconds', End: true },
    { Type: 'Wait', TimestampPath: '$at', OutputPath: '$.a', End: true },
    { Type: 'Fail', ErrorPath: '$$.State.Name', CausePath: "States.Format('{}', $.a)" },
    { Type: 'Succeed', InputPath: '$..a', OutputPath: '$[0]' },
    { Type: 'Task', Resource: FUNCTION, TimeoutSecondsPath: '$.a', HeartbeatSecondsPath: '$b', End: true },
    { Type: 'Task', Resource: FUNCTION, Credentials: { 'RoleArn.$': '$.role' }, End: true },
    {
      Type: 'Map',
      Iterator: processor,
      ItemsPath: '$$.Execution.Input.a',
      MaxConcurrencyPath: '$.n',
      End: true,
    },
    { Type: 'Map', ItemProcessor: processor, ItemSelector: { 'a.$': '$$.Map.Item.Value' }, End: true },
  ])('%j: accepted', state => {
    expect(problemsOf(machine(state))).toEqual([]);
  });

  test.each<[string, JsonObject, string]>([
    [
      'a path that is none',
      { InputPath: 'a' },
      `${SCHEMA}: Value must be a valid JSONPath. at /States/X/InputPath`,
    ],
    [
      'a path that is no text',
      { OutputPath: 1 },
      `${SCHEMA}: Expected value of type String at /States/X/OutputPath`,
    ],
    [
      'a result that goes nowhere',
      { ResultPath: 'a' },
      `${SCHEMA}: Value must be a valid JSONPath. at /States/X/ResultPath`,
    ],
    [
      'a payload that is no query',
      { Parameters: { 'a.$': 'x' } },
      `${NO_QUERY('a.$')} at /States/X/Parameters`,
    ],
    ['an unknown function', { Assign: { 'a.$': 'States.No()' } }, `${NO_QUERY('a.$')} at /States/X/Assign`],
    [
      'a query that is no text',
      { Parameters: { b: { 'a.$': 1 } } },
      `${NO_QUERY('a.$')} at /States/X/Parameters`,
    ],
    [
      'a field of JSONata',
      { Output: 1 },
      `${SCHEMA}: The QueryLanguage is set to 'JSONPath', but field 'Output' is only supported for the 'JSONata' QueryLanguage at /States/X`,
    ],
    [
      'a field of another type',
      { ResultSelector: {} },
      `${SCHEMA}: Field 'ResultSelector' is not supported at /States/X`,
    ],
  ])('%s: rejected', (_, fields, problem) => {
    expect(problemsOf(machine({ Type: 'Pass', ...fields, End: true }))).toEqual([problem]);
  });

  test('a result that may go to many places: is not a Reference Path', () => {
    const [problem, ...more] = problemsOf(machine({ Type: 'Pass', ResultPath: '$.a[*]', End: true }));

    expect(problem).toMatch(/^SCHEMA_VALIDATION_FAILED: Value is not a Reference Path: .* at .*ResultPath$/);
    expect(more).toEqual([]);
  });

  test.each<[string, JsonObject, string]>([
    ['of the context', { MaxConcurrencyPath: '$$.State.Name' }, 'MaxConcurrencyPath'],
    ['that leads to many values', { ItemsPath: '$.a[*].b' }, 'ItemsPath'],
  ])('a number or a list %s: is not a Reference Path', (_, fields, field) => {
    const map = { Type: 'Map', ItemProcessor: processor, ...fields, End: true };

    expect(problemsOf(machine(map))).toEqual([
      `${SCHEMA}: Value is not a Reference Path at /States/X/${field}`,
    ]);
  });

  test('a literal and a path for the same: rejected', () => {
    const map = {
      Type: 'Map',
      ItemProcessor: processor,
      MaxConcurrency: 1,
      MaxConcurrencyPath: '$.n',
      End: true,
    };

    expect(problemsOf(machine(map))).toEqual([
      `${SCHEMA}: There should only be one of the following fields: [MaxConcurrency, MaxConcurrencyPath] at /States/X`,
    ]);
  });

  test('what looks like an expression: is not a number, and in a result a text', () => {
    const wait = { Type: 'Wait', Seconds: '{% 1 %}', End: true };
    const pass = { Type: 'Pass', Result: '{% 1 %}', End: true };

    expect(problemsOf(machine(wait))).toEqual([
      `${SCHEMA}: Expected value of type Integer at /States/X/Seconds`,
    ]);
    const parsed = parseDefinition(JSON.stringify(machine(pass)));
    expect(parsed.kind === 'definition' && parsed.definition.states.get('X')).toMatchObject({
      result: { kind: 'constant', value: '{% 1 %}' },
    });
  });

  test('a required argument that is looked up: is there', () => {
    const get = (Parameters: JsonObject) =>
      machine({ Type: 'Task', Resource: 'arn:aws:states:::dynamodb:getItem', Parameters, End: true });

    expect(problemsOf(get({ 'TableName.$': '$.t', Key: {} }))).toEqual([]);
    expect(problemsOf(get({ 'TableName.$': '$.t' }))).toEqual([
      `${SCHEMA}: The field 'Key' is required but was missing at /States/X/Parameters`,
    ]);
  });
});

describe('a rule of a Choice in JSONPath', () => {
  test.each<JsonObject>([
    { Variable: '$.a', IsNull: true },
    { And: [{ Variable: '$.a', NumericEquals: 1 }, { Not: { Variable: '$v', StringMatches: 'a*' } }] },
    { Variable: '$$.State.Name', TimestampLessThanPath: '$.b' },
  ])('%j: accepted', rule => {
    expect(problemsOf(choice(rule))).toEqual([]);
  });

  test.each<[JsonObject, string]>([
    [
      { Variable: 'a', IsNull: true },
      "Value is not a Reference Path: Reference path didn't start with '$' at /States/X/Choices[0]/Variable",
    ],
    [
      { Or: [{ Variable: '$.a', IsNull: 1 }] },
      'Expected value of type Boolean at /States/X/Choices[0]/Or[0]/IsNull',
    ],
    [
      { Not: { Variable: '$.a', NumericEquals: '1' } },
      'Expected value of type Number at /States/X/Choices[0]/Not/NumericEquals',
    ],
    [
      { Variable: '$.a', TimestampEquals: 'now' },
      'String does not match RFC3339 timestamp at /States/X/Choices[0]/TimestampEquals',
    ],
    [
      { Variable: '$.a', BooleanLessThan: true },
      "Field 'BooleanLessThan' is not supported at /States/X/Choices[0]",
    ],
    [
      { Variable: '$.a' },
      'The object must have only one of the following fields, [And, Or, Not, Variable, Condition] at /States/X/Choices[0]',
    ],
  ])('%j: rejected', (rule, problem) => {
    expect(problemsOf(choice(rule))).toEqual([`${SCHEMA}: ${problem}`]);
  });
});
