import { columnsOf, fitting, printable } from '../text';
import type { Look } from './look';

/** The text behind a heading, broken between words where the line ends, and indented as far as the heading is long. */
export function hanging(look: Look, heading: string, text: string): string {
  const indent = ' '.repeat(heading.length);
  const room = Math.max(look.width - heading.length, ROOM_MIN);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap(long => pieces(long, room))) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (columnsOf(joined) <= room) line = joined;
    else {
      lines.push(line);
      line = word;
    }
  }
  lines.push(line);
  return lines.map((part, index) => `${index === 0 ? heading : indent}${part}`).join('\n');
}

const ROOM_MIN = 20;

function pieces(word: string, room: number): string[] {
  const piece = fitting(word, room);
  return piece === word ? [word] : [piece, ...pieces(word.slice(piece.length), room)];
}

/** A column of a table. */
export interface Column {
  readonly title: string;
  readonly values: readonly string[];
  /** True for a column that is shortened where the table does not fit. */
  readonly isElastic: boolean;
}

const GAP = '  ';
const ELASTIC_MIN = 8;

/** A table that fits: where it would be too wide, its elastic columns are shortened, the widest first. */
export function table(look: Look, columns: readonly Column[]): string {
  const widths = columns.map(({ title, values }) => Math.max(...[title, ...values].map(columnsOf)));
  const total = () => widths.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1));
  while (total() > look.width) {
    const elastic = widths.map((width, index) => (columns[index]?.isElastic ? width : 0));
    const widest = elastic.indexOf(Math.max(...elastic));
    if ((elastic[widest] ?? 0) <= ELASTIC_MIN) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const row = (cells: readonly string[]) =>
    cells
      .map((cell, index) => filled(cell, widths[index] ?? 0))
      .join(GAP)
      .trimEnd();
  const count = columns[0]?.values.length ?? 0;
  const rows = Array.from({ length: count }, (_, at) => row(columns.map(({ values }) => values[at] ?? '')));
  return [row(columns.map(({ title }) => title)), ...rows].join('\n');
}

/** The cell as wide as its column: cut, or with blanks behind it. */
function filled(cell: string, width: number): string {
  const text = printable(cell);
  const cut = columnsOf(text) <= width ? text : `${fitting(text, width - 1)}…`;
  return cut + ' '.repeat(width - columnsOf(cut));
}

/** Rows of a name and what it is, indented, the second column aligned. */
export function facts(look: Look, rows: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => hanging(look, `  ${name.padEnd(width)}  `, value)).join('\n');
}
