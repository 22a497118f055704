import { useSignal } from '@preact/signals';
import type { KeyRow, KeysView, Standing } from '../../views';
import { encoded, type KeysFilter } from '../address';
import { Link } from '../link';
import { useLive } from '../live';
import { go } from '../router';
import { cutInTheMiddle, duration, visible } from '../text';
import { Actions } from './actions';
import { Notice, NotRead, progressOf } from './notice';
import { Rows } from './rows';
import { STANDINGS } from './status';

const COLUMNS = [
  ['key', 5],
  ['how it stands', 2],
  ['status', 2],
  ['since', 2],
  ['attempt', 1.7],
  ['owner', 5],
  ['error', 3],
] as const;

/** What fits into the column. */
const OWNER_MAX = 32;

/** The keys of a workflow, those that need a person first. */
export function KeysPage({ workflow, filter }: { readonly workflow: string; readonly filter: KeysFilter }) {
  const { view, problem } = useLive<KeysView>(`/workflows/${encoded(workflow)}/keys`);
  return (
    <>
      <h1>Keys of {view?.workflow.scope ?? workflow}</h1>
      {view && (
        <p class="crumbs">
          State machine {view.workflow.name}, table {view.workflow.table}
        </p>
      )}
      <Filter workflow={workflow} filter={filter} rows={view?.rows ?? []} />
      {problem && <NotRead problem={problem} isOlder={view !== undefined} />}
      {view === undefined && problem === undefined && <Notice kind="wait">Reading the table …</Notice>}
      {view && <Keys view={view} workflow={workflow} filter={filter} />}
    </>
  );
}

function Keys({
  view,
  workflow,
  filter,
}: {
  readonly view: KeysView;
  readonly workflow: string;
  readonly filter: KeysFilter;
}) {
  const { rows, read, isWhole, others, reading, now } = view;
  const shown = filtered(rows, filter);
  const keys = rows.length === 1 ? '1 key.' : `${rows.length} keys.`;
  const left = others === 0 ? '' : ` ${itemsOf(others)} of this scope without what a record has: left out.`;
  const whole = reading
    ? `Reading the table: ${progressOf(reading)} items …`
    : isWhole
      ? `The whole table was read, ${itemsOf(read)}.`
      : `After ${itemsOf(read)} the table goes on: look for one key by its name above, or list more with "onceflow list --read-at-most".`;
  return (
    <>
      <Actions of={view.actions} label="What may be done" isWithin />
      <p class="count" role="status">
        {shown.length === rows.length ? keys : `${shown.length} of ${keys}`} {whole}
        {left}
      </p>
      {rows.length === 0 ? (
        <Notice kind="empty">
          No key yet. Send an event, or start the workflow: <code>onceflow start KEY --input …</code>
        </Notice>
      ) : (
        <Rows
          label="Keys"
          columns={COLUMNS}
          count={shown.length}
          row={index => cellsOf(shown[index], workflow, now)}
        />
      )}
    </>
  );
}

function cellsOf(row: KeyRow | undefined, workflow: string, now: number) {
  if (row === undefined) return [];
  const [sign, tone, words] = STANDINGS[row.standing];
  return [
    <Link to={{ view: 'key', workflow, key: row.key }} title={visible(row.key)}>
      {visible(row.key)}
    </Link>,
    <span class={`status ${tone}`}>
      <span aria-hidden="true">{sign}</span> {words}
    </span>,
    row.status,
    row.since === null ? '?' : duration(now - row.since),
    row.attempt,
    <span title={row.owner}>{cutInTheMiddle(row.owner, OWNER_MAX)}</span>,
    row.error,
  ];
}

/** Those of a standing that have the text in their key, their owner or their error. */
function filtered(rows: readonly KeyRow[], { search, standing }: KeysFilter): readonly KeyRow[] {
  const wanted = search.trim().toLowerCase();
  return rows.filter(row => {
    if (standing !== '' && row.standing !== standing) return false;
    return wanted === '' || [row.key, row.owner, row.error].some(text => text.toLowerCase().includes(wanted));
  });
}

function Filter({
  workflow,
  filter,
  rows,
}: {
  readonly workflow: string;
  readonly filter: KeysFilter;
  readonly rows: readonly KeyRow[];
}) {
  const search = useSignal(filter.search);
  const change = (changed: Partial<KeysFilter>) => {
    go({ view: 'keys', workflow, filter: { ...filter, ...changed } }, { isSame: true });
  };
  const open = (event: Event) => {
    event.preventDefault();
    const key = search.value.trim();
    // What is part of a row, such as an error, is no key of its own.
    const isKey =
      rows.some(row => row.key === key) || filtered(rows, { ...filter, standing: '' }).length === 0;
    if (key !== '' && isKey) go({ view: 'key', workflow, key });
  };
  return (
    <search>
      <form class="filter" onSubmit={open}>
        <label>
          Search{' '}
          <input
            type="search"
            value={search.value}
            placeholder="key, owner or error; Enter opens the key"
            onInput={({ currentTarget }) => {
              search.value = currentTarget.value;
              change({ search: currentTarget.value });
            }}
          />
        </label>
        <label>
          How it stands{' '}
          <select
            value={filter.standing}
            onChange={({ currentTarget }) => change({ standing: currentTarget.value })}
          >
            <option value="">all</option>
            {(Object.keys(STANDINGS) as Standing[]).map(standing => (
              <option key={standing} value={standing}>
                {STANDINGS[standing][2]} ({rows.filter(row => row.standing === standing).length})
              </option>
            ))}
          </select>
        </label>
      </form>
    </search>
  );
}

function itemsOf(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
