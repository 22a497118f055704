import { csvRows } from '../../../runtime/map-runs/csv';

describe('rows of CSV', () => {
  test.each<[string, string, string[][]]>([
    ['nothing', '', []],
    [
      'lines with LF and CRLF',
      'a,b\r\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a line with nothing in it is no row', 'a\n\n\nb', [['a'], ['b']]],
    ['a line of blanks is one', 'a\n  \n', [['a'], ['  ']]],
    [
      'fields with nothing in them',
      ',,\n,',
      [
        ['', '', ''],
        ['', ''],
      ],
    ],
    ['quotes: delimiters, line breaks and quotes within', '"a,b","c\nd","e""f"', [['a,b', 'c\nd', 'e"f']]],
    ['a quote that never ends', '"a\nb', [['a\nb']]],
    ['a quote within a field is one like any other', `a"b,'c'`, [['a"b', `'c'`]]],
    ['a lone CR is no end of a line', 'a\rb\nc', [['a\rb'], ['c']]],
  ])('%s', (_case, text, rows) => {
    expect(csvRows(text, ',')).toEqual(rows);
  });

  test('what was written is read again', () => {
    const fields = ['', 'a', ',', '"', '\n', '\r\n', ' b '];
    const rows = fields.flatMap(one => fields.map(other => ['x', one, other]));
    const text = rows.map(row => row.map(field => `"${field.replaceAll('"', '""')}"`).join(';')).join('\n');

    expect(csvRows(text, ';')).toEqual(rows);
  });
});
