import { isJsonObject, type Json, type JsonObject } from '../json/json';
import { DamagedState } from './damage';
import type { StateDirectory } from './directory';
import type { ValueKind } from './persistent-values';

/**
 * Every item of a kind, in the order of the keys. `read` returns undefined for a value that it does not recognize.
 *
 * @throws DamagedState for a value that `read` does not recognize
 */
export async function loadItems<Item>(
  directory: Pick<StateDirectory, 'load'>,
  kind: ValueKind,
  read: (value: JsonObject, key: string) => Item | undefined,
): Promise<Item[]> {
  return (await directory.load(kind)).map(([key, value]) => {
    const item = isJsonObject(value as Json) ? read(value as JsonObject, key) : undefined;
    if (item === undefined) {
      throw new DamagedState([`${kind} ${JSON.stringify(key)} is not what was written`]);
    }
    return item;
  });
}

/** Checks that the owner of each item is there, such as the queue of a message. @throws DamagedState for a lost one */
export function requireOwners(
  kinds: { readonly owner: ValueKind; readonly items: string },
  owners: readonly string[],
  ownersOfItems: readonly string[],
): void {
  const known = new Set(owners);
  const lost = ownersOfItems.find(owner => !known.has(owner));
  if (lost === undefined) return;
  throw new DamagedState([`the ${kinds.owner} ${lost} is lost, of which there are ${kinds.items}`]);
}
