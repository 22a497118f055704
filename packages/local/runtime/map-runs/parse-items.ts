import { isJsonObject, type Json } from '../../json/json';
import { parseJson } from '../../json/syntax';
import type { ItemFormat } from '../../language/index';
import { csvRows } from './csv';

/** The items in a text, or why there are none. */
export type ReadItems =
  | { readonly kind: 'items'; readonly items: readonly Json[] }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** The items that an object has in its format. */
export function parseItems(text: string, format: ItemFormat): ReadItems {
  switch (format.inputType) {
    case 'JSON':
      return jsonItems(text, format.itemsPointer ?? '');
    case 'JSONL':
      return jsonLines(text);
    case 'CSV':
      return csvItems(text, format);
    default:
      return format satisfies never;
  }
}

function jsonItems(text: string, pointer: string): ReadItems {
  const parsed = parseJson(text);
  if (parsed.kind !== 'json') return unreadable(`The object is not valid JSON: ${parsed.message}`);
  const items = at(parsed.value, pointer);
  if (Array.isArray(items)) return { kind: 'items', items };
  const where = pointer === '' ? 'The object' : `The object at ItemsPointer '${pointer}'`;
  return unreadable(`${where} must be a JSON array`);
}

/** The value that a JSON pointer (RFC 6901) leads to. */
function at(value: Json, pointer: string): Json | undefined {
  const names = pointer.split('/').slice(1);
  return names.reduce<Json | undefined>((within, escaped) => {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(within)) return within[Number(name)];
    return isJsonObject(within) && Object.hasOwn(within, name) ? within[name] : undefined;
  }, value);
}

function jsonLines(text: string): ReadItems {
  const items: Json[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    if (parsed.kind !== 'json')
      return unreadable(`Line ${index + 1} of the object is not valid JSON: ${parsed.message}`);
    items.push(parsed.value);
  }
  return { kind: 'items', items };
}

/** Each row as an object of texts: what a row has too little is empty, what it has too much is dropped. */
function csvItems(
  text: string,
  { headers: given, delimiter }: ItemFormat & { readonly inputType: 'CSV' },
): ReadItems {
  // A byte order mark is not part of the first name.
  const rows = csvRows(text.replace(/^\uFEFF/, ''), delimiter);
  const headers = given ?? rows.shift() ?? [];
  if (new Set(headers).size < headers.length) return unreadable('CSV headers cannot contain duplicates.');
  const items = rows.map(row => Object.fromEntries(headers.map((name, index) => [name, row[index] ?? ''])));
  return { kind: 'items', items };
}

function unreadable(reason: string): ReadItems {
  return { kind: 'unreadable', reason };
}
