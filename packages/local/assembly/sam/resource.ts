import { isJsonObject, type Json, type JsonObject } from '../../json/json';

/** A resource of a template, as it is written. */
export interface Resource extends JsonObject {
  readonly Type: string;
  readonly Properties: JsonObject;
}

/** The directory of a template, and what notes problems of the files that it names. */
export interface SamFile {
  readonly directory: string;
  /** Notes what is wrong with a resource. */
  readonly problem: (logicalId: string, message: string) => void;
}

/** An object as it is, and an empty one for anything else. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The members that are there. */
export function withoutUndefined(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const there = Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return Object.fromEntries(there);
}
