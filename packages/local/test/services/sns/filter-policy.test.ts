import type { Json } from '../../../json/json';
import { readFilterPolicy } from '../../../services/sns/filter-policy';

const ATTRIBUTES = {
  colour: { DataType: 'String', StringValue: 'Red' },
  price: { DataType: 'Number', StringValue: '12.50' },
  tags: { DataType: 'String.Array', StringValue: '["a", 7, true, null]' },
  raw: { DataType: 'Binary', BinaryValue: 'AA==' },
};

function lets(policy: Json): boolean | string {
  const read = readFilterPolicy(policy);
  return read.kind === 'filter' ? read.filter.matches(ATTRIBUTES) : read.reason;
}

describe('a filter policy', () => {
  test.each<[policy: Json, isThrough: boolean]>([
    [{}, true],
    [{ colour: ['Red'] }, true],
    [{ colour: ['red'] }, false],
    [{ colour: ['blue', 'Red'] }, true],
    [{ colour: ['Red'], price: [1] }, false],
    [{ colour: [{ prefix: 'Re' }] }, true],
    [{ colour: [{ suffix: 'Re' }] }, false],
    [{ colour: [{ 'equals-ignore-case': 'rED' }] }, true],
    [{ colour: [{ 'anything-but': ['blue', 'Red'] }] }, false],
    [{ colour: [{ 'anything-but': 'blue' }] }, true],
    [{ colour: [{ 'anything-but': { prefix: 'R' } }] }, false],
    [{ gone: [{ 'anything-but': 'blue' }] }, false],
    [{ colour: [{ exists: true }], gone: [{ exists: false }] }, true],
    [{ colour: [{ exists: false }] }, false],
    [{ price: [12.5] }, true],
    [{ price: ['12.50'] }, false],
    [{ price: [{ numeric: ['>', 12, '<=', 12.5] }] }, true],
    [{ price: [{ numeric: ['<', 12.5] }] }, false],
    [{ colour: [{ numeric: ['>', 0] }] }, false],
    [{ tags: [7] }, true],
    [{ tags: ['a'], colour: ['Red'] }, true],
    [{ tags: [false] }, false],
    [{ tags: [null] }, true],
    [{ raw: ['AA=='] }, false],
    [{ raw: [{ exists: true }] }, true],
    [{ constructor: [{ exists: true }] }, false],
  ])('%j: lets the message through, %s', (policy, isThrough) => {
    expect(lets(policy)).toBe(isThrough);
  });

  test.each<[policy: Json, reason: RegExp]>([
    ['red', /^is not an object$/],
    [{ colour: 'red' }, /^has colour, which is not a list of conditions$/],
    [{ $or: [{ colour: ['red'] }] }, /^has \$or, /],
    [{ colour: [{ cidr: '10.0.0.0/8' }] }, /^has the condition {"cidr":"10.0.0.0\/8"}, which is not built$/],
    [{ colour: [{ prefix: 1 }] }, /not built$/],
    [{ price: [{ numeric: ['>'] }] }, /not built$/],
    [{ colour: [{ 'anything-but': [{ prefix: 'R' }] }] }, /not built$/],
  ])('%j: is not built, and says why', (policy, reason) => {
    expect(lets(policy)).toMatch(reason);
  });
});
