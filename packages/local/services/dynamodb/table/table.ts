import type { Json } from '../../../json/json';
import type { JobResult } from '../../../runtime/calls/service';
import { canonical, type Item } from './attribute-value';
import { outcomeOf, type TableContent, type TableOperation } from './operation';

/** A table at one moment. It never changes: each operation answers with the table after it. */
export type Table = TableContent;

/** What an operation came to: the table after it, and the answer as a Task state's service gives it. */
export interface TableAnswer {
  readonly table: Table;
  readonly result: JobResult;
}

/** A table without items. */
export function emptyTable(keyName: string): Table {
  return { keyName, items: new Map() };
}

/** A text that tables share if and only if they hold the same items. */
export function tableText({ items }: Table): string {
  return [...items.keys()]
    .sort()
    .map(key => canonical({ M: items.get(key) ?? {} }))
    .join('\n');
}

/**
 * Performs one operation as DynamoDB does, at once. What DynamoDB refuses is an answer, too, and leaves the table as
 * it was. Answers lack the metadata of HTTP.
 */
export function performOn(table: Table, operation: TableOperation, request: Json): TableAnswer {
  const { result, write } = outcomeOf(table, operation, request);
  return { table: write ? withItem(table, write.key, write.item) : table, result };
}

function withItem(table: Table, key: string, item: Item | undefined): Table {
  const items = new Map(table.items);
  if (item) items.set(key, item);
  else items.delete(key);
  return { ...table, items };
}
