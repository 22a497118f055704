import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { DamagedState } from '../../state/damage';
import type { StateDirectory } from '../../state/directory';
import type { Change } from './database/change';
import type { Journal } from './database/database';
import type { Item } from './table/attribute-value';

/**
 * Writes what a database changes to a state directory, all changes of a request at once. Each table and each item is a
 * value of its own.
 */
export function journalIn(directory: StateDirectory): Journal {
  const values = directory.values('table');
  return changes =>
    values.write(
      changes.map(change => {
        const { table } = change;
        if (change.kind !== 'item')
          return { key: table, value: change.kind === 'table' ? change : undefined };
        const { key, item } = change;
        return { key: keyOf(table, key), value: item && { table, key, item } };
      }),
    );
}

/** What a directory has of tables and items, as changes. @throws DamagedState for what no journal has written */
export async function changesIn(directory: StateDirectory): Promise<readonly Change[]> {
  const values = await directory.values('table').load();
  const isItem = (key: string) => key.includes('!');
  const tables = values.flatMap(([key, value]) => (isItem(key) ? [] : [tableFrom(key, value as Json)]));
  const items = values.flatMap(([key, value]) => (isItem(key) ? [itemFrom(key, value as Json)] : []));
  const known = new Set(tables.map(({ table }) => table));
  const lost = items.find(({ table }) => !known.has(table));
  if (lost) throw new DamagedState([`the table ${lost.table} is lost, of which there are items`]);
  return [...tables, ...items];
}

/** Names of tables have no exclamation mark. As JSON, a key that is half a character stays what it is. */
function keyOf(table: string, key: string): string {
  return `${table}!${JSON.stringify(key)}`;
}

function tableFrom(name: string, value: Json): Change {
  if (isJsonObject(value) && value['kind'] === 'table' && value['table'] === name) {
    return {
      kind: 'table',
      table: name,
      request: value['request'] as JsonObject,
      createdAt: Number(value['createdAt']),
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
