import { proseOf } from './code';

const textsOf = (source: string, path = 'a.ts') =>
  proseOf(path, source).map(({ line, text }) => `${line}: ${text}`);

describe('the prose of a source file', () => {
  test('lines of comments below each other: one paragraph, with the line of its beginning', () => {
    expect(textsOf('const a = 1;\n\n// One fact. A\n// second fact.\n')).toEqual([
      '3: One fact. A\nsecond fact.',
    ]);
  });

  test('a docstring: its paragraphs and tags, without examples and marks', () => {
    const source = `/**
 * What the caller gets.
 *
 * @param key the key of {@link Order}
 * @throws Error if it fails
 * @example
 * keyOf('a') // nobody reads this
 */
`;

    expect(textsOf(source)).toEqual([
      '1: \nWhat the caller gets.',
      '4: the key of `Order`',
      '5: Error if it fails',
    ]);
  });

  test('a docstring on one line, and one behind code', () => {
    expect(textsOf('/** One. */\nfoo(); // Two.\n')).toEqual(['1: One.', '2: Two.']);
  });

  test.each(["'// a'", '`// ${b}`', '/\\/\\/ a/', '"/* a */"'])('within %s: no comment', literal => {
    expect(textsOf(`const a = ${literal};\n// One.\n`)).toEqual(['2: One.']);
  });

  test('a text of four words: a message, with its values left out; of a test it is data', () => {
    const source =
      "const a = `${b} is no key here`;\nconst c = '{% $a is no key here %}';\nconst d = 'a b c';\n";

    expect(proseOf('a.ts', source)).toEqual([{ line: 1, text: 'X is no key here', isMessage: true }]);
    expect(proseOf('test/a.test.ts', source)).toEqual([]);
  });

  test('text of a page: no comment', () => {
    expect(textsOf('const a = <p>http://a.b</p>; // One.\n', 'a.tsx')).toEqual(['1: One.']);
  });

  test('names of suites and tests, also of each row', () => {
    const source =
      "describe('A', () => {\n  test.each([1])('%s: b', f);\n  test.each`c`('d', f);\n  other('e');\n});\n";

    expect(textsOf(source)).toEqual(['1: A', '2: %s: b', '3: d']);
  });

  test('a directive of a tool: no sentence', () => {
    expect(textsOf('// biome-ignore lint/a/b: nobody knows\n// @ts-expect-error nobody\nfoo();\n')).toEqual(
      [],
    );
  });
});
