import { checkRequest } from '../../api/request-schema';
import type { Json } from '../../json/json';

const SHAPE = {
  name: { kind: 'text', min: 1, max: 3, required: true },
  secret: { kind: 'text', max: 2, isSecret: true },
  data: { kind: 'text', maxBytes: 4, isSecret: true },
  alias: { kind: 'text', pattern: '^[a-z]+$' },
  kind: { kind: 'text', values: ['A', 'B'] },
  size: { kind: 'number', min: 0, max: 10 },
  flag: { kind: 'flag' },
  tags: {
    kind: 'list',
    max: 2,
    member: { kind: 'structure', members: { key: { kind: 'text', min: 1, required: true } } },
  },
} as const;

const MAP = { values: { kind: 'map', value: { kind: 'text', max: 1 } } } as const;

const at = (subject: string, rule: string) => `${subject} failed to satisfy constraint: Member must ${rule}`;
const one = (subject: string, rule: string) => `1 validation error detected: ${at(subject, rule)}`;

describe('a request against the model', () => {
  test('everything in bounds: the request, without members the model does not have and without nulls', () => {
    const given = {
      name: 'abc',
      size: 10.9,
      flag: false,
      tags: [{ key: 'k', more: 1 }],
      other: {},
      kind: null,
    };

    expect(checkRequest(SHAPE, given)).toEqual({
      kind: 'request',
      request: { name: 'abc', size: 10, flag: false, tags: [{ key: 'k' }] },
    });
  });

  test.each<[string, Json, string]>([
    ['no name', {}, one("Value null at 'name'", 'not be null')],
    ['null', { name: null }, one("Value null at 'name'", 'not be null')],
    ['too long', { name: 'abcd' }, one("Value 'abcd' at 'name'", 'have length less than or equal to 3')],
    ['empty', { name: '' }, one("Value '' at 'name'", 'have length greater than or equal to 1')],
    ['secret', { name: 'a', secret: 'xyz' }, one("Value at 'secret'", 'have length less than or equal to 2')],
    [
      'bytes, not characters',
      { name: 'a', data: 'äöü' },
      one("Value at 'data'", 'have size less than or equal to 4 bytes in UTF-8 encoding'),
    ],
    [
      'pattern',
      { name: 'a', alias: '1' },
      one("Value '1' at 'alias'", 'satisfy regular expression pattern: ^[a-z]+$'),
    ],
    ['enum', { name: 'a', kind: 'a' }, one("Value 'a' at 'kind'", 'satisfy enum value set: [A, B]')],
    ['number', { name: 'a', size: 11 }, one("Value '11' at 'size'", 'have value less than or equal to 10')],
    [
      'in a list',
      { name: 'a', tags: [{ key: 'k' }, {}] },
      one("Value null at 'tags.2.member.key'", 'not be null'),
    ],
    [
      'two at once',
      { size: -1 },
      `2 validation errors detected: ${at("Value null at 'name'", 'not be null')}; ` +
        at("Value '-1' at 'size'", 'have value greater than or equal to 0'),
    ],
  ])('%s: rejected in the words of the service', (_case, given, message) => {
    expect(checkRequest(SHAPE, given)).toEqual({ kind: 'invalid', message });
  });

  test.each<[string, Json, string]>([
    ['a number for a text', { name: 1 }, 'NUMBER_VALUE can not be converted to a String'],
    ['a text for a number', { name: 'a', size: '1' }, 'STRING_VALUE can not be converted to an Integer'],
    ['a text for a flag', { name: 'a', flag: 'true' }, 'STRING_VALUE can not be converted to a Boolean'],
    ['an object for a list', { name: 'a', tags: {} }, 'START_OBJECT can not be converted to a List'],
    ['a list for a structure', { name: 'a', tags: [[]] }, 'START_ARRAY can not be converted to a Structure'],
    ['no object at all', [], 'START_ARRAY can not be converted to a Structure'],
    ['null', null, 'NULL_VALUE can not be converted to a Structure'],
  ])('%s: unreadable', (_case, given, message) => {
    expect(checkRequest(SHAPE, given)).toEqual({ kind: 'unreadable', message });
  });

  test('a member named like one of all objects: treated as any other', () => {
    const given = JSON.parse('{"name":"a","__proto__":{"size":11},"constructor":1}') as Json;

    expect(checkRequest(SHAPE, given)).toEqual({ kind: 'request', request: { name: 'a' } });
  });
});

describe('members of any names', () => {
  test('all of the kind that the model has: the request has them', () => {
    const given = { values: { a: 'x', 'any name': '' } };

    expect(checkRequest(MAP, given)).toEqual({ kind: 'request', request: given });
  });

  test.each<[string, Json, string]>([
    ['no map', ['x'], 'START_ARRAY can not be converted to a Map'],
    ['one of another kind', { a: 'x', b: {} }, 'START_OBJECT can not be converted to a String'],
  ])('%s: unreadable', (_, values, message) => {
    expect(checkRequest(MAP, { values })).toEqual({ kind: 'unreadable', message });
  });

  test.each<[string, Json, string]>([
    ['null', { a: null }, one("Value null at 'values.a.member'", 'not be null')],
    [
      'out of bounds',
      { a: 'xy' },
      one("Value 'xy' at 'values.a.member'", 'have length less than or equal to 1'),
    ],
  ])('one that is %s: rejected by its name', (_, values, message) => {
    expect(checkRequest(MAP, { values })).toEqual({ kind: 'invalid', message });
  });
});
