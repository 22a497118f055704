import { KEY_OF_HEADER, keyOf } from '../../../state-machine/front-door/request';
import { evaluate206 } from '../../support/evaluate';

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
  expect(await evaluate206(keyOf('$id'), id === undefined ? {} : { id })).toEqual({ value: found });
});
