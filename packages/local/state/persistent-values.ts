import type { ClassicLevel } from 'classic-level';
import { DamagedState, withDamageErrors } from './damage';
import { under } from './keys';
import { listNames } from './list-names';
import { sealed, unsealed } from './sealed';
import type { Change } from './write-queue';

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
  return withDamageErrors(() => readValues(db, kind));
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
  if (broken.length > 0) {
    const keys = broken.map(name => JSON.stringify(name));
    const verb = broken.length === 1 ? 'is' : 'are';
    throw new DamagedState([`${kind} ${listNames(keys, NAMES_MAX)} ${verb} not what was written`]);
  }
  return values;
}

/** How many keys a message names. */
const NAMES_MAX = 10;
