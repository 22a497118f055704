import { isJsonObject, type Json, type JsonObject } from '../json/json';
import type { JobResult } from '../runtime/calls/service';
import { attributesOf, type KeyAttribute, type KeySchema } from '../services/dynamodb/table/key';
import { carriedOutOn, ExploreError, operationOf } from './kernel/index';
import { afterAccess } from './lost-writes';
import type { Call, ModelState } from './state';
import type { LoadedSubject } from './subject';

/** A request of a table, as far as its key goes. */
export interface TableRequest {
  readonly table: string;
  readonly stateName: string;
  /** The key as the table is declared with it, e.g. `orderId (S)`. */
  readonly key: string;
  /** The given value, if it is not such a key: names and types, e.g. `id (N)`. */
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
  state: ModelState,
  execution: number,
  { resource, stateName, arguments: given }: Call,
): Made {
  const operation = operationOf(resource);
  if (operation === undefined) {
    const effect = { stateName, resource, arguments: given, execution };
    const result = subject.answer(effect, state.effects);
    if (result.kind === 'failed') return { after: state, result };
    return { after: { ...state, effects: [...state.effects, effect] }, result };
  }
  const { TableName = '' } = given as { readonly TableName?: string };
  const name = String(TableName).replace(/^arn:.*:table\//, '');
  const before = state.tables.get(name);
  if (!before) {
    const known = [...state.tables.keys()].join(', ') || 'none';
    throw new ExploreError(`the state "${stateName}" uses the table ${name}; \`tables\` has ${known}`);
  }
  const { table, result } = carriedOutOn(before, resource, given);
  const written = table === before ? state : { ...state, tables: new Map([...state.tables, [name, table]]) };
  const access = { execution, stateName, resource, arguments: given, table: name };
  const isRead = state.reads !== undefined && result.kind === 'succeeded';
  const after = isRead ? afterAccess(state, written, access) : written;
  return { after, result, request: { table: name, stateName, ...keyOf(before.schema, operation, given) } };
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
