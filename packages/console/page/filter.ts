import type { KeyHealth, KeyRow } from '../views';
import type { KeysFilter } from './address';

/** Those that need a person. */
export const ATTENTION: readonly KeyHealth[] = ['held', 'overdue', 'failed'];

/** The chip of all keys that need a person. */
export const NEEDS_A_PERSON = 'attention';

/** The rows of a health and an error with the text in their key, owner or error; the row with exactly this key first. */
export function filtered(rows: readonly KeyRow[], { search, health, error }: KeysFilter): readonly KeyRow[] {
  const wanted = search.trim().toLowerCase();
  const found = rows.filter(row => {
    if (health === NEEDS_A_PERSON ? !ATTENTION.includes(row.health) : health !== '' && row.health !== health)
      return false;
    if (error !== '' && row.error !== error) return false;
    return wanted === '' || [row.key, row.owner, row.error].some(text => text.toLowerCase().includes(wanted));
  });
  const isExact = ({ key }: KeyRow) => key.toLowerCase() === wanted;
  return wanted === '' ? found : [...found.filter(isExact), ...found.filter(row => !isExact(row))];
}

/** Whether only some rows are asked for, of any time. */
export function isNarrowed({ search, health, error }: KeysFilter): boolean {
  return search + health + error !== '';
}
