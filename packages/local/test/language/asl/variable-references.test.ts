import type { JsonObject } from '../../../json/json';
import { variableReferences } from '../../../language/asl/variable-references';

function of(states: JsonObject): unknown {
  const StartAt = Object.keys(states)[0] ?? '';
  return variableReferences(JSON.stringify({ QueryLanguage: 'JSONata', StartAt, States: states }));
}

const ASSIGNS = { Type: 'Pass', Assign: { a: 1, b: 2, f: 3 }, Next: 'Use' };

describe('the variables that states refer to', () => {
  test.each<[string, JsonObject, readonly string[] | undefined]>([
    ['in any field', { Type: 'Task', Arguments: { x: ['{% $b + $a %}'] }, Output: '{% $a %}' }, ['a', 'b']],
    ['below a path', { Type: 'Pass', Output: '{% $states.input.x[y = $b] %}' }, ['b']],
    [
      'in rules and catchers',
      { Type: 'Choice', Choices: [{ Condition: '{% $a = 1 %}', Next: 'Use' }] },
      ['a'],
    ],
    ['one of its own assignments', { Type: 'Pass', Assign: { a: '{% $a + 1 %}' } }, ['a']],
    ['only $states', { Type: 'Pass', Output: '{% $states.input.a %}' }, undefined],
    ['functions', { Type: 'Pass', Output: '{% $sum([1]) + $now() %}' }, undefined],
    ['a name that the expression binds', { Type: 'Pass', Output: '{% ($a := 1; $a) %}' }, undefined],
    ['a parameter', { Type: 'Pass', Output: '{% $map([1], function($b) { $b }) %}' }, undefined],
    ['text that looks like one', { Type: 'Pass', Output: '$a' }, undefined],
    ['none that is assigned', { Type: 'Pass', Output: '{% $other %}' }, undefined],
  ])('%s', (_case, state, names) => {
    expect(of({ Start: ASSIGNS, Use: { ...state, End: true } })).toEqual(names ? { Use: names } : {});
  });

  test('in an iteration: the state within, not the one around it', () => {
    const inner = { StartAt: 'In', States: { In: { Type: 'Pass', Output: '{% $a %}', End: true } } };

    const references = of({
      Start: ASSIGNS,
      Use: { Type: 'Map', Items: '{% $b %}', ItemProcessor: inner, End: true },
    });

    expect(references).toEqual({ Use: ['b'], In: ['a'] });
  });
});

describe('the variables that states in JSONPath refer to', () => {
  const use = (state: JsonObject) => {
    const states = {
      Start: { Type: 'Pass', Assign: { 'a.$': '$.a', b: 2 }, Next: 'Use' },
      Use: { ...state, End: true },
    };
    return variableReferences(JSON.stringify({ StartAt: 'Start', States: states }));
  };
  test.each<[string, JsonObject, readonly string[] | undefined]>([
    ['in a path of the state', { Type: 'Wait', SecondsPath: '$a', OutputPath: '$b.c' }, ['a', 'b']],
    ['in a payload template', { Type: 'Pass', Parameters: { x: [{ 'y.$': '$b' }] } }, ['b']],
    [
      'in a function',
      { Type: 'Pass', Parameters: { 'x.$': "States.Format('{}', States.MathAdd($a, 1))" } },
      ['a'],
    ],
    [
      'in a rule',
      { Type: 'Choice', Choices: [{ Not: { Variable: '$a', StringEqualsPath: '$b' } }] },
      ['a', 'b'],
    ],
    ['text that looks like one', { Type: 'Pass', Parameters: { x: '$a', ItemsPath: '$b' } }, undefined],
    ['a result that looks like one', { Type: 'Pass', Result: { 'x.$': '$a' } }, undefined],
    ['the input and the context', { Type: 'Pass', InputPath: '$.a', OutputPath: '$$.State' }, undefined],
  ])('%s', (_case, state, names) => {
    expect(use(state)).toEqual(names ? { Use: names } : {});
  });
});
