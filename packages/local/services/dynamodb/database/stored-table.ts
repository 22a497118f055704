import type { JsonObject } from '../../../json/json';
import type { Item } from '../table/attribute-value';
import { attributesOf, type KeyAttribute, type KeySchema, requireIndexKey } from '../table/key';
import type { ItemWrite, ReadableTable } from '../table/operation';
import { itemSize } from '../table/size';
import { type KeyedItem, OrderedItems } from './ordered-items';

export interface SecondaryIndex {
  readonly name: string;
  readonly isGlobal: boolean;
  readonly schema: KeySchema;
  /** The attributes that are projected beside the keys; undefined for all. */
  readonly projected: readonly string[] | undefined;
}

/** How many items a table has or an index, and of how many bytes. */
export interface Extent {
  readonly count: number;
  readonly bytes: number;
}

/** What a table is, apart from what is in it. */
export interface TableDefinition {
  readonly name: string;
  readonly arn: string;
  readonly schema: KeySchema;
  readonly indexes: readonly SecondaryIndex[];
  /** The `CreateTable` request, as it was checked. */
  readonly request: JsonObject;
  /** Epoch seconds. */
  readonly createdAt: number;
}

/** A table with its items and indexes. All reads are consistent. */
export class StoredTable implements ReadableTable {
  readonly definition: TableDefinition;
  readonly schema: KeySchema;
  readonly #items = new Map<string, Item>();
  readonly #ordered: OrderedItems;
  readonly #indexes: ReadonlyMap<string, OrderedItems>;

  constructor(definition: TableDefinition) {
    this.definition = definition;
    this.schema = definition.schema;
    this.#ordered = new OrderedItems(definition.schema);
    this.#indexes = new Map(definition.indexes.map(({ name, schema }) => [name, new OrderedItems(schema)]));
  }

  /** How many items the table has or an index of it, and of how many bytes. */
  extentOf(index?: string): Extent {
    const items = this.inOrderOf(this.definition.indexes.find(({ name }) => name === index)).all();
    let [count, bytes] = [0, 0];
    for (const { item } of items) {
      count += 1;
      bytes += itemSize(item);
    }
    return { count, bytes };
  }

  itemAt(key: string): Item | undefined {
    return this.#items.get(key);
  }

  items(): Iterable<KeyedItem> {
    return this.#ordered.all();
  }

  /** The items in the order of an index, or of the table itself. */
  inOrderOf(index: SecondaryIndex | undefined): OrderedItems {
    return (index && this.#indexes.get(index.name)) ?? this.#ordered;
  }

  /** Stores the writes of an operation, or a loaded item. */
  apply({ key, item }: Pick<ItemWrite, 'key' | 'item'>): void {
    const before = this.#items.get(key);
    const views = [this.#ordered, ...this.#indexes.values()];
    if (before) for (const view of views) view.delete(key, before);
    if (!item) {
      this.#items.delete(key);
      return;
    }
    this.#items.set(key, item);
    for (const view of views) view.put(key, item);
  }

  /** @throws RequestError where an item has a value for the key of an index that the index cannot have */
  requireIndexable(item: Item | undefined): void {
    if (!item) return;
    for (const { name, schema } of this.definition.indexes) requireIndexKey(name, schema, item);
  }
}

/** The attributes that name an item's place in an index: the index's key and the table's. */
export function startKeyOf(
  { schema }: Pick<TableDefinition, 'schema'>,
  index: SecondaryIndex | undefined,
): readonly KeyAttribute[] {
  const own = attributesOf(schema);
  if (!index) return own;
  const more = attributesOf(index.schema).filter(({ name }) => !own.some(other => other.name === name));
  return [...own, ...more];
}
