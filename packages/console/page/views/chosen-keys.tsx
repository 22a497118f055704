import type { ActionItem, ChosenKey } from '../../actions';
import type { KeyRow } from '../../views';
import { visible } from '../text';
import { choose } from './actions';
import type { Column } from './rows';

/** How many keys can be chosen at most. */
export const CHOSEN_MAX = 500;

export const CHOICE: Column = ['choose', 0.7];

/** The box that chooses the key of a row. */
export function Choice(props: {
  readonly of: KeyRow;
  readonly isChosen: boolean;
  readonly toggle: (row: KeyRow) => void;
}) {
  const { of, isChosen, toggle } = props;
  return (
    <input
      type="checkbox"
      checked={isChosen}
      aria-label={`Choose ${visible(of.key)}`}
      onChange={() => toggle(of)}
    />
  );
}

/** What can be done with the chosen keys. Nothing is done before a dialog has said what. */
export function ChosenKeys(props: {
  readonly of: ReadonlyMap<string, ChosenKey>;
  readonly shown: readonly KeyRow[];
  readonly change: (keys: ReadonlyMap<string, ChosenKey>) => void;
}) {
  const { of, shown, change } = props;
  const all = shown.slice(0, CHOSEN_MAX);
  if (all.length === 0 && of.size === 0) return null;
  return (
    <>
      {of.size > 0 && (
        <>
          <button
            type="button"
            class="primary"
            aria-haspopup="dialog"
            onClick={() => redeliver([...of.values()])}
          >
            Deliver again ({of.size}) …
          </button>
          <button type="button" class="quiet" onClick={() => change(new Map())}>
            Choose none
          </button>
        </>
      )}
      <button
        type="button"
        class="quiet"
        onClick={() => change(new Map(all.map(row => [idOf(row), keyOf(row)])))}
      >
        Choose {all.length === shown.length ? `all ${all.length}` : `the first ${all.length}`} shown
      </button>
    </>
  );
}

/** Opens the dialog that delivers these keys again. */
export function redeliver(rows: readonly ChosenKey[]): void {
  choose(redelivering(rows.map(keyOf)));
}

function redelivering(keys: readonly ChosenKey[]): ActionItem {
  return {
    title: keys.length === 1 ? 'Deliver 1 key again' : `Deliver ${keys.length} keys again`,
    rank: 'usual',
    writes: [
      'redrives owners that can resume, and redelivers the input of other keys that failed or were never claimed',
      'leaves finished, running and held keys alone',
    ],
    dangers: [],
    rejectedIf: [],
    rejection: null,
    fields: [],
    request: { action: 'redeliver', keys, isPlan: false },
  };
}

/** A text that identifies a row. */
export function idOf({ workflow, key, executionArn }: KeyRow): string {
  return `${workflow} ${executionArn ?? ''} ${key}`;
}

/** The key of a row, as an action takes it. */
export function keyOf({ workflow, key, executionArn }: ChosenKey): ChosenKey {
  return { workflow, key, executionArn };
}
