import { isJsonObject, type Json, type JsonObject } from '../json/json';

// Why Step Functions makes no call of parameters, as `Service.rejectionOf` says it. Reported are a number as the
// `Payload` of a function and under `S` of DynamoDB, with these words; it is taken to hold for other texts and for
// booleans.

/** The members of parameters; none where they are no object. */
export function fieldsOf(given: Json): JsonObject {
  return isJsonObject(given) ? given : {};
}

/** The members of parameters that are not null. */
export function givenIn(given: Json): JsonObject {
  return Object.fromEntries(Object.entries(fieldsOf(given)).filter(([, value]) => value !== null));
}

/** The message if there is a member that a service has, and this runtime has not. */
export function unknownIn(fields: JsonObject, known: readonly string[]): string | undefined {
  const unknown = Object.keys(fields).find(name => !known.includes(name));
  return unknown && `The field '${unknown}' is not supported here`;
}

/** The message if one of these members is absent or null. */
export function missingIn(fields: JsonObject, names: readonly string[]): string | undefined {
  const missing = names.find(name => (fields[name] ?? null) === null);
  return missing && `The field '${missing}' is required but was missing`;
}

/** The message if one of these members is there, and is not a text. */
export function noTextIn(fields: JsonObject, names: readonly string[]): string | undefined {
  return wrongIn(fields, names, value => typeof value !== 'string');
}

/** The message if one of these members is neither a text nor a value that is sent as its JSON text. */
export function noDocumentIn(fields: JsonObject, names: readonly string[]): string | undefined {
  return wrongIn(fields, names, value => typeof value === 'number' || typeof value === 'boolean');
}

function wrongIn(
  fields: JsonObject,
  names: readonly string[],
  isWrong: (value: Json) => boolean,
): string | undefined {
  for (const name of names) {
    const value = fields[name] ?? null;
    if (value !== null && isWrong(value)) return notOfType(name, 'STRING');
  }
  return undefined;
}

/** The message for a member of another type. */
export function notOfType(name: string, type: 'STRING' | 'BOOLEAN'): string {
  return `The value for the field '${name}' must be a ${type}`;
}
