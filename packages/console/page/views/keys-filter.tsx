import type { KeyHealth, KeyRow } from '../../views';
import type { KeysFilter } from '../address';
import { ATTENTION, NEEDS_A_PERSON } from '../filter';
import { go } from '../router';
import { counted } from '../tally';
import { KEY_HEALTHS } from './status';

/** Which keys are listed: a chip for each state that there is, and the time. */
export function KeysFilterForm(props: {
  readonly workflow: string | undefined;
  readonly filter: KeysFilter;
  readonly rows: readonly KeyRow[];
}) {
  const { workflow, filter, rows } = props;
  const to = (changed: Partial<KeysFilter>, isSame: boolean) =>
    go({ view: 'keys', workflow, filter: { ...filter, ...changed } }, { isSame });
  const counts = counted(rows, ({ health }) => health);
  const sum = (healths: readonly KeyHealth[]) =>
    healths.reduce((total, health) => total + (counts.get(health)?.count ?? 0), 0);
  const healths = Object.keys(KEY_HEALTHS) as KeyHealth[];
  const chips = [
    ['', 'All', sum(healths)],
    [NEEDS_A_PERSON, 'Attention', sum(ATTENTION)],
    ...healths.map(health => [health, wordsOf(health), sum([health])] as const),
  ] as const;
  return (
    <fieldset class="chips" aria-label="Filter">
      {chips
        .filter(([health, , count]) => count > 0 || health === filter.health)
        .map(([health, words, count]) => (
          <button
            key={health}
            type="button"
            aria-pressed={filter.health === health}
            onClick={() => to(health === '' ? { search: '', health, error: '' } : { health }, false)}
          >
            {words} <strong>{count}</strong>
          </button>
        ))}
      {filter.error !== '' && (
        <button type="button" aria-pressed="true" onClick={() => to({ error: '' }, true)}>
          {filter.error} <span aria-hidden="true">✕</span>
          <span class="visually-hidden">: show all errors</span>
        </button>
      )}
      <Time name="since" words="Since" filter={filter} change={changed => to(changed, true)} />
      <Time name="until" words="Until" filter={filter} change={changed => to(changed, true)} />
    </fieldset>
  );
}

function wordsOf(health: KeyHealth): string {
  const { words } = KEY_HEALTHS[health];
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
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
    <label class={name === 'since' ? 'end' : ''}>
      {words}{' '}
      <input
        type="text"
        list="times"
        // A list that is read again must not take away what the user types.
        key={filter[name]}
        defaultValue={filter[name]}
        placeholder={name === 'since' ? '1h, or a time' : 'now'}
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
