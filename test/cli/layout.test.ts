import { columnsOf, hanging, table } from '../../cli/layout';

const style = (width: number) => ({ width, isColored: false });

describe('text that fits', () => {
  test('a sentence: broken between words, indented behind its heading; a long word within itself', () => {
    expect(hanging(style(40), '  owner  ', 'the quick brown fox jumps over the lazy dog')).toBe(
      '  owner  the quick brown fox jumps over\n         the lazy dog',
    );
    expect(
      hanging(style(30), 'x: ', 'a'.repeat(60))
        .split('\n')
        .every(line => line.length <= 30),
    ).toBe(true);
    expect(hanging(style(Number.POSITIVE_INFINITY), '  ', 'on one line')).toBe('  on one line');
  });

  test('a table: its widest elastic column is shortened, the others are not', () => {
    const columns = [
      { title: 'key', values: ['k'.repeat(60), 'short'], isElastic: true },
      { title: 'status', values: ['IN_PROGRESS', 'FAILED'], isElastic: false },
    ];

    const lines = table(style(40), columns).split('\n');

    expect(lines).toEqual([
      `key${' '.repeat(26)}status`,
      `${'k'.repeat(26)}…  IN_PROGRESS`,
      `short${' '.repeat(24)}FAILED`,
    ]);
    expect(table(style(Number.POSITIVE_INFINITY), columns)).toContain('k'.repeat(60));
  });

  test('wide characters and marks: columns are counted, not characters', () => {
    const keys = ['\u6f22'.repeat(30), 'a\u0308'.repeat(10), '\ud83d\udcb3'.repeat(30)];
    const columns = [
      { title: 'key', values: keys, isElastic: true },
      { title: 'status', values: ['FAILED', 'FAILED', 'FAILED'], isElastic: false },
    ];

    const [, wide = '', marked = '', emoji = ''] = table(style(41), columns).split('\n');

    expect([wide, marked, emoji].map(line => columnsOf(line.slice(0, line.indexOf('FAILED'))))).toEqual([
      35, 35, 35,
    ]);
    expect(wide).toMatch(/^\u6f22{16}… {2}FAILED$/);
    expect(emoji).toMatch(/^(?:\ud83d\udcb3){16}… {2}FAILED$/);
    expect(hanging(style(30), '', '\ud83d\udcb3'.repeat(20)).split('\n').map(columnsOf)).toEqual([30, 10]);
  });
});
