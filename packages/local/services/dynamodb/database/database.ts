import type { Json, JsonObject } from '../../../json/json';
import { performed, type ReadableTable, type TableOperation } from '../table/operation';
import { RequestError } from '../table/request-error';
import { itemSize } from '../table/size';
import { batchGets, batchWrites } from './batch';
import { consumed, readUnits, writeUnits } from './capacity';
import type { CarriedOut, Change } from './change';
import { rejectLegacyParameters } from './legacy';
import { query, scan } from './read-many';
import { isOperation, type OperationName, REQUESTS } from './requests';
import { checked } from './shape';
import type { StoredTable } from './stored-table';
import { Tables } from './tables';
import { consumedBy, contentOf, type TableWrite, transactGets, transactWrites } from './transaction';

/**
 * Keeps what is written. Resolves when the changes survive the end of the process; all of one call do, or none.
 *
 * If the changes of a call do not survive, those of the calls before its answer do not survive either. Before any of
 * these calls rejects, the journal calls `takeBack` of each, that of the last call first.
 */
export type Journal = (changes: readonly Change[], takeBack?: () => void) => Promise<void>;

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
 * what it may have seen, is kept. A journal that fails takes the write back, and all that came after it.
 */
export class Database {
  readonly #options: DatabaseOptions;
  readonly #tables: Tables;
  readonly #transactions = new Map<string, { readonly content: string; readonly at: number }>();
  /** The last write that is not kept yet. */
  #unkept: Promise<unknown> = Promise.resolve();

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#tables = new Tables(options);
  }

  /** Takes over what a journal has kept, before the first request. */
  restore(changes: Iterable<Change>): void {
    for (const change of changes) {
      if (change.kind === 'item') this.#tables.named(change.table).apply(change);
      else if (change.kind === 'transaction') this.#transactions.set(change.token, change);
      else if (change.kind === 'noTransaction') this.#transactions.delete(change.token);
      else this.#tables.restore(change);
    }
  }

  /** The names of all tables, in order. */
  get tableNames(): readonly string[] {
    return this.#tables.names;
  }

  /**
   * Answers a request.
   *
   * @throws RequestError for what DynamoDB rejects; what the journal throws
   */
  async perform(operation: string, given: Json): Promise<JsonObject> {
    if (!isOperation(operation)) throw notSupported(operation);
    rejectLegacyParameters(operation, given);
    const request = checked(REQUESTS[operation], given);
    const { journal } = this.#options;
    if (!journal) return this.#carriedOut(operation, request).output;
    const before = this.#unkept;
    try {
      const { output, changes = [], undo } = this.#carriedOut(operation, request);
      if (changes.length > 0) await this.#keep(journal(changes, undo));
      else await before;
      return output;
    } catch (error) {
      // A rejection depends on the read items, too.
      if (error instanceof RequestError) await before;
      throw error;
    }
  }

  /** Those that come while a write is not kept yet, and see what it wrote, wait for it and share its failure. */
  async #keep(writing: Promise<void>): Promise<void> {
    const kept = Promise.all([this.#unkept.catch(() => undefined), writing]);
    // Without a later write, this failure has no handler.
    kept.catch(() => undefined);
    this.#unkept = kept;
    try {
      await writing;
    } finally {
      if (this.#unkept === kept) this.#unkept = Promise.resolve();
    }
  }

  #carriedOut(operation: OperationName, request: JsonObject): CarriedOut {
    const tableOf = (name: Json | undefined) => this.#tables.withItems(name);
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
        return { output: query(tableOf, request) };
      case 'Scan':
        return { output: scan(tableOf, request) };
      case 'BatchGetItem':
        return { output: batchGets(request, tableOf) };
      case 'BatchWriteItem':
        return this.#batchWrite(request);
      case 'TransactGetItems':
        return { output: transactGets(request, tableOf) };
      case 'TransactWriteItems':
        return this.#transact(request);
      default:
        return this.#tables.perform(operation, request);
    }
  }

  #onItem(operation: TableOperation, request: JsonObject): CarriedOut {
    const source = this.#sourceOf(request['TableName']);
    const { output, write, read } = performed(source, operation, request);
    const table = source.table;
    table.requireIndexable(write?.item);
    const { name } = table.definition;
    if (!write) {
      const bytes = read ? itemSize(read) : 0;
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

  /** A table that is looked for when its key or an item is asked for: expressions are judged before. */
  #sourceOf(name: Json | undefined): ReadableTable & { readonly table: StoredTable } {
    let found: StoredTable | undefined;
    const find = () => {
      found ??= this.#tables.withItems(name);
      return found;
    };
    return {
      get table() {
        return find();
      },
      get schema() {
        return find().schema;
      },
      itemAt: key => find().itemAt(key),
    };
  }

  #batchWrite(request: JsonObject): CarriedOut {
    const writes = batchWrites(request, name => this.#tables.withItems(name));
    const output = { UnprocessedItems: {}, ...consumedBy(request, writes, false) };
    return { ...this.#write(writes), output };
  }

  #transact(request: JsonObject): CarriedOut {
    const token = request['ClientRequestToken'];
    const now = this.#options.now();
    if (typeof token !== 'string') {
      const writes = this.#transaction(request);
      return { ...this.#write(writes), output: consumedBy(request, writes, true) };
    }
    const content = contentOf(request);
    const known = this.#transactions.get(token);
    if (known && known.at + TOKEN_MS > now) {
      if (known.content === content) return { output: {} };
      throw new RequestError(
        'Request parameters do not match with the parameters of the first request with this ClientRequestToken',
        'IdempotentParameterMismatchException',
      );
    }
    const writes = this.#transaction(request);
    const { changes, undo } = this.#write(writes);
    const forgotten = this.#forgetTransactions(now);
    // Behind all others, also where the token had counted before.
    this.#transactions.delete(token);
    this.#transactions.set(token, { content, at: now });
    return {
      changes: [...changes, ...forgotten, { kind: 'transaction', token, content, at: now }],
      undo: () => {
        undo();
        this.#transactions.delete(token);
      },
      output: consumedBy(request, writes, true),
    };
  }

  /** Those whose tokens count no longer: the oldest, which come first. */
  #forgetTransactions(now: number): Change[] {
    const forgotten: Change[] = [];
    for (const [token, { at }] of this.#transactions) {
      if (at + TOKEN_MS > now && this.#transactions.size <= TOKENS_MAX) break;
      this.#transactions.delete(token);
      forgotten.push({ kind: 'noTransaction', token });
    }
    return forgotten;
  }

  #transaction(request: JsonObject): TableWrite[] {
    return transactWrites(request, name => this.#tables.withItems(name));
  }

  #write(writes: readonly TableWrite[]) {
    for (const { table, write } of writes) table.apply(write);
    const changes = writes.map(({ table, write: { key, item } }): Change => {
      return { kind: 'item', table: table.definition.name, key, item };
    });
    const undo = () => {
      for (const { table, write } of writes) table.apply({ key: write.key, item: write.before });
    };
    return { changes, undo };
  }
}

function notSupported(operation: string): RequestError {
  return new RequestError(`DynamoDB has no operation '${operation}'`, 'UnknownOperationException');
}
