import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { DamagedState } from '../../state/damage';
import type { StateDirectory } from '../../state/directory';
import type { Change } from './database/change';
import type { Journal } from './database/database';
import type { Item } from './table/attribute-value';

/** Writes what a database changes to a state directory: each table and each item is a value of its own. */
export function journalIn(directory: StateDirectory): Journal {
  const [tables, items] = [directory.values('table'), directory.values('item')];
  return async changes => {
    // A request changes tables or items, never both, but for a table that is deleted with its items.
    const ofTables = changes.flatMap(change => (change.kind === 'item' ? [] : [change]));
    const ofItems = changes.flatMap(change => (change.kind === 'item' ? [change] : []));
    if (ofItems.length > 0) {
      await items.write(
        ofItems.map(({ table, key, item }) => {
          return { key: keyOf(table, key), value: item && { table, key, item } };
        }),
      );
    }
    if (ofTables.length > 0) {
      await tables.write(
        ofTables.map(change => {
          const { table } = change;
          return { key: table, value: change.kind === 'table' ? change : undefined };
        }),
      );
    }
  };
}

/** What a directory has of tables and items, as changes. @throws DamagedState for what no journal has written */
export async function changesIn(directory: StateDirectory): Promise<readonly Change[]> {
  const tables = (await directory.values('table').load()).map(([key, value]) =>
    tableFrom(key, value as Json),
  );
  const known = new Set(tables.map(({ table }) => table));
  const items = (await directory.values('item').load()).map(([key, value]) => itemFrom(key, value as Json));
  const lost = items.find(({ table }) => !known.has(table));
  if (lost) throw new DamagedState([`the table ${lost.table} is lost, of which there are items`]);
  return [...tables, ...items];
}

/** Names of tables have no exclamation mark. */
function keyOf(table: string, key: string): string {
  return `${table}!${key}`;
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
