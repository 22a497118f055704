import { KEY_OF_HEADER } from '../../../state-machine/front-door/request';
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
