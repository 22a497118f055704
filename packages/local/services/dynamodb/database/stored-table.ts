import type { JsonObject } from '../../../json/json';
import { type Item, typeOf } from '../table/attribute-value';
import { attributesOf, type KeyAttribute, type KeySchema } from '../table/key';
import type { ItemSource, ItemWrite } from '../table/operation';
import { RequestError } from '../table/request-error';
import { type KeyedItem, OrderedItems } from './ordered-items';

export interface SecondaryIndex {
  readonly name: string;
  readonly isGlobal: boolean;
  readonly schema: KeySchema;
  /** The attributes that are projected beside the keys; undefined for all. */
  readonly projected: readonly string[] | undefined;
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
export class StoredTable implements ItemSource {
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

  get size(): number {
    return this.#items.size;
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

  /** Makes the table hold what an operation has written; or, for what was loaded, an item. */
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

  /** @throws RequestError where an item has another type for the key of an index than the index */
  requireIndexable(item: Item | undefined): void {
    if (!item) return;
    for (const { name: index, schema } of this.definition.indexes) {
      for (const { name, type } of attributesOf(schema)) {
        const value = item[name];
        if (!value || typeOf(value) === type) continue;
        throw new RequestError(
          'One or more parameter values were invalid: ' +
            `Type mismatch for Index Key ${name} Expected: ${type} Actual: ${typeOf(value)} IndexName: ${index}`,
        );
      }
    }
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
