import { colored, styleOf } from '../../cli/terminal';

describe('the style of a stream', () => {
  test.each([
    [{ isTTY: true, columns: 100 }, {}, { width: 100, isColored: true }],
    [{ isTTY: true, columns: 100 }, { NO_COLOR: '1' }, { width: 100, isColored: false }],
    [{ isTTY: true, columns: 0 }, { TERM: 'dumb' }, { width: 40, isColored: false }],
    [{ isTTY: false }, {}, { width: Number.POSITIVE_INFINITY, isColored: false }],
  ])('a stream %j with %j: looks %j', (stream, env, expected) => {
    expect(styleOf(stream as NodeJS.WriteStream, env)).toEqual(expected);
  });

  test('colored only where colours are wanted', () => {
    expect(colored({ width: 1, isColored: true }, 'red', 'x')).toBe('\u001b[31mx\u001b[0m');
    expect(colored({ width: 1, isColored: false }, 'red', 'x')).toBe('x');
  });
});
