import { parseDefinition } from '../../../asl/parse';
import type { JsonObject } from '../../../json/json';
import { problemsOf } from './problems';

const SCHEMA = 'SCHEMA_VALIDATION_FAILED';
const unsupported = (what: string, at: string) =>
  `NOT_SUPPORTED_LOCALLY: JSONPath (${what}) is not supported by the local engine yet at ${at}`;
const machine = (state: JsonObject) => ({ StartAt: 'X', States: { X: state } });
const FUNCTION = 'arn:aws:lambda:us-east-1:111111111111:function:f';

describe('JSONPath without a path', () => {
  test.each<JsonObject>([
    { Type: 'Pass', Result: { a: 1 }, End: true },
    { Type: 'Wait', Seconds: 1, End: true },
    { Type: 'Wait', Timestamp: '2030-01-01T00:00:00Z', End: true },
    { Type: 'Fail', Error: 'E', Cause: 'c' },
    { Type: 'Succeed' },
    { Type: 'Task', Resource: FUNCTION, End: true },
    { Type: 'Pass', Assign: { a: 1 }, End: true },
    { Type: 'Map', Iterator: { StartAt: 'A', States: { A: { Type: 'Succeed' } } }, End: true },
  ])('%j: accepted', state => {
    expect(problemsOf(machine(state))).toEqual([]);
  });

  test('what looks like an expression: is a text', () => {
    const parsed = parseDefinition(JSON.stringify(machine({ Type: 'Pass', Result: '{% 1 %}', End: true })));

    expect(parsed.kind === 'definition' && parsed.definition.states.get('X')).toMatchObject({
      output: { kind: 'constant', value: '{% 1 %}' },
    });
  });
});

describe('JSONPath with a path', () => {
  test.each<[JsonObject, string[]]>([
    [
      { Type: 'Pass', InputPath: '$.a', End: true },
      [unsupported("field 'InputPath'", '/States/X/InputPath')],
    ],
    [
      { Type: 'Pass', Result: 1, ResultPath: '$.a', End: true },
      [unsupported("field 'ResultPath'", '/States/X/ResultPath')],
    ],
    [
      { Type: 'Pass', Assign: { a: { 'b.$': '$.c' } }, End: true },
      [unsupported("field 'b.$'", '/States/X/Assign')],
    ],
    [
      { Type: 'Choice', Choices: [{ Variable: '$.a', IsNull: true, Next: 'X' }], Default: 'X' },
      ['MISSING_END_STATE: Workflow has no terminal state at null'],
    ],
    [
      { Type: 'Task', Resource: 'arn:aws:states:::dynamodb:getItem', Parameters: {}, End: true },
      [
        `${SCHEMA}: The field 'TableName' is required but was missing at /States/X/Parameters`,
        `${SCHEMA}: The field 'Key' is required but was missing at /States/X/Parameters`,
      ],
    ],
    [
      {
        Type: 'Task',
        Resource: 'arn:aws:states:::dynamodb:getItem',
        Parameters: { 'TableName.$': '$.t', Key: {} },
        End: true,
      },
      [unsupported("field 'Parameters'", '/States/X/Parameters')],
    ],
    [
      { Type: 'Pass', Output: 1, End: true },
      [
        `${SCHEMA}: The QueryLanguage is set to 'JSONPath', but field 'Output' is only supported for the ` +
          "'JSONata' QueryLanguage at /States/X",
      ],
    ],
  ])('%j: refused by name', (state, problems) => {
    expect(problemsOf(machine(state))).toEqual(problems);
  });

  test('a Choice that compares: refused by name', () => {
    const choice = { Type: 'Choice', Choices: [{ Variable: '$.a', IsNull: true, Next: 'E' }], Default: 'E' };
    const definition = { StartAt: 'X', States: { X: choice, E: { Type: 'Succeed' } } };

    expect(problemsOf(definition)).toEqual([unsupported('Choice rules', '/States/X/Choices[0]')]);
  });
});
