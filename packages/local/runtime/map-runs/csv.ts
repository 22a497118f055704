/**
 * The rows of a CSV text (RFC 4180): fields may be in double quotes, and then hold line breaks, delimiters and doubled
 * quotes. Lines end with LF or CRLF; an empty line is not a row.
 */
export function csvRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const endRow = () => {
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  while (at < text.length) {
    const field = text[at] === '"' ? quotedField(text, at) : plainField(text, at, delimiter);
    row.push(field.value);
    at = field.end;
    if (text[at] === delimiter) {
      at += 1;
      // A delimiter at the end of the text is followed by an empty field.
      if (at === text.length) row.push('');
      else if (text[at] === '\n') row.push('');
      else if (text[at] === '\r' && text[at + 1] === '\n') row.push('');
      else continue;
    }
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    endRow();
  }
  if (row.length > 0) endRow();
  return rows;
}

interface Field {
  readonly value: string;
  /** The position behind it. */
  readonly end: number;
}

function plainField(text: string, start: number, delimiter: string): Field {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end += 1;
  const isCrLf = text[end] === '\n' && text[end - 1] === '\r' && end > start;
  if (isCrLf) end -= 1;
  return { value: text.slice(start, end), end };
}

function quotedField(text: string, start: number): Field {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { value: value + text.slice(from), end: text.length };
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}
