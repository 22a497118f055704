import fc from 'fast-check';
import { isMatch } from '../../../language/jsonpath/wildcards';

test.each([
  ['abc', 'abc', true],
  ['abc', '*', true],
  ['', '*', true],
  ['', '', true],
  ['abc', 'a*c', true],
  ['abc', 'a*b', false],
  ['ab', 'a*ab', false],
  ['aXbXc', 'a*b*c', true],
  ['abcd', 'a*bc*cd', false],
  ['a*c', 'a\\*c', true],
  ['abc', 'a\\*c', false],
  ['a\\c', 'a\\\\c', true],
  ['a\\c', 'a\\c', true],
  ['line\nbreak', 'line*break', true],
])('%j and the pattern %j: %p', (text, pattern, expected) => expect(isMatch(text, pattern)).toBe(expected));

test('any text and pattern: the same as a regular expression', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 12 });
  fc.assert(
    fc.property(letters, letters, (text, pattern) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
      expect(isMatch(text, pattern)).toBe(expression.test(text));
    }),
    { numRuns: 300 },
  );
});
