import type { Json } from '../../json/json';
import { isJsonObject } from '../../json/json';

/**
 * A request as a workflow writes it, with binary attribute values (base64 text) as the bytes the SDK wants.
 *
 * Walks attribute values by their own structure, so an attribute that is merely named `B` stays what it is.
 */
export function toSdkRequest(request: Json): unknown {
  if (Array.isArray(request)) return request.map(toSdkRequest);
  if (!isJsonObject(request)) return request;
  return Object.fromEntries(Object.entries(request).map(([name, value]) => [name, toSdkMember(name, value)]));
}

function toSdkMember(name: string, value: Json): unknown {
  if (ATTRIBUTE_MAPS.has(name) && isJsonObject(value)) return mapMembers(value, decoded);
  if (name === 'Keys' && Array.isArray(value))
    return value.map(key => (isJsonObject(key) ? mapMembers(key, decoded) : key));
  // The requests of a batch are by tables, which may have any name.
  if (name === 'RequestItems' && isJsonObject(value)) return mapMembers(value, toSdkRequest);
  return toSdkRequest(value);
}

/** A response of the SDK as JSON: bytes become base64 text, members without value disappear. */
export function fromSdkResponse(response: unknown): Json {
  if (response instanceof Uint8Array) return Buffer.from(response).toString('base64');
  if (Array.isArray(response)) return response.map(fromSdkResponse);
  if (typeof response !== 'object' || response === null) return response as Json;
  const members = Object.entries(response).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [name, fromSdkResponse(value)]));
}

/** The request members that hold attribute values by name. */
const ATTRIBUTE_MAPS = new Set(['Item', 'Key', 'ExclusiveStartKey', 'ExpressionAttributeValues']);

function decoded(value: Json): unknown {
  if (!isJsonObject(value)) return value;
  const { B, BS, M, L } = value;
  if (typeof B === 'string') return { B: Buffer.from(B, 'base64') };
  if (Array.isArray(BS)) return { BS: BS.map(text => Buffer.from(String(text), 'base64')) };
  if (isJsonObject(M)) return { M: mapMembers(M, decoded) };
  if (Array.isArray(L)) return { L: L.map(decoded) };
  return value;
}

function mapMembers(object: { readonly [name: string]: Json }, change: (value: Json) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
