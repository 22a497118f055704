import type { Json, JsonObject } from '../../../json/json';
import { evaluateChoiceRule, parseChoiceRule } from '../../../language/jsonpath/choice-rule';

const INPUT: JsonObject = {
  text: 'order-77',
  number: 7,
  half: 0.5,
  yes: true,
  nothing: null,
  list: [1],
  at: '2024-02-29T12:00:00Z',
  sameMoment: '2024-02-29T13:00:00+01:00',
  later: '2024-02-29T12:00:00.001Z',
};

/** Whether a rule holds, or the cause of its failure. */
function outcome(rule: JsonObject): Json {
  const parsed = parseChoiceRule({ ...rule, Next: 'Elsewhere' });
  if (parsed.kind === 'invalid') return `invalid: ${parsed.reason}`;
  const result = evaluateChoiceRule(parsed.rule, {
    input: INPUT,
    context: { Execution: { Name: 'run-1' } },
    variables: { limit: 7 },
  });
  return result.kind === 'value' ? result.value : `${result.error}: ${result.cause}`;
}

const on = (path: string, operator: string, value: Json) => ({ Variable: `$.${path}`, [operator]: value });

describe('a comparison', () => {
  test.each<[string, string, Json, boolean]>([
    ['text', 'StringEquals', 'order-77', true],
    ['text', 'StringLessThan', 'order-8', true],
    ['text', 'StringLessThanEquals', 'order-77', true],
    ['text', 'StringGreaterThan', 'order-77', false],
    ['text', 'StringGreaterThanEquals', 'order-7', true],
    ['text', 'StringMatches', 'order-*', true],
    ['text', 'StringMatches', 'order-', false],
    ['number', 'NumericEquals', 7, true],
    ['number', 'NumericLessThan', 7, false],
    ['number', 'NumericLessThanEquals', 7, true],
    ['half', 'NumericGreaterThan', 0.25, true],
    ['number', 'NumericGreaterThanEquals', 7.5, false],
    ['yes', 'BooleanEquals', true, true],
    ['yes', 'BooleanEquals', false, false],
    ['at', 'TimestampEquals', '2024-02-29T07:00:00-05:00', true],
    ['at', 'TimestampLessThan', '2024-02-29T12:00:01Z', true],
    ['at', 'TimestampLessThanEquals', '2024-02-29T11:59:59Z', false],
    ['later', 'TimestampGreaterThan', '2024-02-29T12:00:00Z', true],
    ['later', 'TimestampGreaterThanEquals', '2024-02-29T12:00:00.001Z', true],
  ])('$.%s %s %j: %p', (path, operator, value, holds) =>
    expect(outcome(on(path, operator, value))).toBe(holds),
  );

  test.each<[string, string, Json]>([
    ['number', 'StringEquals', '7'],
    ['number', 'StringMatches', '*'],
    ['text', 'NumericLessThan', 8],
    ['nothing', 'BooleanEquals', false],
    ['text', 'TimestampEquals', '2024-02-29T12:00:00Z'],
    ['text', 'TimestampLessThanEquals', '2024-02-29T12:00:00Z'],
    ['list', 'NumericEquals', 1],
  ])('$.%s of another type than that of %s: does not hold', (path, operator, value) =>
    expect(outcome(on(path, operator, value))).toBe(false),
  );

  test.each([
    ['number', 'NumericEqualsPath', '$limit', true],
    ['number', 'NumericGreaterThanPath', '$.half', true],
    ['text', 'StringEqualsPath', '$.at', false],
    ['number', 'NumericEqualsPath', '$.text', false],
    ['yes', 'BooleanEqualsPath', '$.yes', true],
    ['at', 'TimestampEqualsPath', '$.sameMoment', true],
  ])('$.%s %s %s: compares with what the path leads to', (path, operator, other, holds) =>
    expect(outcome(on(path, operator, other))).toBe(holds),
  );

  test('the variable may be a variable or of the context', () => {
    expect(outcome({ Variable: '$limit', NumericEquals: 7 })).toBe(true);
    expect(outcome({ Variable: '$$.Execution.Name', StringEquals: 'run-1' })).toBe(true);
  });

  test.each([
    [on('missing', 'NumericEquals', 1), '$.missing'],
    [on('number', 'NumericEqualsPath', '$.missing.too'), '$.missing.too'],
    [on('missing', 'IsNull', true), '$.missing'],
    [{ Variable: '$unset', IsString: true }, '$unset'],
  ])('%j: a path to nothing fails the state', (rule, path) =>
    expect(outcome(rule)).toBe(
      `States.Runtime: Invalid path '${path}': The choice state's condition path references an invalid value.`,
    ),
  );
});

describe('a test of a type', () => {
  test.each([
    ['text', 'IsString', true],
    ['number', 'IsString', false],
    ['number', 'IsNumeric', true],
    ['text', 'IsNumeric', false],
    ['yes', 'IsBoolean', true],
    ['nothing', 'IsBoolean', false],
    ['nothing', 'IsNull', true],
    ['number', 'IsNull', false],
    ['at', 'IsTimestamp', true],
    ['text', 'IsTimestamp', false],
    ['nothing', 'IsPresent', true],
    ['missing', 'IsPresent', false],
  ])('$.%s %s: %p, and the contrary where false is asked for', (path, operator, holds) => {
    expect(outcome(on(path, operator, true))).toBe(holds);
    expect(outcome(on(path, operator, false))).toBe(!holds);
  });
});

describe('joined rules', () => {
  const yes = on('number', 'IsNumeric', true);
  const no = on('number', 'IsString', true);
  const failing = on('missing', 'IsString', true);

  test.each<[JsonObject, boolean]>([
    [{ And: [yes, yes] }, true],
    [{ And: [yes, no] }, false],
    [{ Or: [no, yes] }, true],
    [{ Or: [no, no] }, false],
    [{ Not: no }, true],
    [{ Not: { Or: [no, { And: [yes, { Not: no }] }] } }, false],
  ])('%j: %p', (rule, holds) => expect(outcome(rule)).toBe(holds));

  test('a rule after the one that decides is not evaluated', () => {
    expect(outcome({ And: [no, failing] })).toBe(false);
    expect(outcome({ Or: [yes, failing] })).toBe(true);
    expect(outcome({ And: [yes, failing] })).toContain('$.missing');
    expect(outcome({ Not: failing })).toContain('$.missing');
  });
});

describe('an object that is not a rule', () => {
  test.each<[JsonObject, string]>([
    [{ Variable: '$.a' }, 'it has no operator'],
    [{ Variable: '$.a', StringLike: 'x' }, 'it has no operator'],
    [{ Variable: '$.a', BooleanLessThan: true }, 'it has no operator'],
    [{ Variable: '$.a', StringMatchesPath: '$.b' }, 'it has no operator'],
    [{ StringEquals: 'x' }, 'Variable is not a path'],
    [{ Variable: 'a', StringEquals: 'x' }, 'Variable is not a path'],
    [{ Variable: '$.a', StringEquals: 1 }, 'StringEquals takes a value of its type'],
    [{ Variable: '$.a', TimestampEquals: 'noon' }, 'TimestampEquals takes a value of its type'],
    [{ Variable: '$.a', NumericEqualsPath: 1 }, 'NumericEqualsPath takes a path'],
    [{ Variable: '$.a', IsPresent: 'yes' }, 'IsPresent takes true or false'],
    [{ And: [] }, 'And and Or take a list of rules'],
    [{ Or: [{ Not: 1 }] }, 'a rule is an object'],
  ])('%j: rejected', (rule, reason) => expect(outcome(rule)).toBe(`invalid: ${reason}`));
});
