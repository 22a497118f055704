import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ActionItem, ChosenKey } from '../../actions';
import type { KeyHealth, KeyRow, KeysView, PlaceView } from '../../views';
import { TOKEN } from '../act';
import { encoded, type KeysFilter, labelOf } from '../address';
import { Link } from '../link';
import { useLive } from '../live';
import { go } from '../router';
import { cutInTheMiddle, duration, visible } from '../text';
import { Actions, choose } from './actions';
import { Notice, NotRead, progressOf } from './notice';
import { Costs, Overview } from './overview';
import { type Column, Rows } from './rows';
import { KEY_HEALTHS } from './status';

const KEY: Column = ['key', 5];
const WORKFLOW: Column = ['workflow', 2.5];
const COLUMNS: readonly Column[] = [
  ['state', 2.9],
  ['status', 2],
  ['since', 2],
  ['attempt', 1.6],
  ['owner', 3.5],
  ['error', 3.8],
];

/** What fits into the column. */
const OWNER_MAX = 32;
/** So many keys are chosen at most. */
const CHOSEN_MAX = 500;

/** The keys of a workflow, or of all workflows in one list: those that need a person first. */
export function KeysPage(props: {
  readonly workflow: string | undefined;
  readonly filter: KeysFilter;
  readonly place: PlaceView | undefined;
}) {
  const { workflow, filter, place } = props;
  const range = new URLSearchParams(
    Object.entries({ since: filter.since, until: filter.until }).filter(([, text]) => text !== ''),
  ).toString();
  const pathOf = (what: 'keys' | 'cost') =>
    `${workflow === undefined ? '' : `/workflows/${encoded(workflow)}`}/${what}${range && `?${range}`}`;
  const { view, problem } = useLive<KeysView>(pathOf('keys'));
  const [first] = view?.workflows ?? [];
  const own = workflow === undefined ? undefined : first?.workflow;
  const labels = (name: string) => labelOf(name, place?.workflows ?? []);
  return (
    <>
      <h1>{workflow === undefined ? 'All workflows' : `Keys of ${own?.scope ?? workflow}`}</h1>
      {own && (
        <p class="crumbs">
          State machine {own.name}, table {own.table}
        </p>
      )}
      {view && <Overview view={view} filter={filter} labels={labels} isOne={workflow !== undefined} />}
      {view && <Costs path={pathOf('cost')} hasSince={filter.since !== ''} labels={labels} />}
      <Filter workflow={workflow} filter={filter} rows={view?.rows ?? []} />
      {problem && <NotRead problem={problem} isOlder={view !== undefined} />}
      {view === undefined && problem === undefined && (
        <Notice kind="wait">{workflow === undefined ? 'Reading the tables …' : 'Reading the table …'}</Notice>
      )}
      {view && <Keys view={view} workflow={workflow} filter={filter} labels={labels} />}
    </>
  );
}

function Keys(props: {
  readonly view: KeysView;
  readonly workflow: string | undefined;
  readonly filter: KeysFilter;
  readonly labels: (name: string) => string;
}) {
  const { view, workflow, filter, labels } = props;
  const chosen = useSignal<ReadonlyMap<string, ChosenKey>>(new Map());
  const { rows, reading, now } = view;
  const shown = filtered(rows, filter);
  const whole = reading ? `Reading the table: ${progressOf(reading)} items …` : readSoFar(view);
  const columns = [
    ...(TOKEN ? [CHOICE] : []),
    KEY,
    ...(workflow === undefined ? [WORKFLOW] : []),
    ...COLUMNS,
  ];
  const toggle = (row: KeyRow) => {
    const others = new Map(chosen.value);
    if (!others.delete(idOf(row)) && others.size < CHOSEN_MAX) others.set(idOf(row), keyOf(row));
    chosen.value = others;
  };
  return (
    <>
      <Actions of={view.actions} label="Actions" isWithin />
      {TOKEN && <Chosen of={chosen.value} shown={shown} change={keys => (chosen.value = keys)} />}
      <p class="count" role="status">
        {countsOf(rows, shown)} {whole}
      </p>
      {rows.length === 0 && !reading ? (
        <Notice kind="empty">
          No key {filter.since + filter.until === '' ? 'yet' : 'in this time'}. Send an event, or start the
          workflow: <code>onceflow start KEY --input …</code>
        </Notice>
      ) : (
        <Rows
          label="Keys"
          columns={columns}
          count={shown.length}
          row={index => {
            const row = shown[index];
            if (row === undefined) return [];
            const isChosen = chosen.value.has(idOf(row));
            const cells = cellsOf(row, now);
            const named =
              workflow === undefined ? [cells[0], labels(row.workflow), ...cells.slice(1)] : cells;
            return TOKEN ? [<Choice of={row} isChosen={isChosen} toggle={toggle} />, ...named] : named;
          }}
        />
      )}
    </>
  );
}

const CHOICE: Column = ['choose', 0.7];

function Choice(props: {
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

/** What may be done with the keys that are chosen. Nothing is done before a dialog has said what. */
function Chosen(props: {
  readonly of: ReadonlyMap<string, ChosenKey>;
  readonly shown: readonly KeyRow[];
  readonly change: (keys: ReadonlyMap<string, ChosenKey>) => void;
}) {
  const { of, shown, change } = props;
  const all = shown.slice(0, CHOSEN_MAX);
  if (all.length === 0 && of.size === 0) return null;
  return (
    <p class="chosen">
      {of.size > 0 && (
        <>
          <button type="button" aria-haspopup="dialog" onClick={() => choose(redelivering([...of.values()]))}>
            Deliver again ({of.size}) …
          </button>
          <button type="button" class="link" onClick={() => change(new Map())}>
            Choose none
          </button>
        </>
      )}
      <button
        type="button"
        class="link"
        onClick={() => change(new Map(all.map(row => [idOf(row), keyOf(row)])))}
      >
        Choose {all.length === shown.length ? `all ${all.length}` : `the first ${all.length}`} shown
      </button>
    </p>
  );
}

function redelivering(keys: readonly ChosenKey[]): ActionItem {
  return {
    title: keys.length === 1 ? 'Deliver 1 key again' : `Deliver ${keys.length} keys again`,
    writes: [
      'redrives owners that can resume, and redelivers the input of other keys that failed or were never claimed',
      'leaves finished, running and held keys alone',
    ],
    dangers: [],
    refusedIf: [],
    refusal: null,
    fields: [],
    request: { action: 'redeliver', keys, isPlan: false },
  };
}

/** `1 of 3 keys, 2 rejected.` */
function countsOf(rows: readonly KeyRow[], shown: readonly KeyRow[]): string {
  const refusedIn = (some: readonly KeyRow[]) => some.filter(({ health }) => health === 'refused').length;
  const ofAll = (some: number, all: number) => (some === all ? `${all}` : `${some} of ${all}`);
  const [refused, shownRefused] = [refusedIn(rows), refusedIn(shown)];
  const keys = rows.length - refused;
  const named = `${ofAll(shown.length - shownRefused, keys)} ${keys === 1 ? 'key' : 'keys'}`;
  return `${named}${refused === 0 ? '' : `, ${ofAll(shownRefused, refused)} rejected`}.`;
}

function readSoFar({ workflows }: KeysView): string {
  const isAll = workflows.length > 1 && workflows.every(({ isWhole, others }) => isWhole && others === 0);
  if (isAll) return 'All tables were read completely.';
  const sentences = workflows.map(({ workflow, read, isWhole, others }) => {
    const name = workflows.length === 1 ? '' : ` of ${workflow.scope}`;
    const left = others === 0 ? '' : ` ${itemsOf(others)} of this scope are not records and are left out.`;
    return isWhole
      ? `The whole table${name} was read, ${itemsOf(read)}.${left}`
      : `After ${itemsOf(read)} the table${name} has more: find a key by its name above, or list more with "onceflow list --read-at-most".${left}`;
  });
  return sentences.join(' ');
}

function cellsOf(row: KeyRow, now: number) {
  const [sign, tone, words] = KEY_HEALTHS[row.health];
  const { workflow, key, executionArn } = row;
  const owner = cutInTheMiddle(row.owner, OWNER_MAX);
  return [
    key === '' && executionArn !== null ? (
      <Link to={{ view: 'execution', executionArn }}>no usable key</Link>
    ) : (
      <Link to={{ view: 'key', workflow, key }} title={visible(key)}>
        {visible(key)}
      </Link>
    ),
    <span class={`status ${tone}`}>
      <span aria-hidden="true">{sign}</span> {words}
    </span>,
    row.status,
    row.since === null ? '?' : duration(now - row.since),
    row.attempt === 0 ? '' : row.attempt,
    executionArn === null ? (
      <span title={row.owner}>{owner}</span>
    ) : (
      <Link to={{ view: 'execution', executionArn }} title={row.owner}>
        {owner}
      </Link>
    ),
    <span title={row.error}>{row.error}</span>,
  ];
}

function idOf({ workflow, key, executionArn }: KeyRow): string {
  return `${workflow} ${executionArn ?? ''} ${key}`;
}

function keyOf({ workflow, key, executionArn }: KeyRow): ChosenKey {
  return { workflow, key, executionArn };
}

/** Those of a health and an error that have the text in their key, owner or error; the very key first. */
function filtered(rows: readonly KeyRow[], { search, health, error }: KeysFilter): readonly KeyRow[] {
  const wanted = search.trim().toLowerCase();
  const found = rows.filter(row => {
    if (health !== '' && row.health !== health) return false;
    if (error !== '' && row.error !== error) return false;
    return wanted === '' || [row.key, row.owner, row.error].some(text => text.toLowerCase().includes(wanted));
  });
  const isExact = ({ key }: KeyRow) => key.toLowerCase() === wanted;
  return wanted === '' ? found : [...found.filter(isExact), ...found.filter(row => !isExact(row))];
}

function Filter({
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

function itemsOf(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
