import { inputDifferences, keptDifferences } from '../../../../cli/console/views/input-differences';

const differences = (owner: unknown, own: unknown) =>
  inputDifferences(JSON.stringify(owner), JSON.stringify(own))?.map(one => [one.path, one.owner, one.own]);

describe('where two inputs differ', () => {
  test.each<[string, unknown, unknown, readonly (readonly string[])[]]>([
    ['nowhere', { a: 1, b: [{ c: 'x' }] }, { b: [{ c: 'x' }], a: 1 }, []],
    ['a value', { detail: { amount: 1 } }, { detail: { amount: 2 } }, [['$.detail.amount', '1', '2']]],
    ['a type', { a: 1 }, { a: '1' }, [['$.a', '1', '"1"']]],
    ['a member that is missing', { a: null }, {}, [['$.a', 'null', 'absent']]],
    ['a list that is longer', [1], [1, 2], [['$[1]', 'absent', '2']]],
    ['a list for an object', { a: [] }, { a: {} }, [['$.a', '[]', '{}']]],
    ['a name that is no word', { 'a b': 1 }, { 'a b': 2 }, [['$["a b"]', '1', '2']]],
    ['everything', 1, { a: 1 }, [['$', '1', '{"a":1}']]],
    ['a member of every object', {}, JSON.parse('{"__proto__": 1}'), [['$.__proto__', 'absent', '1']]],
  ])('%s', (_, owner, own, expected) => {
    expect(differences(owner, own)).toEqual(expected);
  });

  test('an input that is not there, or is not JSON: nothing is said', () => {
    expect(inputDifferences(undefined, '{}')).toBeUndefined();
    expect(inputDifferences('{}', '{')).toBeUndefined();
  });

  test('two that have nothing in common: so many, and no more', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`name${index}`, index]));

    expect(differences(many, {})).toHaveLength(50);
  });

  test('values of any length, with what moves a cursor: shortened, and harmless', () => {
    const [[, owner = ''] = []] = differences({ a: 'x'.repeat(10_000) }, { a: '\u202e' }) ?? [];

    expect(owner).toHaveLength(160);
  });
});

describe('keptDifferences', () => {
  test('the fields that the cause names, with what the record has there', () => {
    expect(
      keptDifferences('{"amount":12.5,"a b":{}}', '{"differingFields":["amount","a b","toString"]}'),
    ).toEqual([
      { path: 'payload.amount', owner: '12.5', own: 'another' },
      { path: 'payload["a b"]', owner: '{}', own: 'another' },
      { path: 'payload.toString', owner: 'absent', own: 'another' },
    ]);
  });

  test.each([
    ['nothing kept', undefined, '{"differingFields":["a"]}'],
    ['too long', 'TOO_LONG', '{"differingFields":["a"]}'],
    ['no fields in the cause', '{"a":1}', '{"message":"no"}'],
    ['no cause', '{"a":1}', undefined],
  ])('%s: unknown', (_, payload, cause) => {
    expect(keptDifferences(payload, cause)).toBeUndefined();
  });
});
