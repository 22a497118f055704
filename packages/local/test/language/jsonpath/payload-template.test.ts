import type { Json } from '../../../json/json';
import {
  evaluatePayloadTemplate,
  isConstant,
  parsePayloadTemplate,
} from '../../../language/jsonpath/payload-template';

const INPUT: Json = { order: { id: 'o-1', lines: [{ sku: 'x' }, { sku: 'y' }] } };

/** What a template gives, its failure, or its problems. */
function evaluated(template: Json): unknown {
  const parsed = parsePayloadTemplate(template);
  if (parsed.kind === 'invalid') return parsed.problems.map(({ place, reason }) => [place.join('/'), reason]);
  return evaluatePayloadTemplate(parsed.template, {
    input: INPUT,
    context: { Execution: { Name: 'run-1' } },
    variables: { region: 'eu' },
    randomness: { random: () => 0, uuid: () => 'u' },
  });
}

const resultOf = (value: Json) => ({ kind: 'value', value });

test.each<[Json, Json]>([
  [{ 'id.$': '$.order.id' }, { id: 'o-1' }],
  [
    { 'name.$': '$$.Execution.Name', 'where.$': '$region' },
    { name: 'run-1', where: 'eu' },
  ],
  [{ 'text.$': "States.Format('{}@{}', $.order.id, $region)" }, { text: 'o-1@eu' }],
  [
    { 'all.$': '$.order.lines[*].sku', 'none.$': '$.other[*]' },
    { all: ['x', 'y'], none: [] },
  ],
  [{ list: [{ 'id.$': '$.order.id' }, '$.order.id', 1] }, { list: [{ id: 'o-1' }, '$.order.id', 1] }],
  [{ deep: { er: { 'id.$': '$.order.id' } } }, { deep: { er: { id: 'o-1' } } }],
  [{ 'whole.$': '$' }, { whole: INPUT }],
  ['$.order.id', '$.order.id'],
  [{}, {}],
])('%j: paths and functions are replaced, all else stays', (template, value) =>
  expect(evaluated(template)).toEqual(resultOf(value)),
);

test('members that stand for themselves come first, as on the service', () => {
  const { value } = evaluated({ 'b.$': '$.order.id', a: 1, 'd.$': '$region', c: 2 }) as { value: object };
  expect(Object.keys(value)).toEqual(['a', 'c', 'b', 'd']);
});

test('a template without paths: a constant, the same object at each evaluation', () => {
  const template = { a: [1, { b: '$.c' }] };
  const parsed = parsePayloadTemplate(template);
  expect(parsed.kind === 'template' && isConstant(parsed.template)).toBe(true);
  expect((evaluated(template) as { value: Json }).value).toBe(template);
});

test('a path to nothing: the state fails, with the field and the input', () => {
  expect(evaluated({ deep: { 'id.$': '$.order.number' } })).toEqual({
    kind: 'failed',
    error: 'States.Runtime',
    cause:
      "The JSONPath '$.order.number' specified for the field 'id.$' could not be found in the input " +
      `'{"order":{"id":"o-1","lines":[{"sku":"x"},{"sku":"y"}]}}'`,
  });
});

test('members that are no paths and no functions: all of them, with their places', () => {
  expect(evaluated({ 'a.$': 'order', b: [{ 'c.$': 1 }], 'd.$': 'States.Foo()' })).toEqual([
    ['a.$', "expected '$', found 'o' at position 1"],
    ['b/0/c.$', 'it is not a string'],
    ['d.$', "there is no function 'States.Foo'"],
  ]);
});

describe('a few paths that lead to more than there is memory for', () => {
  const text = 'x'.repeat(250_000);
  const member = (index: number, value: string) => [`m${index}.$`, value] as const;
  const roots = { context: {}, variables: {}, randomness: { random: () => 0, uuid: () => 'u' } };
  const errorOf = (template: Json, input: Json) => {
    const parsed = parsePayloadTemplate(template);
    if (parsed.kind === 'invalid') throw new Error('no template');
    const result = evaluatePayloadTemplate(parsed.template, { ...roots, input });
    return result.kind === 'failed' ? result.error : 'a value';
  };

  test('many members with the whole input: the data limit, and not for a few', () => {
    const copies = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => member(index, '$.text')));
    expect(errorOf(copies(10), { text })).toBe('a value');
    expect(errorOf(copies(20_000), { text })).toBe('States.DataLimitExceeded');
  });

  test('functions that repeat it: the data limit', () => {
    const places = '{}'.repeat(3000);
    const all = Array.from({ length: 3000 }, () => '$.text').join(', ');
    expect(errorOf({ 'a.$': `States.Format('${places}', ${all})` }, { text })).toBe(
      'States.DataLimitExceeded',
    );
    const array = `States.Array(${all})`;
    expect(errorOf({ 'a.$': `States.JsonToString(${array})` }, { text })).toBe('States.DataLimitExceeded');
  });

  test('all values of a deep document: too many', () => {
    let deep: Json = text;
    for (let level = 0; level < 900; level += 1) deep = [deep];
    expect(errorOf({ 'a.$': '$..*' }, deep)).toBe('States.Runtime');
  });
});
