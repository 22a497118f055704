import { isJsonObject, type Json } from '../json/json';
import type { Item } from '../services/dynamodb/table/attribute-value';
import { type KeySchema, keyTextOf, keyTextOfItem } from '../services/dynamodb/table/key';
import { operationOf } from './kernel/index';
import type { ModelState, Reads } from './state';

/**
 * An invariant of any workflow. `ends`: every execution can end. `locks`: when none runs, no item is left as no run
 * without a fault leaves it. `puts`: no write destroys what another execution has written since the item was read.
 *
 * @example
 * const { violation } = explore({ definition, inputs, tables, always: ['ends', 'locks', 'puts'] });
 */
export type BuiltInInvariant = 'ends' | 'locks' | 'puts';

export const BUILT_IN: readonly BuiltInInvariant[] = ['ends', 'locks', 'puts'];

/** Whether nothing runs that could still give a lock back. */
export function isQuiet({ executions }: ModelState): boolean {
  return executions.every(({ execution }) => execution.status !== 'RUNNING');
}

/**
 * The fault of the tables when nothing runs, by those that runs without a fault leave. A value that is the same
 * after all of them must be so here, and an item or an attribute that none leaves must not be here.
 */
export function leftIn(state: ModelState, rests: readonly ModelState['tables'][]): string | undefined {
  if (!isQuiet(state)) return undefined;
  for (const [name, { items }] of state.tables) {
    for (const [key, item] of items) {
      const usual = rests.flatMap(tables => {
        const same = tables.get(name)?.items.get(key);
        return same ? [same] : [];
      });
      const what = usual.length === 0 ? 'is left' : unusualIn(item, usual);
      if (what === undefined) continue;
      const left = `the item ${JSON.stringify(item)} of the table ${name} ${what}`;
      return `no execution runs, and ${left}, unlike after a run without a fault`;
    }
  }
  return undefined;
}

function unusualIn(item: Item, usual: readonly Item[]): string | undefined {
  for (const [name, value] of Object.entries(item)) {
    const values = new Set(usual.flatMap(other => (other[name] ? [JSON.stringify(other[name])] : [])));
    if (values.size === 0) return `has ${name}`;
    const [only] = values;
    if (values.size === 1 && only !== JSON.stringify(value))
      return `has ${name} as ${JSON.stringify(value)} instead of ${only}`;
  }
  return undefined;
}

/** A request of a table. */
export interface Access {
  readonly execution: number;
  readonly stateName: string;
  readonly resource: string;
  readonly arguments: Json;
  readonly table: string;
}

/** The state with what a request has read, and with what it has destroyed of the writes of others. */
export function afterAccess(before: ModelState, after: ModelState, access: Access): ModelState {
  const [old, made] = [before, after].map(({ tables }) => tables.get(access.table));
  const key = old && keyOf(access, old.schema);
  if (!old || !made || key === undefined) return after;
  const place = `${access.execution} ${access.table} ${key}`;
  const reads: Reads = before.reads ?? new Map();
  const [from, to] = [old.items.get(key), made.items.get(key)];
  const isLost =
    from !== to && reads.has(place) && isBlind(access.arguments) && destroys(reads.get(place), from, to);
  const lost =
    `"${access.stateName}" of execution ${access.execution} overwrites what another execution has written since it ` +
    `read the item: ${JSON.stringify(from)} becomes ${JSON.stringify(to)}`;
  return { ...after, reads: new Map([...reads, [place, to]]), ...(isLost && { lost }) };
}

function keyOf({ resource, arguments: given }: Access, schema: KeySchema): string {
  const { Item: item, Key: key } = given as { readonly Item?: Item; readonly Key?: Item };
  return operationOf(resource) === 'putItem'
    ? keyTextOfItem(schema, item ?? {})
    : keyTextOf(schema, key ?? {});
}

/** Whether a write neither has a condition nor goes by what the item has: `a = a + :one`, `ADD`. */
function isBlind(given: Json): boolean {
  const { ConditionExpression: condition, UpdateExpression: update = '' } = isJsonObject(given) ? given : {};
  return (
    condition === undefined && !/[+-]|\b(?:ADD|DELETE|if_not_exists|list_append)\b/i.test(String(update))
  );
}

/** Whether an attribute that was written since the item was read is not there any more. */
function destroys(read: Item | undefined, from: Item | undefined, to: Item | undefined): boolean {
  const names = Object.keys({ ...read, ...from });
  const textOf = (item: Item | undefined, name: string) => JSON.stringify(item?.[name]);
  return names.some(name => ![textOf(read, name), textOf(to, name)].includes(textOf(from, name)));
}
