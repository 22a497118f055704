import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { readItem } from '../table/attribute-value';
import { keyTextOf, keyTextOfItem } from '../table/key';
import { ItemError, type ItemWrite, performed, type TableOperation } from '../table/operation';
import { RequestError } from '../table/request-error';
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
  requireDistinctItems(actions);
  const outcomes = actions.map(({ kind, table, request: action }) => {
    try {
      const { write } = performed(table, OPERATIONS[kind] ?? 'putItem', action);
      table.requireIndexable(write?.item);
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
  const Responses = elementsOf(request).map(element => {
    const get = isJsonObject(element['Get']) ? element['Get'] : {};
    return performed(find(get['TableName']), 'getItem', get).output;
  });
  return { Responses };
}

/** A text that two transactions share if and only if they ask for the same. */
export function contentOf(request: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(request['TransactItems'])).digest('hex');
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

function requireDistinctItems(actions: readonly Action[]): void {
  const seen = new Set<string>();
  for (const { kind, table, request } of actions) {
    const key =
      kind === 'Put'
        ? keyTextOfItem(table.schema, readItem(request['Item']))
        : keyTextOf(table.schema, readItem(request['Key']));
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
