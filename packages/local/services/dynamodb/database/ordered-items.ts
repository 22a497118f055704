import { createHash } from 'node:crypto';
import { type AttributeValue, canonical, compare, type Item, typeOf } from '../table/attribute-value';
import { attributesOf, type KeySchema } from '../table/key';

/** An item with the text of its key in the table. */
export interface KeyedItem {
  readonly key: string;
  readonly item: Item;
}

/**
 * The items of a table in the order of its own key, or of an index's: partitions in an order that hangs on nothing but
 * their keys, and in each the items by sort key. Items that lack an attribute of the key are not in it.
 */
export class OrderedItems {
  readonly schema: KeySchema;
  readonly #partitions = new Map<string, Partition>();
  #order: readonly string[] | undefined;

  constructor(schema: KeySchema) {
    this.schema = schema;
  }

  /** Puts an item in, after taking out the one of the same key. */
  put(key: string, item: Item): void {
    if (!isIndexed(this.schema, item)) return;
    const name = this.#partitionOf(item[this.schema.partition.name] as AttributeValue);
    const partition = this.#partitions.get(name) ?? this.#added(name);
    partition.items.set(key, item);
    partition.sorted = undefined;
  }

  delete(key: string, item: Item): void {
    if (!isIndexed(this.schema, item)) return;
    const name = this.#partitionOf(item[this.schema.partition.name] as AttributeValue);
    const partition = this.#partitions.get(name);
    if (!partition?.items.delete(key)) return;
    partition.sorted = undefined;
    if (partition.items.size > 0) return;
    this.#partitions.delete(name);
    this.#order = undefined;
  }

  /** The items of one partition, by sort key. */
  inPartition(value: AttributeValue): readonly KeyedItem[] {
    const partition = this.#partitions.get(this.#partitionOf(value));
    return partition ? this.#sorted(partition) : [];
  }

  /** The items of the partitions from one on, in order: `from` is a partition key's value. */
  *all(from?: AttributeValue): Iterable<KeyedItem> {
    this.#order ??= [...this.#partitions.keys()].sort();
    const first = from && this.#partitionOf(from);
    for (const name of this.#order) {
      if (first !== undefined && name < first) continue;
      const partition = this.#partitions.get(name);
      if (partition) yield* this.#sorted(partition);
    }
  }

  /** Whether the first item comes before the second one in this order. */
  isBefore(one: KeyedItem, other: KeyedItem): boolean {
    const { name } = this.schema.partition;
    const [left, right] = [
      this.#partitionOf(one.item[name] ?? {}),
      this.#partitionOf(other.item[name] ?? {}),
    ];
    if (left !== right) return left < right;
    return this.#compared(one, other) < 0;
  }

  /** The share of a parallel scan that a partition belongs to. */
  segmentOf(item: Item, segments: number): number {
    const name = this.#partitionOf(item[this.schema.partition.name] ?? {});
    return Math.floor((Number.parseInt(name.slice(0, 8), 16) / 2 ** 32) * segments);
  }

  #added(name: string): Partition {
    const partition: Partition = { items: new Map(), sorted: undefined };
    this.#partitions.set(name, partition);
    this.#order = undefined;
    return partition;
  }

  /** As in the service, the order of partitions says nothing about their keys. */
  #partitionOf(value: AttributeValue): string {
    const text = canonical(value);
    return createHash('sha256').update(text).digest('hex');
  }

  #sorted(partition: Partition): readonly KeyedItem[] {
    partition.sorted ??= [...partition.items]
      .map(([key, item]) => ({ key, item }))
      .sort((one, other) => this.#compared(one, other));
    return partition.sorted;
  }

  #compared(one: KeyedItem, other: KeyedItem): number {
    const { sort } = this.schema;
    const sign = sort ? (compare(one.item[sort.name] ?? {}, other.item[sort.name] ?? {}) ?? 0) : 0;
    if (sign !== 0) return sign;
    return one.key < other.key ? -1 : one.key > other.key ? 1 : 0;
  }
}

interface Partition {
  readonly items: Map<string, Item>;
  sorted: readonly KeyedItem[] | undefined;
}

function isIndexed(schema: KeySchema, item: Item): boolean {
  return attributesOf(schema).every(({ name, type }) => {
    const value = item[name];
    return value !== undefined && typeOf(value) === type;
  });
}
