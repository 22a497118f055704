import { isJsonObject, type Json, type JsonObject } from '../json/json';
import type { JobResult } from '../runtime/calls/service';
import { attributesOf, type KeyAttribute, type KeySchema } from '../services/dynamodb/table/key';
import { outcomeIn, type TableOperation } from '../services/dynamodb/table/operation';
import { ExploreError } from './explore-error';
import type { Call, ModelState } from './model';
import type { LoadedSubject } from './subject';

/** A request of a table, as far as its key goes. */
export interface TableRequest {
  readonly table: string;
  readonly stateName: string;
  /** The key as the table is declared with it, e.g. `orderId (S)`. */
  readonly key: string;
  /** What was given, where that is no such key: names and types, e.g. `id (N)`. */
  readonly givenInstead?: string;
}

/** What came of a call. */
export interface Made {
  readonly after: ModelState;
  readonly result: JobResult;
  readonly request?: TableRequest;
}

/** What a service does with a call: DynamoDB on the tables, any other as the subject says. */
export function carryOut(
  subject: LoadedSubject,
  model: ModelState,
  execution: number,
  { resource, stateName, arguments: given }: Call,
): Made {
  const [, prefix = '', operation] = /^(aws-sdk:)?dynamodb:(\w+)$/.exec(resource) ?? [];
  if (operation === undefined) {
    const effect = { stateName, resource, arguments: given, execution };
    const result = subject.answer(effect, model.effects);
    if (result.kind === 'failed') return { after: model, result };
    return { after: { ...model, effects: [...model.effects, effect] }, result };
  }
  if (!OPERATIONS.includes(operation)) {
    throw new ExploreError(
      `${resource} of the state "${stateName}" is not explored; tables know ${OPERATIONS.join(', ')}`,
    );
  }
  const { TableName = '' } = given as { readonly TableName?: string };
  const table = String(TableName).replace(/^arn:.*:table\//, '');
  const schema = subject.schemas.get(table);
  const items = model.tables.get(table);
  if (!schema || !items) {
    const known = [...subject.schemas.keys()].join(', ') || 'none';
    throw new ExploreError(`the state "${stateName}" uses the table ${table}; \`tables\` has ${known}`);
  }
  const source = { schema, itemAt: (key: string) => items.get(key) };
  const { result, write } = outcomeIn(source, operation as TableOperation, given);
  const after = write
    ? { ...model, tables: new Map([...model.tables, [table, written(items, write)]]) }
    : model;
  const request = { table, stateName, ...keyOf(schema, operation, given) };
  if (result.kind === 'failed' && prefix !== '') {
    const error = result.error.replace(/^DynamoDB\./, 'DynamoDb.');
    return { after, result: { ...result, error }, request };
  }
  return { after, result, request };
}

const OPERATIONS: readonly string[] = ['getItem', 'putItem', 'updateItem', 'deleteItem'];

type Write = NonNullable<ReturnType<typeof outcomeIn>['write']>;

function written(items: ReadonlyMap<string, NonNullable<Write['item']>>, { key, item }: Write) {
  const after = new Map(items);
  if (item) after.set(key, item);
  else after.delete(key);
  return after;
}

/** The key that is declared, and what the request has in its place, if that has other names or types. */
function keyOf(
  schema: KeySchema,
  operation: string,
  given: Json,
): Pick<TableRequest, 'key' | 'givenInstead'> {
  const request = isJsonObject(given) ? given : {};
  const member = request[operation === 'putItem' ? 'Item' : 'Key'];
  const attributes = isJsonObject(member) ? member : {};
  const declared = attributesOf(schema);
  const key = declared.map(({ name, type }) => `${name} (${type})`).join(', ');
  const isWhole = operation === 'putItem' || Object.keys(attributes).length === declared.length;
  if (isWhole && declared.every(attribute => hasAttribute(attributes, attribute))) return { key };
  const found = Object.entries(attributes).map(([name, value]) => `${name} (${typesIn(value)})`);
  return { key, givenInstead: found.join(', ') || 'nothing' };
}

function hasAttribute(attributes: JsonObject, { name, type }: KeyAttribute): boolean {
  return typesIn(attributes[name]) === type;
}

/** The type of an attribute, as DynamoDB's JSON has it: its one member. */
function typesIn(value: Json | undefined): string {
  return isJsonObject(value) ? Object.keys(value).join(' ') : '';
}
