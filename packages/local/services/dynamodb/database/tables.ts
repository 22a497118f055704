import type { Json, JsonObject } from '../../../json/json';
import { RequestError } from '../table/request-error';
import type { CarriedOut, Change, TableChange } from './change';
import type { OperationName } from './requests';
import { changedSettings, listedTags, Settings, timeToLiveOf } from './settings';
import { StoredTable } from './stored-table';
import { described, tableDefinition } from './table-definition';

/** Where tables are made. */
interface TablesOptions {
  readonly region: string;
  readonly account: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The tables of one region and account, and the operations on tables as such. They are active at once. */
export class Tables {
  readonly #options: TablesOptions;
  readonly #tables = new Map<string, StoredTable>();
  readonly #settings = new Settings();

  constructor(options: TablesOptions) {
    this.#options = options;
  }

  /** Their names, in order. */
  get names(): readonly string[] {
    return [...this.#tables.keys()].sort();
  }

  /** The table of a name or an ARN. @throws RequestError where there is none */
  named(name: Json | undefined): StoredTable {
    return this.#find(name) ?? notFound(`Requested resource not found: Table: ${String(name)} not found`);
  }

  /** The same for an operation about items, which does not name the table, as recorded. @throws RequestError */
  withItems(name: Json | undefined): StoredTable {
    return this.#find(name) ?? notFound('Requested resource not found');
  }

  #find(name: Json | undefined): StoredTable | undefined {
    return this.#tables.get(String(name).replace(/^arn:aws[\w-]*:dynamodb:[\w-]*:\d*:table\//, ''));
  }

  /** Makes, changes or deletes a table as it was kept. */
  restore(change: TableChange): void {
    if (change.kind === 'noTable') {
      this.#tables.delete(change.table);
      return;
    }
    const table = this.#tables.get(change.table) ?? this.#add(change.request, change.createdAt);
    if (change.settings) this.#settings.set(table, change.settings);
  }

  /** Carries out an operation that is about tables and not about items. @throws RequestError */
  perform(operation: OperationName, request: JsonObject): CarriedOut {
    switch (operation) {
      case 'CreateTable':
        return this.#create(request);
      case 'DeleteTable':
        return this.#delete(this.named(request['TableName']));
      case 'ListTables':
        return { output: this.#list(request) };
      case 'DescribeTable': {
        const table = this.named(request['TableName']);
        return { output: { Table: describedNow(table) } };
      }
      case 'DescribeTimeToLive': {
        const settings = this.#settings.of(this.named(request['TableName']));
        return { output: { TimeToLiveDescription: timeToLiveOf(settings) } };
      }
      case 'UpdateTimeToLive': {
        const { TimeToLiveSpecification = {} } = request;
        const changed = this.#change(this.named(request['TableName']), operation, request);
        return { ...changed, output: { TimeToLiveSpecification } };
      }
      case 'ListTagsOfResource':
        return { output: listedTags(this.#settings.of(this.#ofArn(request['ResourceArn']))) };
      default:
        return { ...this.#change(this.#ofArn(request['ResourceArn']), operation, request), output: {} };
    }
  }

  #change(table: StoredTable, operation: OperationName, request: JsonObject): Omit<CarriedOut, 'output'> {
    const before = this.#settings.of(table);
    const settings = changedSettings(operation, before, request);
    this.#settings.set(table, settings);
    const { name, request: made, createdAt } = table.definition;
    return {
      changes: [{ kind: 'table', table: name, request: made, createdAt, settings }],
      undo: () => this.#settings.set(table, before),
    };
  }

  #create(request: JsonObject): CarriedOut {
    const name = String(request['TableName']);
    if (this.#tables.has(name)) {
      throw new RequestError(`Table already exists: ${name}`, 'ResourceInUseException');
    }
    const createdAt = this.#options.now() / 1000;
    const table = this.#add(request, createdAt);
    return {
      output: { TableDescription: describedNow(table) },
      changes: [{ kind: 'table', table: name, request, createdAt }],
      undo: () => {
        // One of this name that was made anew is another.
        if (this.#tables.get(name) === table) this.#tables.delete(name);
      },
    };
  }

  #add(request: JsonObject, createdAt: number): StoredTable {
    const { region, account } = this.#options;
    const arn = `arn:aws:dynamodb:${region}:${account}:table/${String(request['TableName'])}`;
    const table = new StoredTable(tableDefinition(request, { arn, createdAt }));
    this.#tables.set(table.definition.name, table);
    return table;
  }

  #delete(table: StoredTable): CarriedOut {
    const { name } = table.definition;
    this.#tables.delete(name);
    const { KeySchema: _keys, AttributeDefinitions: _attributes, ...left } = describedNow(table);
    return {
      output: { TableDescription: { ...left, TableStatus: 'DELETING' } },
      // Its items first: without their table they would be taken for damage.
      changes: [
        ...Array.from(
          table.items(),
          ({ key }): Change => ({ kind: 'item', table: name, key, item: undefined }),
        ),
        { kind: 'noTable', table: name },
      ],
      undo: () => {
        if (!this.#tables.has(name)) this.#tables.set(name, table);
      },
    };
  }

  #list({ ExclusiveStartTableName: after, Limit: limit = 100 }: JsonObject): JsonObject {
    if (typeof limit === 'number' && (limit < 1 || limit > 100)) {
      const rule = limit < 1 ? 'greater than or equal to 1' : 'less than or equal to 100';
      throw new RequestError(
        `1 validation error detected: Value '${limit}' at 'limit' failed to satisfy constraint: ` +
          `Member must have value ${rule}`,
      );
    }
    const names = this.names.filter(name => typeof after !== 'string' || name > after);
    const TableNames = names.slice(0, Number(limit));
    const last = TableNames.at(-1);
    const isMore = names.length > TableNames.length && last !== undefined;
    return { TableNames, ...(isMore && { LastEvaluatedTableName: last }) };
  }

  #ofArn(arn: Json | undefined): StoredTable {
    if (!/^arn:[^:]+:dynamodb:[^:]*:[^:]*:table\/[^/]+$/.test(String(arn))) {
      throw new RequestError(`Invalid TableArn: Invalid ResourceArn provided as input ${String(arn)}`);
    }
    for (const table of this.#tables.values()) if (table.definition.arn === arn) return table;
    throw new RequestError(
      `Requested resource not found: ResourcArn: ${String(arn)} not found`,
      'ResourceNotFoundException',
    );
  }
}

function describedNow(table: StoredTable): JsonObject {
  return described(table.definition, index => table.extentOf(index));
}

function notFound(message: string): never {
  throw new RequestError(message, 'ResourceNotFoundException');
}
