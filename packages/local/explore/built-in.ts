import type { Item } from '../services/dynamodb/table/attribute-value';
import type { ModelState } from './state';

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
