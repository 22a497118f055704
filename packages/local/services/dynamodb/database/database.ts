import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import type { Item } from '../table/attribute-value';
import { performed, type TableOperation } from '../table/operation';
import { RequestError } from '../table/request-error';
import { itemSize } from '../table/size';
import { batchGets, batchWrites } from './batch';
import { consumed, readUnits, writeUnits } from './capacity';
import { refuseLegacyParameters } from './legacy';
import { query, scan } from './read-many';
import { isOperation, type OperationName, REQUESTS } from './requests';
import { checked } from './shape';
import { StoredTable } from './stored-table';
import { described, tableDefinition } from './table-definition';
import { Tags } from './tags';
import { contentOf, type TableWrite, transactGets, transactWrites } from './transaction';

/** One thing that a request changes, in the form in which it is kept. */
export type Change =
  | { readonly kind: 'item'; readonly table: string; readonly key: string; readonly item: Item | undefined }
  | {
      readonly kind: 'table';
      readonly table: string;
      readonly request: JsonObject;
      readonly createdAt: number;
    }
  | { readonly kind: 'noTable'; readonly table: string };

/** Keeps what is written. Resolves when the changes survive the end of the process; all of one call do, or none. */
export type Journal = (changes: readonly Change[]) => Promise<void>;

/** What a database is made of. */
export interface DatabaseOptions {
  readonly region: string;
  readonly account: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** @default - memory only */
  readonly journal?: Journal;
}

/** For how long DynamoDB knows a transaction's `ClientRequestToken`. */
const TOKEN_MS = 10 * 60 * 1000;
const TOKENS_MAX = 10_000;

/**
 * The tables of one region and account, with DynamoDB's operations on them.
 *
 * A request is judged and carried out at once, so that two never overlap; its answer waits until what it wrote, and
 * what it may have seen, is kept. A journal that fails takes the write back, unless a later one has replaced it.
 */
export class Database {
  readonly #options: DatabaseOptions;
  readonly #tables = new Map<string, StoredTable>();
  readonly #tags = new Tags();
  readonly #transactions = new Map<string, { readonly content: string; readonly at: number }>();
  #kept: Promise<unknown> = Promise.resolve();

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  /** Takes over what a journal has kept, before the first request. */
  restore(changes: Iterable<Change>): void {
    for (const change of changes) this.#restoreOne(change);
  }

  /** The tables, by name. */
  get tableNames(): readonly string[] {
    return [...this.#tables.keys()].sort();
  }

  /**
   * Answers a request.
   *
   * @throws RequestError for what DynamoDB refuses; what the journal throws
   */
  async perform(operation: string, given: Json): Promise<JsonObject> {
    if (!isOperation(operation)) throw notSupported(operation);
    refuseLegacyParameters(given);
    const request = checked(REQUESTS[operation], given);
    const { output, changes = [], undo } = this.#carriedOut(operation, request);
    const { journal } = this.#options;
    if (!journal) return output;
    const before = this.#kept;
    const writing = changes.length > 0 ? journal(changes) : before;
    this.#kept = writing.catch(() => undefined);
    try {
      await before;
      await writing;
    } catch (error) {
      undo?.();
      throw error;
    }
    return output;
  }

  #carriedOut(operation: OperationName, request: JsonObject): CarriedOut {
    switch (operation) {
      case 'PutItem':
        return this.#onItem('putItem', request);
      case 'UpdateItem':
        return this.#onItem('updateItem', request);
      case 'DeleteItem':
        return this.#onItem('deleteItem', request);
      case 'GetItem':
        return this.#onItem('getItem', request);
      case 'Query':
        return { output: query(this.#table(request['TableName']), request) };
      case 'Scan':
        return { output: scan(this.#table(request['TableName']), request) };
      case 'BatchGetItem':
        return { output: batchGets(request, name => this.#table(name)) };
      case 'BatchWriteItem':
        return {
          ...this.#write(batchWrites(request, name => this.#table(name))),
          output: { UnprocessedItems: {} },
        };
      case 'TransactGetItems':
        return { output: transactGets(request, name => this.#table(name)) };
      case 'TransactWriteItems':
        return this.#transact(request);
      default:
        return this.#onTables(operation, request);
    }
  }

  #onItem(operation: TableOperation, request: JsonObject): CarriedOut {
    const table = this.#table(request['TableName']);
    const { output, write } = performed(table, operation, request);
    table.requireIndexable(write?.item);
    const { name } = table.definition;
    if (!write) {
      const { Item: item } = output;
      const bytes = isJsonObject(item) ? itemSize(item as Item) : 0;
      return {
        output: {
          ...output,
          ...consumed(request, name, readUnits(bytes, request['ConsistentRead'] === true)),
        },
      };
    }
    const units = writeUnits(write.before, write.item);
    return { ...this.#write([{ table, write }]), output: { ...output, ...consumed(request, name, units) } };
  }

  #transact(request: JsonObject): CarriedOut {
    const token = request['ClientRequestToken'];
    const now = this.#options.now();
    for (const [known, { at }] of this.#transactions) {
      if (at + TOKEN_MS > now && this.#transactions.size <= TOKENS_MAX) break;
      this.#transactions.delete(known);
    }
    if (typeof token !== 'string') return { ...this.#write(this.#transaction(request)), output: {} };
    const content = contentOf(request);
    const known = this.#transactions.get(token);
    if (known) {
      if (known.content === content) return { output: {} };
      throw new RequestError(
        'Request parameters do not match with the parameters of the first request with this ClientRequestToken',
        'IdempotentParameterMismatchException',
      );
    }
    const written = this.#write(this.#transaction(request));
    this.#transactions.set(token, { content, at: now });
    const undo = () => {
      written.undo();
      this.#transactions.delete(token);
    };
    return { ...written, undo, output: {} };
  }

  #transaction(request: JsonObject): TableWrite[] {
    return transactWrites(request, name => this.#table(name));
  }

  #write(writes: readonly TableWrite[]) {
    for (const { table, write } of writes) table.apply(write);
    const changes = writes.map(({ table, write: { key, item } }): Change => {
      return { kind: 'item', table: table.definition.name, key, item };
    });
    const undo = () => {
      for (const { table, write } of writes) {
        if (table.itemAt(write.key) === write.item) table.apply({ key: write.key, item: write.before });
      }
    };
    return { changes, undo };
  }

  #onTables(operation: OperationName, request: JsonObject): CarriedOut {
    switch (operation) {
      case 'CreateTable':
        return this.#createTable(request);
      case 'DeleteTable': {
        const table = this.#table(request['TableName']);
        const { name } = table.definition;
        this.#tables.delete(name);
        return {
          output: {
            TableDescription: { ...described(table.definition, table.size), TableStatus: 'DELETING' },
          },
          changes: [{ kind: 'noTable', table: name }],
          undo: () => this.#tables.set(name, table),
        };
      }
      case 'DescribeTable': {
        const table = this.#table(request['TableName']);
        return { output: { Table: described(table.definition, table.size) } };
      }
      case 'ListTables':
        return { output: this.#listTables(request) };
      default:
        return this.#onSettings(operation, request);
    }
  }

  #onSettings(operation: OperationName, request: JsonObject): CarriedOut {
    switch (operation) {
      case 'DescribeTimeToLive':
        return {
          output: { TimeToLiveDescription: this.#tags.timeToLive(this.#table(request['TableName'])) },
        };
      case 'UpdateTimeToLive':
        return { output: this.#tags.setTimeToLive(this.#table(request['TableName']), request) };
      default: {
        const table = this.#tableOfArn(request['ResourceArn']);
        return { output: this.#tags.perform(operation, table, request) };
      }
    }
  }

  #createTable(request: JsonObject): CarriedOut {
    const name = String(request['TableName']);
    if (this.#tables.has(name)) {
      throw new RequestError(`Table already exists: ${name}`, 'ResourceInUseException');
    }
    const createdAt = this.#options.now() / 1000;
    const table = this.#add(request, createdAt);
    return {
      output: { TableDescription: described(table.definition, 0) },
      changes: [{ kind: 'table', table: name, request, createdAt }],
      undo: () => this.#tables.delete(name),
    };
  }

  #add(request: JsonObject, createdAt: number): StoredTable {
    const { region, account } = this.#options;
    const arn = `arn:aws:dynamodb:${region}:${account}:table/${String(request['TableName'])}`;
    const table = new StoredTable(tableDefinition(request, { arn, createdAt }));
    this.#tables.set(table.definition.name, table);
    return table;
  }

  #listTables({ ExclusiveStartTableName: after, Limit: limit = 100 }: JsonObject): JsonObject {
    const names = this.tableNames.filter(name => typeof after !== 'string' || name > after);
    const TableNames = names.slice(0, Number(limit));
    const last = TableNames.at(-1);
    const isMore = names.length > TableNames.length && last !== undefined;
    return { TableNames, ...(isMore && { LastEvaluatedTableName: last }) };
  }

  #restoreOne(change: Change): void {
    switch (change.kind) {
      case 'table':
        this.#add(change.request, change.createdAt);
        return;
      case 'noTable':
        this.#tables.delete(change.table);
        return;
      case 'item':
        this.#table(change.table).apply(change);
        return;
    }
  }

  #table(name: Json | undefined): StoredTable {
    // A table may be named by its ARN.
    const short = String(name).replace(/^arn:aws[\w-]*:dynamodb:[\w-]*:\d*:table\//, '');
    const table = this.#tables.get(short);
    if (table) return table;
    throw new RequestError(
      `Requested resource not found: Table: ${String(name)} not found`,
      'ResourceNotFoundException',
    );
  }

  #tableOfArn(arn: Json | undefined): StoredTable {
    for (const table of this.#tables.values()) if (table.definition.arn === arn) return table;
    throw new RequestError(
      `Requested resource not found: ResourcArn: ${String(arn)} not found`,
      'ResourceNotFoundException',
    );
  }
}

interface CarriedOut {
  readonly output: JsonObject;
  readonly changes?: readonly Change[];
  /** Takes back what was changed in memory, as far as nothing later has replaced it. */
  readonly undo?: () => void;
}

function notSupported(operation: string): RequestError {
  return new RequestError(`DynamoDB has no operation '${operation}'`, 'UnknownOperationException');
}
