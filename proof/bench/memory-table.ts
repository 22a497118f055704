import { isJsonObject, type Json, type JsonObject } from '../../packages/local/json/json';
import type { Service, ServiceResult, ServiceTable } from '../../packages/local/runtime/service';
import { parseCondition, parseUpdate } from './expressions';

const REFUSED: ServiceResult = {
  kind: 'failed',
  error: 'DynamoDB.ConditionalCheckFailedException',
  cause: 'The conditional request failed',
};

/**
 * The optimized DynamoDB integrations on one table in memory, which answers at once: puts, gets and updates with as
 * much of the expression language as a conditional record needs (`attribute_not_exists`, `=`, `<=`, `AND`, `OR`; `SET`,
 * `if_not_exists`, `REMOVE`). For measuring only: answers are shorter than those of DynamoDB.
 */
export function memoryTable(keyName: string): ServiceTable {
  const items = new Map<string, JsonObject>();
  const keyOf = (key: Json | undefined) => JSON.stringify(isJsonObject(key) ? key[keyName] : undefined);

  const operations: Record<string, (request: JsonObject) => ServiceResult> = {
    putItem(request) {
      const key = keyOf(request['Item']);
      if (!allows(request, items.get(key))) return REFUSED;
      items.set(key, memberOf(request, 'Item'));
      return succeeded({});
    },
    getItem(request) {
      const item = items.get(keyOf(request['Key']));
      return succeeded(item ? { Item: item } : {});
    },
    updateItem(request) {
      const key = keyOf(request['Key']);
      const item = items.get(key);
      if (!allows(request, item)) return REFUSED;
      items.set(key, updated(request, item ?? memberOf(request, 'Key')));
      return succeeded({});
    },
  };
  return new Map(
    Object.entries(operations).map(([name, operate]): [string, Service] => [
      `dynamodb:${name}`,
      { call: async call => operate(call.arguments as JsonObject) },
    ]),
  );
}

function succeeded(output: JsonObject): ServiceResult {
  return { kind: 'succeeded', output: { ...output, SdkHttpMetadata: { HttpStatusCode: 200 } } };
}

function allows(request: JsonObject, item: JsonObject | undefined): boolean {
  const text = request['ConditionExpression'];
  if (typeof text !== 'string') return true;
  return parseCondition(text)(item ?? {}, wordsOf(request));
}

function updated(request: JsonObject, item: JsonObject): JsonObject {
  const words = wordsOf(request);
  const next = { ...item };
  const { sets, removes } = parseUpdate(String(request['UpdateExpression']));
  for (const { name, value, isDefault } of sets) {
    if (!isDefault || item[words.name(name)] === undefined) next[words.name(name)] = words.value(value);
  }
  for (const name of removes) delete next[words.name(name)];
  return next;
}

function wordsOf(request: JsonObject) {
  const names = memberOf(request, 'ExpressionAttributeNames');
  const values = memberOf(request, 'ExpressionAttributeValues');
  return {
    name: (word: string) => String(names[word] ?? word),
    value: (word: string): Json => values[word] ?? null,
  };
}

function memberOf(request: JsonObject, name: string): JsonObject {
  const member = request[name];
  return isJsonObject(member) ? member : {};
}
