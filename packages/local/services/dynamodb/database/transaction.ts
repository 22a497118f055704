import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { readItem } from '../table/attribute-value';
import { keyTextOf, keyTextOfItem } from '../table/key';
import { ItemError, type ItemWrite, performed, type TableOperation } from '../table/operation';
import { RequestError } from '../table/request-error';
import { itemSize } from '../table/size';
import { addUnits, consumedOfTables, readUnits, writeUnits } from './capacity';
import { TRANSACT_WRITES } from './requests';
import type { StoredTable } from './stored-table';

export interface TableWrite {
  readonly table: StoredTable;
  readonly write: ItemWrite;
}

/** Finds a table. @throws RequestError where there is none of this name */
export type FindTable = (name: Json | undefined) => StoredTable;

const OPERATIONS: Readonly<Record<string, TableOperation>> = {
  // A check is a deletion that is not carried out.
  ConditionCheck: 'deleteItem',
  Put: 'putItem',
  Update: 'updateItem',
  Delete: 'deleteItem',
};

/**
 * What a `TransactWriteItems` writes: all of it, or nothing.
 *
 * @throws RequestError TransactionCanceledException with a reason for each element, where a condition is not met or an
 * item does not allow its update
 */
export function transactWrites(request: JsonObject, find: FindTable): TableWrite[] {
  const actions = elementsOf(request).map(element => actionOf(element, find));
  const keys = actions.map(keyOf);
  requireDistinctItems(actions, keys);
  requireSize(actions);
  const outcomes = actions.map(({ kind, table, request: action }, index) => {
    try {
      const key = keys[index];
      if (key instanceof RequestError) throw new ItemError(key.message);
      const { write } = performed(table, OPERATIONS[kind] ?? 'putItem', action);
      asReason(() => table.requireIndexable(write?.item));
      return { writes: write && kind !== 'ConditionCheck' ? [{ table, write }] : [], reason: NO_REASON };
    } catch (error) {
      return { writes: [], reason: reasonOf(error) };
    }
  });
  const reasons = outcomes.map(({ reason }) => reason);
  if (reasons.every(({ Code }) => Code === 'None')) return outcomes.flatMap(({ writes }) => writes);
  const codes = reasons.map(({ Code }) => Code).join(', ');
  throw new RequestError(
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    'TransactionCanceledException',
    { CancellationReasons: reasons },
  );
}

/** The answer of a `TransactGetItems`: all items as they are at one moment. @throws RequestError */
export function transactGets(request: JsonObject, find: FindTable): JsonObject {
  const units = new Map<string, number>();
  const Responses = elementsOf(request).map(element => {
    const get = isJsonObject(element['Get']) ? element['Get'] : {};
    const table = find(get['TableName']);
    const { output, read } = performed(table, 'getItem', get);
    addUnits(units, table.definition.name, TIMES * readUnits(read ? itemSize(read) : 0, true));
    return output;
  });
  return { Responses, ...consumedOfTables(request, units) };
}

/** A transaction reads and writes each item twice: it prepares, and it commits. */
const TIMES = 2;

/** The `ConsumedCapacity` of what a batch writes, or a transaction. */
export function consumedBy(
  request: JsonObject,
  writes: readonly TableWrite[],
  isTransaction: boolean,
): JsonObject {
  const units = new Map<string, number>();
  for (const { table, write } of writes) {
    const times = isTransaction ? TIMES : 1;
    addUnits(units, table.definition.name, times * writeUnits(write.before, write.item));
  }
  return consumedOfTables(request, units);
}

/** A text that two transactions share if and only if they ask for the same. */
export function contentOf(request: JsonObject): string {
  return createHash('sha256')
    .update(inOrder(request['TransactItems'] ?? null))
    .digest('hex');
}

/** The JSON text of a value, with members by name. */
function inOrder(value: Json): string {
  return JSON.stringify(value, (_name, member: Json) => {
    if (!isJsonObject(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

interface Action {
  readonly kind: string;
  readonly table: StoredTable;
  readonly request: JsonObject;
}

function elementsOf(request: JsonObject): JsonObject[] {
  const elements = request['TransactItems'];
  return Array.isArray(elements) ? elements.filter(isJsonObject) : [];
}

function actionOf(element: JsonObject, find: FindTable): Action {
  const kinds = Object.keys(element).filter(name => Object.hasOwn(TRANSACT_WRITES, name));
  const [kind] = kinds;
  const request = kind === undefined ? undefined : element[kind];
  if (kind === undefined || kinds.length > 1 || !isJsonObject(request)) {
    throw new RequestError('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  if (kind === 'ConditionCheck' && request['ConditionExpression'] === undefined) {
    throw new RequestError(
      "1 validation error detected: Value null at 'transactItems.1.member.conditionCheck.conditionExpression' failed " +
        'to satisfy constraint: Member must not be null',
    );
  }
  return { kind, table: find(request['TableName']), request };
}

/** The item that an action is about, or why there can be none: the reason of this action, and not of the request. */
function keyOf({ kind, table, request }: Action): string | RequestError {
  const item = readItem(request[kind === 'Put' ? 'Item' : 'Key']);
  try {
    return kind === 'Put' ? keyTextOfItem(table.schema, item) : keyTextOf(table.schema, item);
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
}

function asReason(check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof RequestError ? new ItemError(error.message) : error;
  }
}

/** Bytes that the actions of a transaction may have in all. */
const PAYLOAD_BYTES_MAX = 4 * 1024 * 1024;

/** @throws RequestError where what the actions say is too long; what is stored does not count */
function requireSize(actions: readonly Action[]): void {
  let bytes = 0;
  for (const { request } of actions) {
    for (const name of ['Item', 'Key', 'ExpressionAttributeValues'])
      bytes += itemSize(readItem(request[name]));
  }
  if (bytes <= PAYLOAD_BYTES_MAX) return;
  throw new RequestError(`Transaction payload size cannot exceed ${PAYLOAD_BYTES_MAX} bytes`);
}

function requireDistinctItems(actions: readonly Action[], keys: readonly (string | RequestError)[]): void {
  const seen = new Set<string>();
  for (const [index, { table }] of actions.entries()) {
    const key = keys[index];
    if (key === undefined || key instanceof RequestError) continue;
    const id = `${table.definition.name}\n${key}`;
    if (seen.has(id)) {
      throw new RequestError('Transaction request cannot include multiple operations on one item');
    }
    seen.add(id);
  }
}

interface Reason extends JsonObject {
  readonly Code: string;
}

const NO_REASON: Reason = { Code: 'None' };

/** @throws what is wrong with the request whatever the items are */
function reasonOf(error: unknown): Reason {
  if (error instanceof RequestError && error.code === 'ConditionalCheckFailedException') {
    return { Code: 'ConditionalCheckFailed', Message: error.message, ...error.members };
  }
  if (error instanceof ItemError) return { Code: 'ValidationError', Message: error.message };
  throw error;
}
