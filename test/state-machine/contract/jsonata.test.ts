import jsonata206 from 'jsonata206';
import { beginning, jsonText, numberIn, parsed } from '../../../state-machine/contract/jsonata';

async function evaluated(source: string, text: unknown, parse = JSON.parse): Promise<unknown> {
  const compiled = jsonata206(source);
  compiled.registerFunction('parse', (json: string) => parse(json), '<s-:x>');
  return compiled.evaluate(undefined, { text });
}

describe('parsed', () => {
  const nothingForNull = (json: string) => JSON.parse(json) ?? undefined;

  test.each([
    ['null', null],
    ['1', 1],
    ['{"a":null}', { a: null }],
  ])('%s, if $parse gives nothing for null: its value', async (text, value) => {
    expect(await evaluated(parsed('$text'), text, nothingForNull)).toEqual(value);
  });
});

test.each([
  ['😀4', 7, '😀4'],
  ['😀abc', 2, '😀a'],
  ['abc', 3, 'abc'],
  ['abc', 0, ''],
])('the beginning of %s, %d characters: %s', async (text, characters, expected) => {
  expect(await evaluated(beginning('$text', characters), text)).toBe(expected);
});

test.each(['', 'a"b\\', ']', '[x]', '😀\u2028\u0001'])('the JSON text of %j: as JSON has it', async text => {
  expect(JSON.parse(String(await evaluated(jsonText('$text'), text)))).toBe(text);
});

test.each([
  ['a-recovery-12-0f', 12],
  ['a-recovery-1-0f-recovery-2-0f', 2],
  ['a-recovery-1', 0],
])('the number in the ending of %s: %d', async (text, expected) => {
  expect(await evaluated(numberIn('$text', '-recovery-[0-9]+-[0-9a-f]{2}'), text)).toBe(expected);
});
