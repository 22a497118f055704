/** A JSON value, as it travels between states, services and the wire. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; members may be absent, never `undefined`. */
export type JsonObject = { readonly [name: string]: Json };

/** True for objects, false for arrays, scalars and null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
