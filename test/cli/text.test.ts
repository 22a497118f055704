import { age, duration, durationIn, printable } from '../../cli/text';

describe('text of others', () => {
  test('control characters, also those that turn the direction of writing: written out', () => {
    expect(printable('a\u001b[2Jb\n\u202e')).toBe('a\\u001b[2Jb\\u000a\\u202e');
  });
});

describe('times', () => {
  test.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [4250, '4.2 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
    [90 * 24 * 3_600_000, '90 d'],
    [90 * 24 * 3_600_000 - 1, '89 d 23 h'],
    [-5, '0 ms'],
  ])('%i ms: %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  test.each([
    ['90s', 90_000],
    ['500ms', 500],
    ['1.5h', 5_400_000],
    ['7d', 604_800_000],
    ['5', undefined],
    ['-5s', undefined],
    ['', undefined],
  ])('%s: %s ms', (text, ms) => {
    expect(durationIn(text)).toBe(ms);
  });

  test('before and after now', () => {
    expect(age(1000, 2500)).toBe('1.5 s ago');
    expect(age(2500, 1000)).toBe('in 1.5 s');
  });
});
