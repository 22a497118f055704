import type { Style } from './terminal';
import { printable } from './text';

/** The text behind a heading, broken between words where the line ends, and indented as far as the heading is long. */
export function hanging(style: Style, heading: string, text: string): string {
  const indent = ' '.repeat(heading.length);
  const room = Math.max(style.width - heading.length, ROOM_MIN);
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
export function table(style: Style, columns: readonly Column[]): string {
  const widths = columns.map(({ title, values }) => Math.max(...[title, ...values].map(columnsOf)));
  const total = () => widths.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1));
  while (total() > style.width) {
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
export function facts(style: Style, rows: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => hanging(style, `  ${name.padEnd(width)}  `, value)).join('\n');
}

/** How many columns of a terminal a text takes: two for Chinese characters, emoji and the like, none for marks. */
export function columnsOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + columnsOfOne(character), 0);
}

function columnsOfOne(character: string): number {
  if (MARK.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

const MARK = /\p{Mn}|\p{Me}/u;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** As much of the beginning of a text as has room in so many columns. */
function fitting(text: string, columns: number): string {
  let room = columns;
  const characters = Array.from(text);
  const end = characters.findIndex(character => {
    room -= columnsOfOne(character);
    return room < 0;
  });
  return end === -1 ? text : characters.slice(0, end).join('');
}
