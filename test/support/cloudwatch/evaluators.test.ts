import { matchesPattern } from './filter-pattern';
import { evaluateMath } from './metric-math';

describe('a filter pattern', () => {
  const line = JSON.stringify({ type: 'ExecutionFailed', details: { error: 'Shop.Bad' }, n: 1 });

  test.each([
    ['{ $.type = "ExecutionFailed" }', true],
    ['{ $.type != "ExecutionFailed" }', false],
    ['{ ($.type = "Execution*") && ($.details.error = "Shop.*") }', true],
    ['{ ($.type = "TaskFailed") && ($.details.error = "Shop.*") }', false],
    ['{ ($.type = "TaskFailed") || ($.details.error = "Shop.Bad") }', true],
    ['{ ($.type = "TaskFailed") || (($.details.error != "x") && ($.type = "Execution*")) }', true],
    ['{ $.details.error = "Shop?Bad" }', false],
    ['{ ($.type = "*") && ($.details.error = %[.]Ba[a-z]{1}$%) }', true],
    ['{ $.details.error = %^Bad% }', false],
    ['{ $.details.missing != "x" }', false],
  ])('%s: %s', (pattern, expected) => {
    expect(matchesPattern(pattern, line)).toBe(expected);
  });

  test('a line that is not JSON: none matches', () => {
    expect(matchesPattern('{ $.type = "*" }', 'REPORT')).toBe(false);
  });

  test.each(['ERROR', '{ $.n > 1 }', '{ ($.type = "x" }'])('%s: rejected, not guessed', pattern => {
    expect(() => matchesPattern(pattern, line)).toThrow(/not understood|no pattern|not closed/);
  });
});

describe('metric math', () => {
  const values: Readonly<Record<string, number>> = { a: 6, b: 2, zero: 0 };

  test.each([
    ['a + b * 2 - 1', 9],
    ['(a + b) / 4', 2],
    ['a - b - 1', 3],
    ['100 * FILL(gone, 0) / a', 0],
    ['FILL(a, 0) + FILL(gone, 7)', 13],
    ['a + gone', undefined],
    ['a / zero', undefined],
    ['IF(a >= 6, 1, 0)', 1],
    ['IF(a > 6, 1, b)', 2],
    ['IF(gone > 6, 1, b)', undefined],
  ])('%s: %s', (expression, expected) => {
    expect(evaluateMath(expression, id => values[id])).toBe(expected);
  });

  test.each(['SEARCH(a)', 'a ^ b', '(a'])('%s: rejected, not guessed', expression => {
    expect(() => evaluateMath(expression, id => values[id])).toThrow(/not understood|not closed/);
  });
});
