/**
 * A JSON value, as it travels between states, services and the wire.
 *
 * @example
 * const input: Json = { orderId: 'order-7', amount: 12 };
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/**
 * A JSON object; members may be absent, never `undefined`.
 *
 * @example
 * const detail: JsonObject = { orderId: 'order-7' };
 */
export type JsonObject = { readonly [name: string]: Json };

/** True for objects, false for arrays, scalars and null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a text; for one that is not JSON, what is given instead. */
export function jsonOr<Other>(text: string, other: Other): Json | Other {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return other;
  }
}
