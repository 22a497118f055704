import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ChosenKey } from '../../actions';
import type { ConnectionView, KeyRow, KeysView } from '../../views';
import { TOKEN } from '../act';
import { encoded, type KeysFilter, labelOf } from '../address';
import { filtered, isNarrowed } from '../filter';
import { Link } from '../link';
import { useLive } from '../live';
import { visible } from '../text';
import { Actions } from './actions';
import { Chart } from './chart';
import { CHOICE, CHOSEN_MAX, Choice, ChosenKeys, idOf, keyOf } from './chosen-keys';
import { DuplicatesPanel } from './duplicates';
import { KeysFilterForm } from './keys-filter';
import { Notice, progressOf, Unread } from './notice';
import { Attention, Workflows } from './overview';
import { Age } from './parts';
import { type Column, Rows } from './rows';
import { listed } from './search';
import { Health } from './status';

const KEY: Column = ['key', 5];
const WORKFLOW: Column = ['workflow', 2.5];
const COLUMNS: readonly Column[] = [
  ['state', 2],
  ['why', 8],
  ['attempt', 1.2],
  ['age', 1.6],
];

/** The keys of a workflow, or of all workflows: what needs a person before anything else, and a list of all. */
export function KeysPage(props: {
  readonly workflow: string | undefined;
  readonly filter: KeysFilter;
  readonly connection: ConnectionView | undefined;
}) {
  const { workflow, filter, connection } = props;
  const range = new URLSearchParams(
    Object.entries({ since: filter.since, until: filter.until }).filter(([, text]) => text !== ''),
  ).toString();
  const pathOf = (what: 'keys' | 'cost') =>
    `${workflow === undefined ? '' : `/workflows/${encoded(workflow)}`}/${what}${range && `?${range}`}`;
  const live = useLive<KeysView>(pathOf('keys'));
  const { view } = live;
  useEffect(() => {
    listed.value = view?.rows ?? [];
    return () => {
      listed.value = [];
    };
  }, [view]);
  const own = workflow === undefined ? undefined : view?.workflows[0]?.workflow;
  const labels = (name: string) => labelOf(name, connection?.workflows ?? []);
  const shared = { workflow, filter, labels };
  const isWhole = view && !isNarrowed(filter);
  return (
    <>
      <h1 class="visually-hidden">
        {workflow === undefined ? 'All workflows' : `Keys of ${own?.scope ?? workflow}`}
      </h1>
      <Unread of={live}>{workflow === undefined ? 'Reading the tables …' : 'Reading the table …'}</Unread>
      {isWhole && <Attention view={view} {...shared} />}
      {isWhole && view.rows.length > 0 && <Chart view={view} {...shared} costs={pathOf('cost')} />}
      {isWhole && view.workflows.length > 1 && <Workflows view={view} {...shared} />}
      {isWhole && <DuplicatesPanel of={view.duplicates} now={view.now} labels={labels} />}
      {view && <Keys view={view} {...shared} />}
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
  const isAll = !isNarrowed(filter);
  // Those that need a person stand above, oldest first.
  const shown = isAll ? byTime(rows) : filtered(rows, filter);
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
    <section aria-label="Keys" class="panel">
      <KeysFilterForm workflow={workflow} filter={filter} rows={rows} />
      <p class="row">
        <span class="note" role="status">
          {countsOf(rows, shown)} {whole}
        </span>
        {TOKEN && <ChosenKeys of={chosen.value} shown={shown} change={keys => (chosen.value = keys)} />}
        <Actions of={view.actions} label="Actions" />
      </p>
      {rows.length === 0 && !reading ? (
        <Notice kind="empty">
          No key {filter.since + filter.until === '' ? 'yet' : 'in this time'}. Send an event:{' '}
          <code>onceflow send</code>, or <Link to={{ view: 'deliveries' }}>on the page of deliveries</Link>.
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
      <Notes of={view} isOne={workflow !== undefined} labels={labels} />
    </section>
  );
}

/** The newest first. */
function byTime(rows: readonly KeyRow[]): readonly KeyRow[] {
  return rows.toSorted((one, other) => (other.since ?? 0) - (one.since ?? 0));
}

/** The unknown facts, and the place to read them. */
function Notes(props: {
  readonly of: KeysView;
  readonly isOne: boolean;
  readonly labels: (name: string) => string;
}) {
  const { of, isOne, labels } = props;
  return (
    <>
      {of.workflows.map(
        ({ workflow, rejectedUnknown }) =>
          rejectedUnknown !== null && (
            <p key={workflow.name} class="note">
              The rejected deliveries of {labels(workflow.name)} are unknown: {rejectedUnknown}.
            </p>
          ),
      )}
      {of.reading === null &&
        of.duplicates === null &&
        of.workflows.some(({ workflow }) => workflow.type !== 'EXPRESS') && (
          <p class="note">
            Duplicates that started nothing are unknown here: no API lists them. To read their number, run{' '}
            <code>onceflow list --duplicates</code>.
          </p>
        )}
      {isOne &&
        of.workflows.map(({ workflow: { name, table } }) => (
          <p key={name} class="note">
            State machine {name}, table {table}
          </p>
        ))}
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
  const { workflow, key, executionArn, health, since, attempt, why } = row;
  return [
    key === '' && executionArn !== null ? (
      <Link to={{ view: 'execution', executionArn }}>no usable key</Link>
    ) : (
      <Link to={{ view: 'key', workflow, key }} class="key" title={visible(key)}>
        {visible(key)}
      </Link>
    ),
    <Health of={health} />,
    <span class="why" title={why}>
      {why}
    </span>,
    attempt === 0 ? '' : attempt,
    <Age at={since} now={now} />,
  ];
}

function itemsOf(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
