import { textIn } from './details';

/** Members of JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Attributes as texts, by name. */
export type Attributes = Readonly<Record<string, string>>;

/** Applies an update expression. Returns false if a part of it is not understood. */
export function applyUpdate(attributes: Record<string, string>, request: Json): boolean {
  const names = objectOf(request['ExpressionAttributeNames']);
  const values = attributesOf(request['ExpressionAttributeValues']);
  const nameOf = (path: string) => textIn(names[path]) ?? path;
  const [begin = '', ...clauses] = (textIn(request['UpdateExpression']) ?? '').split(
    /\b(SET|REMOVE|ADD|DELETE)\b/i,
  );
  let isFollowed = begin.trim() === '';
  for (let index = 0; index < clauses.length; index += 2) {
    const [word = '', text = ''] = clauses.slice(index, index + 2);
    // Commas within parentheses are those of a function.
    for (const part of text.split(/,(?![^(]*\))/).map(each => each.trim())) {
      const [, path = '', once, value = ''] =
        /^(\S+)\s*=\s*(if_not_exists\s*\(\s*\S+\s*,\s*)?(:\w+)\)?$/.exec(part) ?? [];
      const name = nameOf(path);
      if (word.toUpperCase() === 'REMOVE' && /^#?\w+$/.test(part)) delete attributes[nameOf(part)];
      else if (word.toUpperCase() !== 'SET' || values[value] === undefined) isFollowed = false;
      else if (once === undefined || attributes[name] === undefined) attributes[name] = values[value];
    }
  }
  return isFollowed;
}

/** DynamoDB's attribute values as texts. */
export function attributesOf(value: unknown): Attributes {
  return Object.fromEntries(
    Object.entries(objectOf(value)).map(([name, typed]) => {
      const { S, N } = objectOf(typed);
      return [name, textIn(S) ?? textIn(N) ?? JSON.stringify(typed)];
    }),
  );
}

/** A value as members; without members if it is not an object. */
export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
