import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { KeyHealth, KeyRow } from '../../views';
import type { KeysFilter } from '../address';
import { go } from '../router';
import { KEY_HEALTHS } from './status';

/** The rows of a health and an error with the text in their key, owner or error; the row with exactly this key first. */
export function filtered(rows: readonly KeyRow[], { search, health, error }: KeysFilter): readonly KeyRow[] {
  const wanted = search.trim().toLowerCase();
  const found = rows.filter(row => {
    if (health !== '' && row.health !== health) return false;
    if (error !== '' && row.error !== error) return false;
    return wanted === '' || [row.key, row.owner, row.error].some(text => text.toLowerCase().includes(wanted));
  });
  const isExact = ({ key }: KeyRow) => key.toLowerCase() === wanted;
  return wanted === '' ? found : [...found.filter(isExact), ...found.filter(row => !isExact(row))];
}

/** The search field of the keys, with their state and their time. */
export function KeysFilterForm({
  workflow,
  filter,
  rows,
}: {
  readonly workflow: string | undefined;
  readonly filter: KeysFilter;
  readonly rows: readonly KeyRow[];
}) {
  const search = useSignal(filter.search);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyped = (event.target as HTMLElement).closest('input, textarea, select, dialog') !== null;
      if (event.key !== '/' || isTyped || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  const change = (changed: Partial<KeysFilter>) => {
    const to = { ...filter, ...changed };
    go({ view: 'keys', ...(workflow !== undefined && { workflow }), filter: to }, { isSame: true });
  };
  const open = (event: Event) => {
    event.preventDefault();
    const key = search.value.trim();
    const exact = rows.filter(row => row.key === key);
    const found =
      exact.length > 0 ? exact : filtered(rows, { ...filter, search: key, health: '', error: '' });
    const [row] = found;
    // What is part of a row, such as an error, is no key of its own.
    const isKey = exact.length > 0 || found.length === 0;
    const where = exact.length > 0 ? row?.workflow : (workflow ?? rows[0]?.workflow);
    if (key !== '' && isKey && where !== undefined) go({ view: 'key', workflow: where, key });
  };
  return (
    <search>
      <form class="filter" onSubmit={open}>
        <label>
          Search{' '}
          <input
            ref={field}
            type="search"
            value={search.value}
            placeholder="key, owner or error; Enter opens the key"
            aria-keyshortcuts="/"
            onInput={({ currentTarget }) => {
              search.value = currentTarget.value;
              change({ search: currentTarget.value });
            }}
          />
        </label>
        <label>
          State{' '}
          <select
            value={filter.health}
            onChange={({ currentTarget }) => change({ health: currentTarget.value })}
          >
            <option value="">all</option>
            {(Object.keys(KEY_HEALTHS) as KeyHealth[]).map(health => (
              <option key={health} value={health}>
                {KEY_HEALTHS[health][2]} ({rows.filter(row => row.health === health).length})
              </option>
            ))}
          </select>
        </label>
        {/* Without it Enter submits no form of several fields. */}
        <button type="submit" class="visually-hidden" tabIndex={-1}>
          Open the key
        </button>
        <Time name="since" words="Since" filter={filter} change={change} />
        <Time name="until" words="Until" filter={filter} change={change} />
        {filter.error !== '' && (
          <button type="button" onClick={() => change({ error: '' })}>
            Error {filter.error} <span aria-hidden="true">✕</span>
            <span class="visually-hidden">: show all errors</span>
          </button>
        )}
      </form>
    </search>
  );
}

/** An end of the time range, as the command line takes it. */
function Time(props: {
  readonly name: 'since' | 'until';
  readonly words: string;
  readonly filter: KeysFilter;
  readonly change: (changed: Partial<KeysFilter>) => void;
}) {
  const { name, words, filter, change } = props;
  return (
    <label>
      {words}{' '}
      <input
        type="text"
        class="time"
        list="times"
        value={filter[name]}
        placeholder={name === 'since' ? '1h, 7d, or a time' : 'now'}
        title="An age such as 15m, 1h or 7d, or a time in UTC such as 2026-11-20T09:00Z"
        onChange={({ currentTarget }) => change({ [name]: currentTarget.value.trim() })}
      />
      {name === 'since' && (
        <datalist id="times">
          {['15m', '1h', '8h', '1d', '7d'].map(time => (
            <option key={time} value={time} />
          ))}
        </datalist>
      )}
    </label>
  );
}
