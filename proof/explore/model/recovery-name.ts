import { isJsonObject, type Json, type JsonObject } from '../../../packages/local/json/json';
import type { Call } from './execution-state';
import { sha256 } from './sha256';

/** For how long the deliveries of one claim start one recovery, milliseconds. */
export const ONE_RECOVERY_MS = 15 * 60 * 1000;

/** How many characters of a hash name a recovery. */
const LENGTH = 32;

/**
 * The start of a recovery with what its name is a hash of in place of that, so that its parts can be told: the owner,
 * its claim, and the time. Any other call stays what it is.
 */
export function withReadableName(call: Call, { record = null }: JsonObject, now: number): Call {
  const { Name } = call.arguments;
  if (call.resource !== 'aws-sdk:sfn:startExecution' || !isJsonObject(record)) return call;
  const parts = [textOf(record, 'owner'), textOf(record, 'attempt'), textOf(record, 'claimId')];
  const name = [...parts, Math.floor(now / ONE_RECOVERY_MS)].join('#');
  return hashedName(name) === Name ? { ...call, arguments: { ...call.arguments, Name: name } } : call;
}

/** The name that a readable one stands for. */
export function hashedName(name: string): string {
  return sha256(name).slice(0, LENGTH);
}

function textOf(record: JsonObject, attribute: string): string {
  const value: Json | undefined = record[attribute];
  return isJsonObject(value ?? null) ? String(Object.values(value as JsonObject)[0]) : '';
}
