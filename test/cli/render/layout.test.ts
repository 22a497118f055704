import { hanging, table } from '../../../cli/render/layout';
import { lookOf, painted } from '../../../cli/render/look';
import { columnsOf, printable } from '../../../cli/text';
import { age, duration, durationIn } from '../../../cli/time-text';

const look = (width: number) => ({ width, isColoured: false });

describe('text that fits', () => {
  test('a sentence: broken between words, indented behind its heading; a long word within itself', () => {
    expect(hanging(look(40), '  owner  ', 'the quick brown fox jumps over the lazy dog')).toBe(
      '  owner  the quick brown fox jumps over\n         the lazy dog',
    );
    expect(
      hanging(look(30), 'x: ', 'a'.repeat(60))
        .split('\n')
        .every(line => line.length <= 30),
    ).toBe(true);
    expect(hanging(look(Number.POSITIVE_INFINITY), '  ', 'on one line')).toBe('  on one line');
  });

  test('a table: its widest elastic column is shortened, the others are not', () => {
    const columns = [
      { title: 'key', values: ['k'.repeat(60), 'short'], isElastic: true },
      { title: 'status', values: ['IN_PROGRESS', 'FAILED'], isElastic: false },
    ];

    const lines = table(look(40), columns).split('\n');

    expect(lines).toEqual([
      `key${' '.repeat(26)}status`,
      `${'k'.repeat(26)}…  IN_PROGRESS`,
      `short${' '.repeat(24)}FAILED`,
    ]);
    expect(table(look(Number.POSITIVE_INFINITY), columns)).toContain('k'.repeat(60));
  });

  test('wide characters and marks: columns are counted, not characters', () => {
    const keys = ['\u6f22'.repeat(30), 'a\u0308'.repeat(10), '\ud83d\udcb3'.repeat(30)];
    const columns = [
      { title: 'key', values: keys, isElastic: true },
      { title: 'status', values: ['FAILED', 'FAILED', 'FAILED'], isElastic: false },
    ];

    const [, wide = '', marked = '', emoji = ''] = table(look(41), columns).split('\n');

    expect([wide, marked, emoji].map(line => columnsOf(line.slice(0, line.indexOf('FAILED'))))).toEqual([
      35, 35, 35,
    ]);
    expect(wide).toMatch(/^\u6f22{16}… {2}FAILED$/);
    expect(emoji).toMatch(/^(?:\ud83d\udcb3){16}… {2}FAILED$/);
    expect(hanging(look(30), '', '\ud83d\udcb3'.repeat(20)).split('\n').map(columnsOf)).toEqual([30, 10]);
  });

  test('control characters, also those that turn the direction of writing: written out', () => {
    expect(printable('a\u001b[2Jb\n\u202e')).toBe('a\\u001b[2Jb\\u000a\\u202e');
  });

  test.each([
    [{ isTTY: true, columns: 100 }, {}, { width: 100, isColoured: true }],
    [{ isTTY: true, columns: 100 }, { NO_COLOR: '1' }, { width: 100, isColoured: false }],
    [{ isTTY: true, columns: 0 }, { TERM: 'dumb' }, { width: 40, isColoured: false }],
    [{ isTTY: false }, {}, { width: Number.POSITIVE_INFINITY, isColoured: false }],
  ])('a stream %j with %j: looks %j', (stream, env, expected) => {
    expect(lookOf(stream as NodeJS.WriteStream, env)).toEqual(expected);
  });

  test('painted only where colours are wanted', () => {
    expect(painted({ width: 1, isColoured: true }, 'red', 'x')).toBe('\u001b[31mx\u001b[0m');
    expect(painted(look(1), 'red', 'x')).toBe('x');
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
