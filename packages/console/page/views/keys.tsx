import { useSignal } from '@preact/signals';
import type { ChosenKey } from '../../actions';
import type { KeyRow, KeysView, PlaceView } from '../../views';
import { TOKEN } from '../act';
import { encoded, type KeysFilter, labelOf } from '../address';
import { Link } from '../link';
import { useLive } from '../live';
import { cutInTheMiddle, duration, visible } from '../text';
import { Actions } from './actions';
import { CHOICE, CHOSEN_MAX, Choice, ChosenKeys, idOf, keyOf } from './chosen-keys';
import { filtered, KeysFilterForm } from './keys-filter';
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
      <KeysFilterForm workflow={workflow} filter={filter} rows={view?.rows ?? []} />
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
      {TOKEN && <ChosenKeys of={chosen.value} shown={shown} change={keys => (chosen.value = keys)} />}
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

/** `1 of 3 keys, 2 rejected.` */
function countsOf(rows: readonly KeyRow[], shown: readonly KeyRow[]): string {
  const rejectedIn = (some: readonly KeyRow[]) => some.filter(({ health }) => health === 'rejected').length;
  const ofAll = (some: number, all: number) => (some === all ? `${all}` : `${some} of ${all}`);
  const [rejected, shownRejected] = [rejectedIn(rows), rejectedIn(shown)];
  const keys = rows.length - rejected;
  const named = `${ofAll(shown.length - shownRejected, keys)} ${keys === 1 ? 'key' : 'keys'}`;
  return `${named}${rejected === 0 ? '' : `, ${ofAll(shownRejected, rejected)} rejected`}.`;
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

function itemsOf(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
