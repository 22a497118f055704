import fc from 'fast-check';
import { parseJson } from '../../json/syntax';

const VALUES = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";

describe('parseJson', () => {
  test.each([
    ['not a definition', 4, `Unrecognized token 'not': was expecting ${VALUES}`],
    ['{"a": tru}', 10, `Unrecognized token 'tru': was expecting ${VALUES}`],
    ["{'a': 1}", 3, "Unexpected character (''' (code 39)): was expecting double-quote to start field name"],
    ['{"a":1,}', 9, "Unexpected character ('}' (code 125)): was expecting double-quote to start field name"],
    ['[1,]', 5, `Unexpected character (']' (code 93)): expected a valid value ${VALUES}`],
    [
      '{"a" 1}',
      7,
      "Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value",
    ],
    ['[1 2]', 5, "Unexpected character ('2' (code 50)): was expecting comma to separate entries"],
    ['{} {}', 5, "Unexpected character ('{' (code 123)): was expecting the end of the text"],
    ['[', 2, 'Unexpected end-of-input'],
    ['', 1, 'Unexpected end-of-input'],
    ['["a', 4, 'Unexpected end-of-input or illegal character in a JSON String'],
  ])('%j: names what is wrong and where', (text, column, message) => {
    expect(parseJson(text)).toEqual({ kind: 'invalid', message, line: 1, column });
  });

  test.each([
    ['1,000 levels of lists', '['.repeat(1000) + ']'.repeat(1000)],
    ['1,000 levels of objects', `${'{"a":'.repeat(999)}{}${'}'.repeat(999)}`],
    ['brackets within texts', JSON.stringify([`\\"${'['.repeat(2000)}`, '{'.repeat(2000)])],
    ['many lists beside each other', `[${Array(2000).fill('[]').join(',')}]`],
  ])('%s: read', (_case, text) => {
    expect(parseJson(text)).toEqual({ kind: 'json', value: JSON.parse(text) });
  });

  test.each([
    ['1,001 levels', '['.repeat(1001) + ']'.repeat(1001)],
    ['120,000 levels', `${'{"a":'.repeat(120_000)}1${'}'.repeat(120_000)}`],
  ])('%s: rejected, whatever is within', (_case, text) => {
    const message = 'Document nesting depth (1001) exceeds the maximum allowed (1000)';
    expect(parseJson(text)).toMatchObject({ kind: 'invalid', message, line: 1 });
  });

  test('an error in a later line: the line and the column within it', () => {
    expect(parseJson('{\n "a": 1,\n b}')).toMatchObject({ line: 3, column: 3 });
  });

  test('a member called __proto__: is kept', () => {
    const parsed = parseJson('{"__proto__": 1}');

    expect(JSON.stringify(parsed.kind === 'json' && parsed.value)).toBe('{"__proto__":1}');
  });

  test('any JSON with a bite taken out: an answer, never an exception', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat(3), (text, at, bite) => {
        const start = at % (text.length + 1);
        const bitten = text.slice(0, start) + text.slice(start + bite);
        const parsed = parseJson(bitten);

        if (parsed.kind === 'json') expect(JSON.parse(bitten)).toEqual(parsed.value);
        else expect(parsed.column).toBeGreaterThan(0);
      }),
    );
  });
});
