import { payloadKeyText as keyTextOf } from '../../../state-machine/contract/payload-hash';
import { parseKeyExpressions } from '../../../state-machine/expression/key-expressions';
import { KEY_OF_HEADER, keyOf } from '../../../state-machine/front-door/request';
import { Key } from '../../../state-machine/options/key';
import { evaluate206 } from '../../support/evaluate';

const textOf = (payload: unknown) => {
  const known = keyTextOf(payload);
  return known.kind === 'key' ? known.text : undefined;
};

test.each<[string, readonly string[], object]>([
  ['no line', [], { problem: 'missing' }],
  ['an empty line', [' '], { problem: 'missing' }],
  ['a String of RFC 9651', [' "a,\\"b" '], { key: 'a,"b' }],
  ['a bare key', ['k-1'], { key: 'k-1' }],
  ['a bare list', ['a,b'], { problem: 'invalid' }],
  ['256 characters', ['x'.repeat(256)], { problem: 'invalid' }],
  ['two lines', ['a', 'b'], { problem: 'invalid' }],
  ['two lines that are a String together', ['"a', 'b"'], { problem: 'invalid' }],
  ['two lines, one of them empty', ['a', ''], { problem: 'invalid' }],
])('the key of a header, %s', async (_, keyLines, found) => {
  expect(await evaluate206(KEY_OF_HEADER, { keyLines })).toEqual({ value: found });
});

test.each<[string, unknown, object]>([
  ['a text', 'k-1', { key: 'k-1' }],
  ['a number', 7, { key: 7 }],
  ['null', null, { problem: 'missing' }],
  ['an empty text', '', { problem: 'missing' }],
  ['nothing', undefined, { problem: 'missing' }],
  ['255 characters', 'x'.repeat(255), { key: 'x'.repeat(255) }],
  ['256 characters', 'x'.repeat(256), { problem: 'invalid' }],
  ['a boolean', true, { problem: 'invalid' }],
  ['a list', ['k-1', 'k-2'], { problem: 'invalid' }],
])('the key of an expression, %s', async (_, id, found) => {
  const given = { states: { input: id === undefined ? {} : { id } } };
  expect(await evaluate206(keyOf(parseKeyExpressions('{% $states.input.id %}')), given)).toEqual({
    value: found,
  });
});

test.each<[string, object, object]>([
  ['two parts', { a: 'k-1', b: 7 }, { key: ['k-1', 7] }],
  ['a part that is missing', { a: 'k-1' }, { problem: 'missing' }],
  ['the first part is missing', { b: 'k-1' }, { problem: 'missing' }],
  ['a part that is empty', { a: '', b: 'k-1' }, { problem: 'missing' }],
  ['a part that is null', { a: 'k-1', b: null }, { problem: 'missing' }],
  ['a part that is a list', { a: 'k-1', b: ['a', 'b'] }, { problem: 'invalid' }],
  ['a part that is an empty list', { a: 'k-1', b: [] }, { problem: 'invalid' }],
  ['a part that is an object', { a: 'k-1', b: { v: 1 } }, { problem: 'invalid' }],
  ['a part that is a boolean', { a: false, b: 'k-1' }, { problem: 'invalid' }],
  ['a part of 256 characters', { a: 'k-1', b: 'x'.repeat(256) }, { problem: 'invalid' }],
])('the key of several expressions, %s', async (_, input, found) => {
  const key = keyOf(parseKeyExpressions(['{% $states.input.a %}', '{% $states.input.b %}']));
  expect(await evaluate206(key, { states: { input } })).toEqual({ value: found });
});

test.each<[string, unknown, object]>([
  ['an object', { b: 2, a: [1] }, { key: textOf({ a: [1], b: 2 }) }],
  ['an empty object', {}, { problem: 'missing' }],
  ['nothing', undefined, { problem: 'missing' }],
])('the key that is the hash of a payload, %s', async (_, body, found) => {
  const input = body === undefined ? {} : { body };
  const key = keyOf(parseKeyExpressions(Key.ofPayload('{% $states.input.body %}')));
  expect(await evaluate206(key, { states: { input } })).toEqual({ value: found });
});

test('the caller comes first, whatever parts a key has', async () => {
  for (const [key, whole] of [
    ['k-1', ['c', 'k-1']],
    [7, ['c', 7]],
    [
      ['a', 'b'],
      ['c', 'a', 'b'],
    ],
  ] as const) {
    const found = { caller: 'c', found: { key } };
    expect(await evaluate206('{% [$caller, $found.key] %}', found)).toEqual({ value: whole });
  }
});
