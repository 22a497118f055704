import { evaluateTemplate, isConstant, templateOf } from '../../asl/template';
import type { Json } from '../../json/json';
import { scopeOf } from './scope';

const evaluated = (json: Json, location = 'Output') =>
  evaluateTemplate(templateOf(json), location, scopeOf({ a: 1, list: [] }));

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
  ])('%j: %j', async (json, value) => {
    expect(await evaluated(json)).toEqual({ kind: 'value', value });
  });

  test.each([
    ['{% $nope %}', 'Output'],
    [{ a: { b: ['{% $nope %}'] } }, 'Output/a/b[0]'],
    [['{% 1 %}', '{% $nope %}'], 'Output[1]'],
    [{ ok: '{% 1 %}', first: '{% $nope %}', second: '{% $nope %}' }, 'Output/first'],
  ])('%j: fails at %s', async (json, location) => {
    const reason =
      `The JSONata expression '$nope' specified for the field '${location}' returned ` +
      `nothing (undefined).`;

    expect(await evaluated(json)).toEqual({ kind: 'failed', reason, location });
  });

  test('a member called __proto__: is kept', async () => {
    const result = await evaluated(JSON.parse('{"__proto__": "{% 1 %}"}'));

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
