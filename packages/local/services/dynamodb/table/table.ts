import type { Json } from '../../../json/json';
import type { JobResult } from '../../../runtime/calls/service';
import type { Item } from './attribute-value';
import type { KeySchema } from './key';
import { outcomeIn, type TableOperation } from './operation';

/** A table at one moment. It never changes: each operation answers with the table after it. */
export interface Table {
  readonly schema: KeySchema;
  /** Items by the text of their keys. */
  readonly items: ReadonlyMap<string, Item>;
}

/** What an operation came to: the table after it, and the answer as a Task state's service gives it. */
export interface TableAnswer {
  readonly table: Table;
  readonly result: JobResult;
}

/**
 * Performs one operation as DynamoDB does, at once. What DynamoDB rejects is an answer, too, and leaves the table as
 * it was. Answers lack the metadata of HTTP.
 */
export function performOn(table: Table, operation: TableOperation, request: Json): TableAnswer {
  const { schema, items } = table;
  const { result, write } = outcomeIn({ schema, itemAt: key => items.get(key) }, operation, request);
  return { table: write ? withItem(table, write.key, write.item) : table, result };
}

function withItem(table: Table, key: string, item: Item | undefined): Table {
  const items = new Map(table.items);
  if (item) items.set(key, item);
  else items.delete(key);
  return { ...table, items };
}
