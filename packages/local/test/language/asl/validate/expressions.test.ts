import type { JsonObject } from '../../../../json/json';
import { problemsIn } from './problems';

const output = (text: string): JsonObject => ({ Type: 'Pass', Output: { v: text }, Next: 'End' });
const UNSUPPORTED = 'UNSUPPORTED_JSONATA_EXPRESSION';
const topLevel = (name: string) =>
  `${UNSUPPORTED}: Reference to '${name}' at the top level is not supported. at /States/X/Output/v`;

describe('syntax', () => {
  test.each([
    ['{% 1 + %}', 'INVALID_JSONATA_EXPRESSION: Unexpected end of expression'],
    ['{% $x[ %}', 'INVALID_JSONATA_EXPRESSION: Expected "]" before end of expression'],
    ['{% %}', 'INVALID_JSONATA_EXPRESSION: Unexpected end of expression'],
    ['{% $a ?? $b %}', 'INVALID_JSONATA_EXPRESSION: The symbol "?" cannot be used as a unary operator'],
    ['{% 1', 'SCHEMA_VALIDATION_FAILED: JSONata string must start with {% and end with %}'],
  ])('%s: rejected', (text, problem) => {
    expect(problemsIn(output(text))).toEqual([`${problem} at /States/X/Output/v`]);
  });

  test.each(['text', ' {% 1 %} ', '1 %}', '{% $a ? 1 : 2 %}', '{% /a+/i %}'])('%j: accepted', text => {
    const accepted = text.includes('/a+/') ? '{% $contains("a", /a+/i) %}' : text;

    expect(problemsIn(output(accepted))).toEqual([]);
  });
});

describe('names at the top level', () => {
  test.each([
    ['phone', ['phone']],
    ['phone.number', ['phone']],
    ['$map($states.input.a, function($x){ b })', ['b']],
    ['{"a": b}', ['b']],
    ['[a, c.d]', ['a', 'c']],
    ['$x := y', ['y']],
    ['$states.input.a ? b : c', ['b', 'c']],
  ])('%s: rejected', (source, names) => {
    expect(problemsIn(output(`{% ${source} %}`)).sort()).toEqual(names.map(topLevel));
  });

  test('the input document: rejected', () => {
    const problem = `${UNSUPPORTED}: Reference to '$$' is not supported. at /States/X/Output/v`;

    expect(problemsIn(output('{% $$.a %}'))).toEqual([problem]);
  });

  test.each([
    '$states.input.a.b',
    '$states.input.items[value > 3]',
    '$states.input.items^(price)',
    '$states.input.items{id: $sum(price)}',
    '$states.input.items.(price * quantity)',
    '$states.input ~> |items|{"n": price}, "x"|',
    '$sum([1, 2])',
    '"text"',
    '$x.y',
  ])('%s: accepted', source => {
    expect(problemsIn(output(`{% ${source} %}`))).toEqual([]);
  });
});

describe('$states', () => {
  const task: JsonObject = { Type: 'Task', Resource: 'arn:aws:states:::a:b', Arguments: {}, Next: 'End' };
  const result = '{% $states.result.a %}';
  const errorOutput = '{% $states.errorOutput.Error %}';
  const rejected = (field: string, at: string) => [
    `${UNSUPPORTED}: Field '$states.${field}' does not exist. at ${at}`,
  ];
  const catching = (fields: JsonObject) => ({
    ...task,
    Catch: [{ ErrorEquals: ['A'], Next: 'End', ...fields }],
  });

  test.each<[string, JsonObject, string[]]>([
    ["a task's result in its output", { ...task, Output: result }, []],
    ["a task's result in its variables", { ...task, Assign: { r: result } }, []],
    [
      "a task's result in its arguments",
      { ...task, Arguments: { r: result } },
      rejected('result', '/States/X/Arguments/r'),
    ],
    [
      "a task's result in a catcher",
      catching({ Output: result }),
      rejected('result', '/States/X/Catch[0]/Output'),
    ],
    ['an error in a catcher', catching({ Output: errorOutput, Assign: { e: errorOutput } }), []],
    [
      'an error outside a catcher',
      { ...task, Output: errorOutput },
      rejected('errorOutput', '/States/X/Output'),
    ],
    [
      'a result in a Pass',
      { Type: 'Pass', Output: result, Next: 'End' },
      rejected('result', '/States/X/Output'),
    ],
    [
      'a result in the variables of a rule',
      { Type: 'Choice', Choices: [{ Condition: true, Assign: { r: result }, Next: 'End' }], Default: 'End' },
      rejected('result', '/States/X/Choices[0]/Assign/r'),
    ],
    [
      'an unknown member',
      { Type: 'Pass', Output: '{% $states.foo %}', Next: 'End' },
      rejected('foo', '/States/X/Output'),
    ],
    ['the context', { Type: 'Pass', Output: '{% $states.context.State.Name %}', Next: 'End' }, []],
  ])('%s: as the service', (_case, state, problems) => {
    expect(problemsIn(state)).toEqual(problems);
  });
});
