import type { ClassicLevel } from 'classic-level';
import { DamagedState, readFrom } from './damage';
import { under } from './keys';
import { sealed, unsealed } from './sealed';
import type { Change } from './write-queue';

/** What values are of. */
export type ValueKind =
  | 'table'
  | 'transaction'
  | 'queue'
  | 'message'
  | 'bucket'
  | 'object'
  | 'topic'
  | 'subscription'
  | 'stateMachine'
  | 'activity'
  | 'delivery';

/** A JSON value that is put under a key of its kind, or taken away where it is undefined. */
export interface ValueChange {
  readonly kind: ValueKind;
  readonly key: string;
  readonly value: object | undefined;
}

/** The change of the database that makes it. */
export function changeOf({ kind, key: name, value }: ValueChange): Change {
  const key = `${kind}!${name}`;
  return value === undefined
    ? { type: 'del', key }
    : { type: 'put', key, value: sealed(key, JSON.stringify(value)) };
}

/** The values of one kind with their keys. */
export type LoadedValues = readonly (readonly [key: string, value: object])[];

/** Every value of a kind, in the order of the keys. @throws DamagedState for one that is not what was written */
export function loadValues(db: ClassicLevel, kind: ValueKind): Promise<LoadedValues> {
  return readFrom(() => readValues(db, kind));
}

async function readValues(db: ClassicLevel, kind: ValueKind): Promise<LoadedValues> {
  const values: (readonly [string, object])[] = [];
  const broken: string[] = [];
  const prefix = `${kind}!`;
  for await (const [key, text] of db.iterator(under(kind))) {
    const name = key.slice(prefix.length);
    const content = unsealed(key, text);
    if (content === undefined) broken.push(name);
    else values.push([name, JSON.parse(content) as object]);
  }
  if (broken.length > 0) throw new DamagedState(problemsOf(kind, broken));
  return values;
}

/** Keys that a message names; of more, how many. */
const NAMES_MAX = 10;

function problemsOf(kind: ValueKind, broken: readonly string[]): string[] {
  const named = broken
    .slice(0, NAMES_MAX)
    .map(key => `${kind} ${JSON.stringify(key)} is not what was written`);
  const more = broken.length - named.length;
  return more > 0 ? [...named, `${more} more of ${kind} are not what was written`] : named;
}
