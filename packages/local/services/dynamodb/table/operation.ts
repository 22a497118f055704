import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import type { JobResult } from '../../../runtime/service';
import { type Item, readItem, typeOf } from './attribute-value';
import { parseCondition } from './condition';
import type { Path } from './document-path';
import { parseProjection, projected } from './projection';
import { RequestError } from './request-error';
import { Words } from './tokens';
import { parseUpdate, type Update } from './update';

/** The operations of the optimized integration. */
export type TableOperation = 'putItem' | 'getItem' | 'updateItem' | 'deleteItem';

/** A table as one operation reads it. */
export interface TableContent {
  /** The name of the partition key, a text; there is no sort key. */
  readonly keyName: string;
  /** Items by the text of their key. */
  readonly items: ReadonlyMap<string, Item>;
}

/** What one operation answers and writes. */
export interface OperationOutcome {
  /** The answer as a Task state's service gives it, without the metadata of HTTP. */
  readonly result: JobResult;
  /** The one item that is written, undefined for one that is deleted; absent where nothing is written. */
  readonly write?: { readonly key: string; readonly item: Item | undefined };
}

/**
 * What DynamoDB would answer to one operation, and what it would write. Nothing is changed here. A request that
 * DynamoDB refuses has an outcome, too: its error, and no write.
 */
export function outcomeOf(content: TableContent, operation: TableOperation, request: Json): OperationOutcome {
  try {
    return OPERATIONS[operation](content, isJsonObject(request) ? request : {});
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

type Operation = (content: TableContent, request: JsonObject) => OperationOutcome;

const OPERATIONS: Readonly<Record<TableOperation, Operation>> = {
  putItem(content, request) {
    const item = readItem(request['Item']);
    const returns = returnsOf(request, ['NONE', 'ALL_OLD'], 'ReturnValues can only be ALL_OLD or NONE');
    const { before, key } = conditional(content, request, () => keyOfItem(content, item));
    return { ...answer(returns === 'ALL_OLD' ? before : undefined), write: { key, item } };
  },
  getItem(content, request) {
    const given = readItem(request['Key']);
    const words = new Words(request);
    const text = request['ProjectionExpression'];
    const paths =
      typeof text === 'string'
        ? within('ProjectionExpression', () => parseProjection(text, words))
        : undefined;
    words.requireAllUsed();
    const item = content.items.get(keyOf(content, given));
    const output: JsonObject = item ? { Item: paths ? projected(paths, item) : item } : {};
    return { result: { kind: 'succeeded', output } };
  },
  updateItem(content, request) {
    const given = readItem(request['Key']);
    const returns = returnsOf(request, ['NONE', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW'], '');
    const { before, key, update } = conditional(content, request, ({ update }) => {
      const key = keyOf(content, given);
      requireKeyUnchanged(content, update);
      return key;
    });
    const item = update ? update.applied(before ?? given) : (before ?? given);
    const change = { before, after: item, paths: update?.paths ?? [] };
    return { ...answer(updateReturns(returns, change)), write: { key, item } };
  },
  deleteItem(content, request) {
    const given = readItem(request['Key']);
    const returns = returnsOf(request, ['NONE', 'ALL_OLD'], 'ReturnValues can only be ALL_OLD or NONE');
    const { before, key } = conditional(content, request, () => keyOf(content, given));
    return { ...answer(returns === 'ALL_OLD' ? before : undefined), write: { key, item: undefined } };
  },
};

/** Reads a request's expressions and key, and checks its condition. @throws RequestError where it is not met */
function conditional(
  { items }: TableContent,
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
  const before = items.get(key);
  if (condition && !condition(before ?? {})) {
    throw new RequestError('The conditional request failed', 'ConditionalCheckFailedException');
  }
  return { before, key, update };
}

function within<Parsed>(expression: string, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RequestError(`Invalid ${expression}: ${error.message}`);
  }
}

function answer(attributes: Item | undefined): OperationOutcome {
  return { result: { kind: 'succeeded', output: attributes ? { Attributes: attributes } : {} } };
}

function returnsOf(request: JsonObject, allowed: readonly string[], refusal: string): string {
  const returns = request['ReturnValues'] ?? 'NONE';
  if (typeof returns === 'string' && allowed.includes(returns)) return returns;
  throw new RequestError(
    refusal || `Value '${String(returns)}' at 'returnValues' is none of ${allowed.join(', ')}`,
  );
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
      return before && projected(paths, before);
    case 'ALL_NEW':
      return after;
    case 'UPDATED_NEW':
      return projected(paths, after);
    default:
      return undefined;
  }
}

const INVALID = 'One or more parameter values were invalid: ';

function keyOfItem({ keyName }: TableContent, item: Item): string {
  const value = item[keyName];
  if (!value) throw new RequestError(`${INVALID}Missing the key ${keyName} in the item`);
  const { S: text } = value;
  if (typeof text !== 'string') {
    throw new RequestError(`${INVALID}Type mismatch for key ${keyName} expected: S actual: ${typeOf(value)}`);
  }
  return requireKeyText(text, keyName, 'One or more parameter values are not valid. ');
}

function keyOf({ keyName }: TableContent, key: Item): string {
  const { S: text } = key[keyName] ?? {};
  if (typeof text !== 'string' || Object.keys(key).length !== 1) {
    throw new RequestError('The provided key element does not match the schema');
  }
  return requireKeyText(text, keyName, INVALID);
}

/** Bytes of UTF-8 that a partition key may have. */
const KEY_BYTES_MAX = 2048;

function requireKeyText(text: string, keyName: string, opening: string): string {
  if (text === '') {
    const rule = 'The AttributeValue for a key attribute cannot contain an empty string value.';
    throw new RequestError(`${opening}${rule} Key: ${keyName}`);
  }
  if (Buffer.byteLength(text) <= KEY_BYTES_MAX) return text;
  throw new RequestError(`${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`);
}

function requireKeyUnchanged({ keyName }: TableContent, update: Update | undefined): void {
  if (!update?.paths.some(([name]) => name === keyName)) return;
  throw new RequestError(`${INVALID}Cannot update attribute ${keyName}. This attribute is part of the key`);
}
