import { createHash } from 'node:crypto';

/** Most names on AWS end here; services with another limit say so in their resource type. */
const NAME_CHARACTERS_MAX = 255;
/** Enough of a hash to tell two shortened names of one account apart. */
const HASH_CHARACTERS = 8;

/**
 * A physical name in CloudFormation's style, `Stack-LogicalId`, the same in every run.
 *
 * CloudFormation appends a random suffix; here the name must survive a restart, so there is none. A name over
 * the limit is cut, and ends in a hash of the whole, before the suffix that it must have.
 */
export function physicalName(
  stack: string,
  logicalId: string,
  limit = NAME_CHARACTERS_MAX,
  suffix = '',
): string {
  const name = `${stack}-${logicalId}`;
  const room = limit - suffix.length;
  if (name.length <= room) return `${name}${suffix}`;
  return `${name.slice(0, room - HASH_CHARACTERS - 1)}-${hash(name).slice(0, HASH_CHARACTERS)}${suffix}`;
}

/** A UUID-shaped id that depends on nothing but the name: stack ids, key ids. */
export function deterministicUuid(name: string): string {
  const digits = hash(name);
  const ends = [8, 12, 16, 20, 32];
  return ends.map((end, index) => digits.slice(ends[index - 1] ?? 0, end)).join('-');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
