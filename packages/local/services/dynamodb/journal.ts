import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { DamagedState } from '../../state/damage';
import type { StateDirectory } from '../../state/directory';
import type { ValueChange } from '../../state/persistent-values';
import type { Change, TableSettings } from './database/change';
import type { Journal } from './database/database';
import type { Item } from './table/attribute-value';

/**
 * Writes what a database changes to a state directory, all changes of a request at once. Each table and each item is a
 * value of its own.
 */
export function journalIn(directory: StateDirectory): Journal {
  return (changes, takeBack) => directory.write(changes.map(valueChangeOf), takeBack);
}

function valueChangeOf(change: Change): ValueChange {
  switch (change.kind) {
    case 'item': {
      const { table, key, item } = change;
      return { kind: 'table', key: keyOf(table, key), value: item && { table, key, item } };
    }
    case 'table':
      return { kind: 'table', key: change.table, value: change };
    case 'noTable':
      return { kind: 'table', key: change.table, value: undefined };
    case 'transaction':
      return { kind: 'transaction', key: JSON.stringify(change.token), value: change };
    case 'noTransaction':
      return { kind: 'transaction', key: JSON.stringify(change.token), value: undefined };
  }
}

/** The tables and items of a directory, as changes. @throws DamagedState for content that no journal has written */
export async function changesIn(directory: StateDirectory): Promise<readonly Change[]> {
  const values = await directory.load('table');
  const isItem = (key: string) => key.includes('!');
  const tables = values.flatMap(([key, value]) => (isItem(key) ? [] : [tableFrom(key, value as Json)]));
  const items = values.flatMap(([key, value]) => (isItem(key) ? [itemFrom(key, value as Json)] : []));
  const known = new Set(tables.map(({ table }) => table));
  const lost = items.find(({ table }) => !known.has(table));
  if (lost) throw new DamagedState([`the table ${lost.table} is lost, of which there are items`]);
  const transactions = (await directory.load('transaction')).map(([key, value]) =>
    transactionFrom(key, value as Json),
  );
  // The oldest first, as they count no longer in this order.
  return [...tables, ...items, ...transactions.sort((a, b) => a.at - b.at)];
}

/** Names of tables have no exclamation mark. As JSON, a key that is half a character stays what it is. */
function keyOf(table: string, key: string): string {
  return `${table}!${JSON.stringify(key)}`;
}

function tableFrom(name: string, value: Json): Change & { readonly kind: 'table' } {
  if (isJsonObject(value) && value['kind'] === 'table' && value['table'] === name) {
    const { request, createdAt, settings } = value;
    return {
      kind: 'table',
      table: name,
      request: request as JsonObject,
      createdAt: Number(createdAt),
      ...(isJsonObject(settings) && { settings: settings as unknown as TableSettings }),
    };
  }
  throw new DamagedState([`table ${JSON.stringify(name)} is not what was written`]);
}

function itemFrom(name: string, value: Json): Change & { readonly kind: 'item' } {
  const { table, key, item }: JsonObject = isJsonObject(value) ? value : {};
  if (
    typeof table === 'string' &&
    typeof key === 'string' &&
    isJsonObject(item) &&
    keyOf(table, key) === name
  ) {
    return { kind: 'item', table, key, item: item as Item };
  }
  throw new DamagedState([`item ${JSON.stringify(name)} is not what was written`]);
}

function transactionFrom(name: string, value: Json): Change & { readonly kind: 'transaction' } {
  const { token, content, at }: JsonObject = isJsonObject(value) ? value : {};
  if (typeof token === 'string' && typeof content === 'string' && JSON.stringify(token) === name) {
    return { kind: 'transaction', token, content, at: Number(at) };
  }
  throw new DamagedState([`transaction ${name} is not what was written`]);
}
