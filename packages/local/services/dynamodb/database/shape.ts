import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { RequestError } from '../table/request-error';

/**
 * What a member of a request is, as DynamoDB's API model has it. `Value` is an AttributeValue, `Any` is taken as it
 * comes, because nothing here depends on it.
 */
export type Shape =
  | 'String'
  | 'TableName'
  | 'IndexName'
  | 'Boolean'
  | 'Integer'
  | 'Value'
  | 'Any'
  | { readonly list: Shape; readonly min?: number; readonly max?: number }
  | { readonly map: Shape; readonly min?: number; readonly max?: number }
  | { readonly members: Members }
  | { readonly text: true; readonly min: number; readonly max: number }
  | { readonly oneOf: readonly string[] };

/** The members of a structure by name; those with `required` may not be missing. */
export type Members = Readonly<Record<string, Shape | { readonly required: Shape }>>;

/**
 * The members of a request that its shape knows, each of the form that the API has for it. Others, and those that are
 * null, are left out, as the service does.
 *
 * @throws RequestError in DynamoDB's words: SerializationException for another form, ValidationException for values
 * that are missing or out of bounds
 */
export function checked(members: Members, given: Json): JsonObject {
  if (!isJsonObject(given)) throw serialization(Array.isArray(given) ? LIST_FOUND : UNEXPECTED);
  const problems: string[] = [];
  const request = structure(members, given, { path: '', depth: 0, problems });
  if (problems.length === 0) return request;
  const count = `${problems.length} validation error${problems.length > 1 ? 's' : ''} detected`;
  throw new RequestError(`${count}: ${problems.join('; ')}`);
}

/** The place in a request, and the faults of values so far. */
interface Place {
  readonly path: string;
  /** Levels of AttributeValues above. */
  readonly depth: number;
  readonly problems: string[];
}

const UNEXPECTED = 'Unexpected field type';
const LIST_FOUND = 'Unrecognized collection type';
const STRUCTURE_FOUND = 'Start of structure or map found where not expected';

/** Levels that a document may have, the attribute itself included. */
const LEVELS_MAX = 32;
const PROBLEMS_MAX = 10;

function structure(members: Members, given: JsonObject, place: Place): JsonObject {
  const found: [string, Json][] = [];
  for (const [name, member] of Object.entries(members)) {
    const isRequired = typeof member === 'object' && 'required' in member;
    const shape = isRequired ? member.required : (member as Shape);
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const at = below(place, lowerFirst(name));
    if (value !== undefined && value !== null) found.push([name, conforming(shape, value, at)]);
    else if (isRequired) addProblem(at, null, 'Member must not be null');
  }
  return Object.fromEntries(found);
}

function conforming(shape: Shape, value: Json, place: Place): Json {
  if (typeof shape === 'string') return ofType(shape, value, place);
  if ('members' in shape) {
    if (!isJsonObject(value)) throw serialization(Array.isArray(value) ? LIST_FOUND : UNEXPECTED);
    return structure(shape.members, value, place);
  }
  if ('oneOf' in shape) {
    const text = ofType('String', value, place);
    if (shape.oneOf.includes(String(text))) return text;
    addProblem(place, value, `Member must satisfy enum value set: [${shape.oneOf.join(', ')}]`);
    return text;
  }
  if ('text' in shape) {
    const text = String(ofType('String', value, place));
    requireCount(text.length, shape, value, place);
    return text;
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) throw serialization(isJsonObject(value) ? STRUCTURE_FOUND : UNEXPECTED);
    requireCount(value.length, shape, value, place);
    return value.map((element, index) => {
      if (element === null && shape.list !== 'Value') throw serialization(UNEXPECTED);
      return conforming(shape.list, element, below(place, `${index + 1}.member`));
    });
  }
  if (!isJsonObject(value)) throw serialization(Array.isArray(value) ? LIST_FOUND : UNEXPECTED);
  requireCount(Object.keys(value).length, shape, value, place);
  return mapped(value, (member, name) => {
    if (member === null && shape.map !== 'Value') throw serialization(UNEXPECTED);
    return conforming(shape.map, member, below(place, `${name}.member`));
  });
}

function ofType(type: Extract<Shape, string>, value: Json, place: Place): Json {
  switch (type) {
    case 'String':
      if (typeof value === 'string') return value;
      throw mismatch(value, 'String');
    case 'TableName':
      return tableName(ofType('String', value, place), place);
    case 'IndexName':
      return indexName(ofType('String', value, place), place);
    case 'Boolean':
      if (typeof value === 'boolean') return value;
      if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
      throw mismatch(value, 'Boolean');
    case 'Integer':
      if (typeof value === 'number') return Math.trunc(value);
      throw mismatch(value, 'Integer');
    case 'Value':
      return attributeValue(value, place);
    case 'Any':
      return value;
  }
}

const TABLE_NAME = /^[a-zA-Z0-9_.-]+$/;

/** The name of a table, or its ARN. */
function tableName(given: Json, place: Place): string {
  const name = String(given);
  if (name.startsWith('arn:')) return name;
  if (name.length < 3 || name.length > 255) {
    throw new RequestError('TableName must be at least 3 characters long and at most 255 characters long');
  }
  if (!TABLE_NAME.test(name)) {
    addProblem(place, name, 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+');
  }
  return name;
}

function indexName(given: Json, place: Place): string {
  const name = String(given);
  if (!TABLE_NAME.test(name)) {
    addProblem(place, name, 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+');
  }
  requireCount(name.length, { min: 3, max: 255 }, name, place);
  return name;
}

/** The members of an AttributeValue. How many there may be, and what they may hold, is judged where it is read. */
const VALUE_MEMBERS: Readonly<Record<string, (content: Json, place: Place) => Json>> = {
  S: content => ofType('String', content, ANYWHERE),
  N: content => ofType('String', content, ANYWHERE),
  B: blob,
  BOOL: content => ofType('Boolean', content, ANYWHERE),
  NULL: content => ofType('Boolean', content, ANYWHERE),
  SS: content => setOf(content, text => ofType('String', text, ANYWHERE)),
  NS: content => setOf(content, text => ofType('String', text, ANYWHERE)),
  BS: content => setOf(content, blob),
  L: (content, place) => listOf(content, element => attributeValue(element, place)),
  M: (content, place) => {
    if (!isJsonObject(content)) throw serialization(Array.isArray(content) ? LIST_FOUND : UNEXPECTED);
    return mapped(content, member => attributeValue(member, place));
  },
};

const ANYWHERE: Place = { path: '', depth: 0, problems: [] };

function attributeValue(value: Json, { path, depth, problems }: Place): Json {
  // Not there, or there without content: what reads it says so in DynamoDB's words.
  if (value === null) return {};
  if (!isJsonObject(value)) {
    throw serialization(Array.isArray(value) ? LIST_FOUND : 'Unexpected value type in payload');
  }
  if (depth >= LEVELS_MAX) {
    throw new RequestError(
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    );
  }
  const place = { path, depth: depth + 1, problems };
  const members = Object.entries(value).flatMap(([name, content]) => {
    const read = Object.hasOwn(VALUE_MEMBERS, name) ? VALUE_MEMBERS[name] : undefined;
    return read && content !== null ? [[name, read(content, place)] as const] : [];
  });
  return Object.fromEntries(members);
}

function listOf(content: Json, read: (element: Json) => Json): Json {
  if (!Array.isArray(content)) throw serialization(isJsonObject(content) ? STRUCTURE_FOUND : UNEXPECTED);
  return content.map(read);
}

/** The members of a set. DynamoDB rejects null where it reads the value. */
function setOf(content: Json, read: (element: Json) => Json): Json {
  return listOf(content, element => (element === null ? null : read(element)));
}

function blob(content: Json): Json {
  if (typeof content !== 'string') {
    if (isJsonObject(content)) throw serialization(STRUCTURE_FOUND);
    throw serialization('only base-64-encoded strings are convertible to bytes');
  }
  if (content.length % 4 !== 0) {
    throw serialization(
      `Base64 encoded length is expected a multiple of 4 bytes but found: ${content.length}`,
    );
  }
  if (Buffer.from(content, 'base64').toString('base64') === content) return content;
  throw serialization('Invalid last non-pad Base64 character dectected');
}

function mapped(object: JsonObject, change: (member: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, change(member, name)]));
}

function requireCount(
  count: number,
  { min = 0, max = Number.POSITIVE_INFINITY }: { readonly min?: number; readonly max?: number },
  value: Json,
  place: Place,
): void {
  if (count < min) addProblem(place, value, `Member must have length greater than or equal to ${min}`);
  if (count > max) addProblem(place, value, `Member must have length less than or equal to ${max}`);
}

/** Characters of a value that an error message repeats. */
const SHOWN_CHARACTERS_MAX = 1000;

function addProblem({ path, problems }: Place, value: Json, constraint: string): void {
  if (problems.length >= PROBLEMS_MAX) return;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const shown = value === null ? 'null' : `'${text.slice(0, SHOWN_CHARACTERS_MAX)}'`;
  problems.push(`Value ${shown} at '${path}' failed to satisfy constraint: ${constraint}`);
}

function below(place: Place, name: string): Place {
  return { ...place, path: place.path === '' ? name : `${place.path}.${name}` };
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function mismatch(value: Json, type: string): RequestError {
  if (Array.isArray(value)) return serialization(`${LIST_FOUND} class java.lang.${type}`);
  if (isJsonObject(value)) return serialization(STRUCTURE_FOUND);
  return serialization(`${tokenOf(value)} cannot be converted to ${type}`);
}

function tokenOf(value: Json): string {
  if (typeof value === 'boolean') return value ? 'TRUE_VALUE' : 'FALSE_VALUE';
  if (typeof value === 'string') return 'STRING_VALUE';
  return Number.isInteger(value) ? 'NUMBER_VALUE' : 'DECIMAL_VALUE';
}

function serialization(message: string): RequestError {
  return new RequestError(message, 'SerializationException');
}
