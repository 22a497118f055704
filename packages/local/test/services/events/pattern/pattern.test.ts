import fc from 'fast-check';
import type { Json, JsonObject } from '../../../../json/json';
import { compilePattern } from '../../../../services/events/pattern/pattern';
import { eventWith, sampleEvent } from '../sample-event';

function matches(pattern: Json, event: Json): boolean {
  const compiled = compilePattern(pattern);
  if (compiled.kind === 'invalid') throw new Error(JSON.stringify(compiled.problems));
  return compiled.matches(event);
}

describe('literal values', () => {
  const rows: readonly [string, Json, Json, boolean][] = [
    ['string, same', ['a'], 'a', true],
    ['string, other case', ['a'], 'A', false],
    ['one of two strings', ['a', 'b'], 'b', true],
    ['empty string, same', [''], '', true],
    ['empty string, null', [''], null, false],
    ['number, same value', [301.8], 3.018e2, true],
    ['number, string of it', [5], '5', false],
    ['large number, same', [123456789012], 123456789012, true],
    ['null, null', [null], null, true],
    ['true, true', [true], true, true],
    ['true, string of it', [true], 'true', false],
    ['address, other spelling', ['0:0:0:0:0:0:0:1'], '::1', true],
    ['text with colons, same', ['12:30'], '12:30', true],
    ['value, array with it', ['a'], ['b', 'a'], true],
    ['value, array without it', ['a'], ['b'], false],
    ['value, nested array with it', ['a'], [['b'], ['a']], true],
    ['null, empty array', [null], [], false],
    ['value, object', ['a'], { a: 'a' }, false],
  ];
  test.each(rows)('%s', (_case, values, value, expected) => {
    expect(matches({ detail: { x: values } }, eventWith({ x: value }))).toBe(expected);
  });

  test('null, absent: does not match', () => {
    expect(matches({ detail: { x: [null] } }, eventWith({}))).toBe(false);
  });

  test('fields of the envelope and of the detail: all must match', () => {
    const pattern: Json = {
      source: ['shop.orders'],
      'detail-type': ['Order placed'],
      detail: { orderId: ['o-1'] },
    };
    expect(matches(pattern, sampleEvent())).toBe(true);
    expect(matches(pattern, sampleEvent({ source: 'shop.returns' }))).toBe(false);
    expect(matches(pattern, eventWith({ orderId: 'o-2' }))).toBe(false);
  });

  test('pattern as text, same key twice: the last one counts', () => {
    expect(matches('{"source": ["a"], "source": ["shop.orders"]}', sampleEvent())).toBe(true);
  });

  test('names with dots: the same field as nested names', () => {
    const dotted = { detail: { 'state.code': [1] } };
    const nested: Json = { detail: { state: { code: [1] } } };
    for (const pattern of [dotted, nested]) {
      expect(matches(pattern, eventWith({ 'state.code': 1 }))).toBe(true);
      expect(matches(pattern, eventWith({ state: { code: 1 } }))).toBe(true);
    }
  });

  test('names of object prototypes: ordinary fields', () => {
    const event = eventWith(JSON.parse('{"__proto__": "a", "constructor": "b"}'));
    expect(matches('{"detail": {"__proto__": ["a"], "constructor": ["b"]}}', event)).toBe(true);
    expect(matches({ detail: { toString: [{ exists: true }] } }, event)).toBe(false);
  });
});

describe('exists', () => {
  const rows: readonly [string, boolean, JsonObject, boolean][] = [
    ['true, scalar', true, { x: 1 }, true],
    ['true, null', true, { x: null }, true],
    ['true, absent', true, {}, false],
    ['true, empty array', true, { x: [] }, false],
    ['true, object (no leaf)', true, { x: { y: 1 } }, false],
    ['false, absent', false, {}, true],
    ['false, scalar', false, { x: 1 }, false],
    ['false, null', false, { x: null }, false],
    ['false, empty array', false, { x: [] }, true],
    ['false, object (no leaf)', false, { x: { y: 1 } }, true],
  ];
  test.each(rows)('%s', (_case, exists, detail, expected) => {
    expect(matches({ detail: { x: [{ exists }] } }, eventWith(detail))).toBe(expected);
  });

  test('false beside values: absent or one of them', () => {
    const pattern: Json = { detail: { x: [{ 'anything-but': 'a' }, { exists: false }] } };
    expect(matches(pattern, eventWith({}))).toBe(true);
    expect(matches(pattern, eventWith({ x: 'b' }))).toBe(true);
    expect(matches(pattern, eventWith({ x: 'a' }))).toBe(false);
  });
});

describe('$or', () => {
  const nested: Json = {
    source: ['shop.orders'],
    detail: {
      $or: [{ a: [1] }, { b: [2], $or: [{ c: [3] }, { d: { e: [{ numeric: ['>', 3] }] } }] }],
    },
  };
  const rows: readonly [string, JsonObject, boolean][] = [
    ['first alternative', { a: 1 }, true],
    ['second alternative, first inner', { b: 2, c: 3 }, true],
    ['second alternative, second inner', { b: 2, d: { e: 4 } }, true],
    ['second alternative, no inner', { b: 2, d: { e: 3 } }, false],
    ['inner without its outer', { c: 3 }, false],
  ];
  test.each(rows)('%s', (_case, detail, expected) => {
    expect(matches(nested, eventWith(detail))).toBe(expected);
  });

  test('two $or side by side: one alternative of each', () => {
    const pattern: Json = {
      $or: [{ source: ['x'] }, { account: ['123456789012'] }],
      detail: { $or: [{ a: [1] }, { b: [2] }] },
    };
    expect(matches(pattern, eventWith({ b: 2 }))).toBe(true);
    expect(matches(pattern, eventWith({ b: 3 }))).toBe(false);
  });

  test('field outside and inside: the later one replaces the earlier', () => {
    const pattern: Json = { detail: { a: [1], $or: [{ a: [2] }, { b: [3] }] } };
    expect(matches(pattern, eventWith({ a: 2 }))).toBe(true);
    expect(matches(pattern, eventWith({ a: 1 }))).toBe(false);
    expect(matches(pattern, eventWith({ a: 1, b: 3 }))).toBe(true);
  });
});

describe('arrays of objects', () => {
  const people = [
    { first: 'Anna', last: 'Smith', tags: ['x'] },
    { first: 'Peter', last: 'Jones', tags: ['y', 'z'] },
  ];
  const rows: readonly [string, Json, boolean][] = [
    ['fields of one element', { first: ['Peter'], last: ['Jones'] }, true],
    ['fields of two elements', { first: ['Anna'], last: ['Jones'] }, false],
    ['array inside the same element', { first: ['Peter'], tags: ['z'] }, true],
    ['array inside another element', { first: ['Anna'], tags: ['z'] }, false],
    ['absent from the chosen element', { first: ['Anna'], middle: [{ exists: false }] }, true],
    ['present in the chosen element', { first: ['Anna'], last: [{ exists: false }] }, false],
  ];
  test.each(rows)('%s', (_case, pattern, expected) => {
    expect(matches({ detail: { people: pattern } }, eventWith({ people }))).toBe(expected);
    expect(matches({ detail: { people: pattern } }, eventWith({ people: [people] }))).toBe(expected);
  });

  test('scalars of one array: two fields may take different ones', () => {
    const pattern: Json = { resources: ['b'], detail: { orderId: ['o-1'] } };
    expect(matches(pattern, sampleEvent({ resources: ['a', 'b'] }))).toBe(true);
  });

  test('scalar beside an object in one array: may stand together', () => {
    const pattern: Json = { detail: { a: [1], 'a.b': [2] } };
    expect(matches(pattern, eventWith({ a: [1, { b: 2 }] }))).toBe(true);
    expect(matches(pattern, eventWith({ a: [[1], [{ b: 2 }]] }))).toBe(false);
  });

  test('two arrays: independent of each other', () => {
    const record = fc.record({ a: fc.nat(2), b: fc.nat(2) });
    fc.assert(
      fc.property(fc.array(record), fc.array(record), record, record, (xs, ys, x, y) => {
        const pattern: Json = { detail: { xs: { a: [x.a], b: [x.b] }, ys: { a: [y.a], b: [y.b] } } };
        const has = (list: typeof xs, one: typeof x) => list.some(({ a, b }) => a === one.a && b === one.b);
        expect(matches(pattern, eventWith({ xs, ys }))).toBe(has(xs, x) && has(ys, y));
      }),
    );
  });

  test('many independent arrays without a match: answers at once', () => {
    const names = Array.from({ length: 12 }, (_, index) => `list${index}`);
    const lists = names.map(name => [name, Array.from({ length: 50 }, (_, a) => ({ a, b: a }))]);
    const wanted = names.map(name => [name, { a: [{ exists: true }] }]);
    const pattern: Json = { detail: { ...Object.fromEntries(wanted), zzz: ['never'] } };

    expect(matches(pattern, eventWith({ ...Object.fromEntries(lists), zzz: 'no' }))).toBe(false);
  });
});
