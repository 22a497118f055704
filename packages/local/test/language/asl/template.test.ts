import type { Json } from '../../../json/json';
import { type Evaluate, evaluateTemplate, isConstant, templateOf } from '../../../language/asl/template';
import { evaluateAtOnce } from '../../../language/jsonata/jsonata';
import { scopeOf } from './scope';

const scope = scopeOf({ a: 1, list: [] });
const evaluate: Evaluate = source => {
  const result = evaluateAtOnce(source, scope);
  if (!result) throw new Error(`not to be had at once: ${source}`);
  return result;
};
const evaluated = (json: Json, location = 'Output') => evaluateTemplate(templateOf(json), location, evaluate);

describe('evaluateTemplate', () => {
  test.each<[Json, Json]>([
    ['{% $states.input.a %}', 1],
    ['{%$states.input.a%}', 1],
    [' {% 1 %} ', ' {% 1 %} '],
    ['{% 1', '{% 1'],
    [
      { 'x.$': '$.y', k: ['{% 1 + 1 %}', null, { z: '{% $states.input.list %}' }] },
      { 'x.$': '$.y', k: [2, null, { z: [] }] },
    ],
    [[], []],
    [0, 0],
  ])('%j: %j', (json, value) => {
    expect(evaluated(json)).toEqual({ kind: 'value', value });
  });

  test.each([
    ['{% $nope %}', 'Output'],
    [{ a: { b: ['{% $nope %}'] } }, 'Output/a/b[0]'],
    [['{% 1 %}', '{% $nope %}'], 'Output[1]'],
    [{ ok: '{% 1 %}', first: '{% $nope %}', second: '{% $nope %}' }, 'Output/first'],
  ])('%j: fails at %s', (json, location) => {
    const reason =
      `The JSONata expression '$nope' specified for the field '${location}' returned ` +
      `nothing (undefined).`;

    expect(evaluated(json)).toEqual({ kind: 'failed', reason, location });
  });

  test('a member called __proto__: is kept', () => {
    const result = evaluated(JSON.parse('{"__proto__": "{% 1 %}"}'));

    expect(JSON.stringify(result.kind === 'value' && result.value)).toBe('{"__proto__":1}');
  });
});

describe('templateOf', () => {
  test('JSON without an expression: one constant, the same value', () => {
    const json = { a: [1, { b: 'text' }] };
    const template = templateOf(json);

    expect(isConstant(template) && template.value).toBe(json);
  });
});
