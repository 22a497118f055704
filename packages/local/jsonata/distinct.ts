import type jsonata from 'jsonata';

/**
 * `$distinct`, as the package answers it: the first of all items that are equal. The package compares each item with
 * all that it has selected, which takes very long for some thousand objects, and nothing could stop it meanwhile.
 */
export function distinct(this: jsonata.Focus, items: unknown): unknown {
  if (!Array.isArray(items) || items.length <= 1) return items;
  const isSequence = (items as { sequence?: boolean }).sequence === true;
  const { createSequence } = this as unknown as { createSequence(): unknown[] };
  const selected = isSequence ? createSequence() : [];
  const seen = new Set<unknown>();
  for (const item of items) {
    const key = keyOf(item);
    if (seen.has(key)) continue;
    seen.add(key);
    selected.push(item);
  }
  return selected;
}

/** The same for items that are equal. A text of an object never is one of a text: that has quotation marks. */
function keyOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null ? (textOf(item) ?? item) : scalarKey(item);
}

function scalarKey(item: unknown): unknown {
  return typeof item === 'string' ? JSON.stringify(item) : item;
}

/** JSON with the members in order of their names; undefined with a function in it, which is equal to itself only. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return listText(value);
  if ('_jsonata_function' in value || '_jsonata_lambda' in value) return undefined;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const texts: string[] = [];
  for (const [name, member] of members) {
    const text = textOf(member);
    if (text === undefined) return undefined;
    texts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${texts.join(',')}}`;
}

function listText(items: readonly unknown[]): string | undefined {
  const texts: string[] = [];
  for (const item of items) {
    const text = textOf(item);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return `[${texts.join(',')}]`;
}
