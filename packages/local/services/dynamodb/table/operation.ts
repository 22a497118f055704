import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import type { JobResult } from '../../../runtime/calls/service';
import { type Item, readItem } from './attribute-value';
import { parseCondition } from './condition';
import type { Path } from './document-path';
import { type KeySchema, keyTextOf, keyTextOfItem, requireKeyUnchanged, requireScalarKeys } from './key';
import { parseProjection, projected } from './projection';
import { RequestError } from './request-error';
import { ITEM_BYTES_MAX, itemSize } from './size';
import { Words } from './tokens';
import { parseUpdate, type Update } from './update';

/** The operations of the optimized integration. */
export type TableOperation = 'putItem' | 'getItem' | 'updateItem' | 'deleteItem';

/** A table, as one operation reads it. */
export interface ReadableTable {
  readonly schema: KeySchema;
  /** The item of a {@link keyText}; undefined where there is none. */
  itemAt(key: string): Item | undefined;
}

/** The one item that an operation writes: `item` is undefined where it is deleted. */
export interface ItemWrite {
  readonly key: string;
  readonly before: Item | undefined;
  readonly item: Item | undefined;
}

/** What one operation answers and writes. */
export interface OperationOutcome {
  /** The answer as a Task state's service gives it, without the metadata of HTTP. */
  readonly result: JobResult;
  /** Absent where nothing is written. */
  readonly write?: ItemWrite;
}

/**
 * What DynamoDB would answer to one operation, and what it would write. Nothing is changed here. A request that
 * DynamoDB rejects has an outcome, too: its error, and no write.
 */
export function outcomeIn(source: ReadableTable, operation: TableOperation, request: Json): OperationOutcome {
  try {
    const { output, write } = performed(source, operation, isJsonObject(request) ? request : {});
    return { result: { kind: 'succeeded', output }, ...(write && { write }) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { result: failed(error) };
  }
}

function failed({ code, message }: RequestError): JobResult {
  const isDeclared = code === 'ConditionalCheckFailedException';
  const origin = `Service: AmazonDynamoDBv2; Status Code: 400; Error Code: ${code}; Request ID: `;
  const cause = `${message} (${origin}; Proxy: null)`;
  return { kind: 'failed', error: `DynamoDB.${isDeclared ? code : 'AmazonDynamoDBException'}`, cause };
}

/** The members of an answer, and what is written with it. */
export interface Performed {
  readonly output: JsonObject;
  readonly write?: ItemWrite;
  /** The whole item that was read, of which a projection answers a part. */
  readonly read?: Item;
}

/**
 * The answer to one operation and its write. Nothing is changed here.
 *
 * @throws RequestError where DynamoDB would reject the request
 */
export function performed(source: ReadableTable, operation: TableOperation, request: JsonObject): Performed {
  return OPERATIONS[operation](source, request);
}

type Operation = (source: ReadableTable, request: JsonObject) => Performed;

const OPERATIONS: Readonly<Record<TableOperation, Operation>> = {
  putItem(source, request) {
    const item = readItem(request['Item']);
    const returns = returnsOf(request, ['NONE', 'ALL_OLD'], 'ReturnValues can only be ALL_OLD or NONE');
    requireSize(item, 'Item size has exceeded the maximum allowed size');
    const { before, key } = conditional(source, request, () => keyTextOfItem(source.schema, item));
    return { ...answer(returns === 'ALL_OLD' ? before : undefined), write: { key, before, item } };
  },
  getItem(source, request) {
    const given = readItem(request['Key']);
    const words = new Words(request);
    const text = request['ProjectionExpression'];
    const paths =
      typeof text === 'string'
        ? within('ProjectionExpression', () => parseProjection(text, words))
        : undefined;
    words.requireAllUsed();
    const nested = (paths ?? []).flatMap(([head, ...rest]) => (rest.length > 0 ? [head] : []));
    requireScalarKeys('Key', source.schema, new Set(nested));
    const item = source.itemAt(keyTextOf(source.schema, given));
    const output: JsonObject = item ? { Item: paths ? projected(paths, item) : item } : {};
    return { output, ...(item && { read: item }) };
  },
  updateItem(source, request) {
    const given = readItem(request['Key']);
    const returns = returnsOf(request, ['NONE', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW'], '');
    const { before, key, update } = conditional(source, request, ({ update }) => {
      const key = keyTextOf(source.schema, given);
      requireKeyUnchanged(source.schema, update?.paths ?? []);
      return key;
    });
    const isMade = before !== undefined || (update?.makesItem ?? true);
    if (!isMade) return { output: {}, write: { key, before, item: undefined } };
    const item = onItem(() => {
      const updated = update ? update.applied(before ?? given) : (before ?? given);
      requireSize(updated, 'Item size to update has exceeded the maximum allowed size');
      return updated;
    });
    const change = { before, after: item, paths: update?.paths ?? [] };
    return { ...answer(updateReturns(returns, change)), write: { key, before, item } };
  },
  deleteItem(source, request) {
    const given = readItem(request['Key']);
    const returns = returnsOf(request, ['NONE', 'ALL_OLD'], 'ReturnValues can only be ALL_OLD or NONE');
    const { before, key } = conditional(source, request, () => keyTextOf(source.schema, given));
    return { ...answer(returns === 'ALL_OLD' ? before : undefined), write: { key, before, item: undefined } };
  },
};

/** Reads a request's expressions and key, and checks its condition. @throws RequestError where it is not met */
function conditional(
  source: ReadableTable,
  request: JsonObject,
  keyFor: (parsed: { readonly update: Update | undefined }) => string,
) {
  const words = new Words(request);
  const [updateText, text] = [request['UpdateExpression'], request['ConditionExpression']];
  const update =
    typeof updateText === 'string'
      ? within('UpdateExpression', () => parseUpdate(updateText, words))
      : undefined;
  const condition =
    typeof text === 'string' ? within('ConditionExpression', () => parseCondition(text, words)) : undefined;
  words.requireAllUsed();
  const key = keyFor({ update });
  const before = source.itemAt(key);
  if (condition && !condition(before ?? {})) {
    const isShown = request['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD' && before !== undefined;
    throw new RequestError(
      'The conditional request failed',
      'ConditionalCheckFailedException',
      isShown ? { Item: before } : {},
    );
  }
  return { before, key, update };
}

/** Parses an expression; an error names the parameter that it stands in. */
export function within<Parsed>(expression: string, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RequestError(`Invalid ${expression}: ${error.message}`);
  }
}

function answer(attributes: Item | undefined): Performed {
  return { output: attributes ? { Attributes: attributes } : {} };
}

/** An update that the item does not allow, whatever else is in its request: a transaction tells it as its reason. */
export class ItemError extends RequestError {}

function onItem(update: () => Item): Item {
  try {
    return update();
  } catch (error) {
    throw error instanceof RequestError ? new ItemError(error.message) : error;
  }
}

function requireSize(item: Item, rejection: string): void {
  if (itemSize(item) > ITEM_BYTES_MAX) throw new RequestError(rejection);
}

function returnsOf(request: JsonObject, allowed: readonly string[], rejection: string): string {
  const returns = request['ReturnValues'] ?? 'NONE';
  if (typeof returns === 'string' && allowed.includes(returns)) return returns;
  throw new RequestError(
    rejection || `Value '${String(returns)}' at 'returnValues' is none of ${allowed.join(', ')}`,
  );
}

/** Attributes that are none are not in the answer. */
function someOf(attributes: Item): Item | undefined {
  return Object.keys(attributes).length > 0 ? attributes : undefined;
}

interface Change {
  readonly before: Item | undefined;
  readonly after: Item;
  readonly paths: readonly Path[];
}

function updateReturns(returns: string, { before, after, paths }: Change): Item | undefined {
  switch (returns) {
    case 'ALL_OLD':
      return before;
    case 'UPDATED_OLD':
      return before && someOf(projected(paths, before));
    case 'ALL_NEW':
      return after;
    case 'UPDATED_NEW':
      return someOf(projected(paths, after));
    default:
      return undefined;
  }
}
