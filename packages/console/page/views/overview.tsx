import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { CostView, KeyHealth, KeysView, TallyItem, WorkflowState } from '../../views';
import type { KeysFilter, Route } from '../address';
import { Link } from '../link';
import { useLive } from '../live';
import { duration, moment } from '../text';
import { Notice, NotRead } from './notice';
import { KEY_HEALTHS } from './status';

const COLUMNS: readonly KeyHealth[] = ['held', 'overdue', 'failed', 'rejected', 'inProgress'];

interface OverviewProps {
  readonly view: KeysView;
  readonly filter: KeysFilter;
  /** What a workflow is called. */
  readonly labels: (name: string) => string;
  /** Whether it is about one workflow. */
  readonly isOne: boolean;
}

/** How each workflow stands, and what has failed by error and by hour. Each number leads to what it counts. */
export function Overview({ view, filter, labels, isOne }: OverviewProps) {
  const { workflows, deadLetters, now } = view;
  const others = (deadLetters ?? []).filter(({ workflow }) => workflow === null || isOne);
  return (
    <section aria-label="Overview" class="overview">
      {workflows.length > 0 && <WorkflowTable view={view} filter={filter} labels={labels} />}
      {others.length > 0 && (
        <p>
          {isOne ? 'Dead letters: ' : 'Dead letters that name no workflow: '}
          {others.map(({ queue, count, oldest }, index) => (
            <>
              {index > 0 && ', '}
              <Link key={queue} to={{ view: 'queue', queue }}>
                {count} in {queue}
              </Link>
              {oldest !== null && ` (${duration(now - oldest)})`}
            </>
          ))}
        </p>
      )}
      {workflows.map(
        ({ workflow, rejectedUnknown }) =>
          rejectedUnknown !== null && (
            <p key={workflow.name} class="searched">
              The rejected deliveries of {labels(workflow.name)} are unknown: {rejectedUnknown}.
            </p>
          ),
      )}
      {workflows.some(({ workflow }) => workflow.type !== 'EXPRESS') && (
        <p class="searched">
          Duplicates that an execution name stopped are unknown here, because they start nothing. The metric
          of <code>metricStoppedByName()</code> counts them.
        </p>
      )}
      {view.byError.length > 0 && (
        <div class="tallies">
          <Tally
            title="By error"
            of={view.byError}
            to={({ name }) => ({ ...filter, health: '', error: name })}
            {...{ view, isOne }}
          />
          <Tally
            title="By hour (UTC)"
            of={view.byHour}
            to={row => ({ ...filter, ...hourOf(row) })}
            {...{ view, isOne }}
          />
        </div>
      )}
    </section>
  );
}

function WorkflowTable({ view, filter, labels }: Pick<OverviewProps, 'view' | 'filter' | 'labels'>) {
  return (
    <table aria-label="Workflows" class="counts">
      <thead>
        <tr>
          <th scope="col">workflow</th>
          {COLUMNS.map(health => (
            <th key={health} scope="col">
              {KEY_HEALTHS[health][2]}
            </th>
          ))}
          <th scope="col">given up</th>
          <th scope="col">completed today</th>
          <th scope="col">dead letters</th>
        </tr>
      </thead>
      <tbody>
        {view.workflows.map(state => (
          <Row
            key={state.workflow.name}
            of={state}
            view={view}
            filter={filter}
            label={labels(state.workflow.name)}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row(props: {
  readonly of: WorkflowState;
  readonly view: KeysView;
  readonly filter: KeysFilter;
  readonly label: string;
}) {
  const { of, view, filter, label } = props;
  const { workflow, counts, givenUp, completedToday, rejectedUnknown } = of;
  const dead = (view.deadLetters ?? []).filter(letters => letters.workflow === workflow.name);
  const to = (health: string, error = ''): Route => {
    return { view: 'keys', workflow: workflow.name, filter: { ...filter, health, error } };
  };
  const sum = dead.reduce((total, { count }) => total + count, 0);
  const [queue] = dead;
  const oldest = Math.min(...dead.flatMap(letters => letters.oldest ?? []));
  return (
    <tr>
      <th scope="row">
        <Link to={to('')}>{label}</Link>
      </th>
      {COLUMNS.map(health => {
        const { count = 0, oldest: since = null } = counts[health] ?? {};
        const isUnknown = health === 'rejected' && rejectedUnknown !== null;
        return (
          <Cell key={health} label={KEY_HEALTHS[health][2]} count={isUnknown ? null : count}>
            <Link to={to(health)} class={KEY_HEALTHS[health][1]}>
              {count}
            </Link>
            {since !== null && <span class="age"> {duration(view.now - since)}</span>}
          </Cell>
        );
      })}
      <Cell label="given up" count={givenUp}>
        <Link to={to('held')} class="bad">
          {givenUp}
        </Link>
      </Cell>
      <Cell label="completed today" count={completedToday}>
        <Link to={to('completed')}>{completedToday}</Link>
      </Cell>
      <Cell label="dead letters" count={view.deadLetters === null ? null : sum}>
        {queue && (
          <Link
            to={dead.length === 1 ? { view: 'queue', queue: queue.queue } : { view: 'deliveries' }}
            class="bad"
          >
            {sum}
          </Link>
        )}
        {Number.isFinite(oldest) && <span class="age"> {duration(view.now - oldest)}</span>}
      </Cell>
    </tr>
  );
}

/** A number and what belongs to it; null is not known. */
function Cell(props: {
  readonly label: string;
  readonly count: number | null;
  readonly children: ComponentChildren;
}) {
  const { label, count, children } = props;
  return (
    <td data-label={label} class={count === 0 ? 'none' : ''}>
      {count === null ? '?' : count === 0 ? 0 : children}
    </td>
  );
}

/** Counts, each as a bar as long as its share of the largest. */
function Tally(props: {
  readonly title: string;
  readonly of: readonly TallyItem[];
  readonly view: KeysView;
  readonly isOne: boolean;
  readonly to: (row: TallyItem) => KeysFilter;
}) {
  const { title, of, view, isOne, to } = props;
  const [only] = view.workflows;
  const workflow = isOne && only ? { workflow: only.workflow.name } : {};
  const most = Math.max(...of.map(({ records, deliveries }) => records + deliveries));
  return (
    <table aria-label={title} class="tally">
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">records</th>
          <th scope="col">rejected</th>
          <th scope="col">last</th>
        </tr>
      </thead>
      <tbody>
        {of.map(row => (
          <tr key={row.name}>
            <td>
              <Link to={{ view: 'keys', ...workflow, filter: to(row) }}>{row.name}</Link>
              <span class="share" style={{ width: `${(100 * (row.records + row.deliveries)) / most}%` }} />
            </td>
            <td>{row.records}</td>
            <td>{row.deliveries}</td>
            <td title={row.newest === null ? '' : moment(row.newest)}>
              {row.newest === null ? '?' : duration(view.now - row.newest)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function hourOf({ name }: TallyItem): Partial<KeysFilter> {
  const at = Date.parse(name.replace(' ', 'T'));
  if (Number.isNaN(at)) return {};
  const timeOf = (time: number) => new Date(time).toISOString().slice(0, 19).concat('Z');
  return { since: timeOf(at), until: timeOf(at + 3_599_000) };
}

interface CostsProps {
  /** The address of the view. */
  readonly path: string;
  /** Whether a time is chosen, in place of the last day. */
  readonly hasSince: boolean;
  /** What a workflow is called. */
  readonly labels: (name: string) => string;
}

/** What executions of this time have cost, which is read once somebody asks: it takes many histories. */
export function Costs({ path, hasSince, labels }: CostsProps) {
  const isOpen = useSignal(false);
  return (
    <details class="costs" onToggle={event => (isOpen.value = event.currentTarget.open)}>
      <summary>Cost of {hasSince ? 'this time' : 'the last day'}</summary>
      {isOpen.value && <ReadCosts path={path} labels={labels} />}
    </details>
  );
}

function ReadCosts({ path, labels }: Pick<CostsProps, 'path' | 'labels'>) {
  const { view, problem } = useLive<CostView>(path);
  return (
    <>
      {problem && <NotRead problem={problem} isOlder={view !== undefined} />}
      {view === undefined && problem === undefined && <Notice kind="wait">Reading histories …</Notice>}
      {view?.costs.map(({ workflow, words }) => (
        <p key={workflow} class="searched">
          {labels(workflow)}: {words}.
        </p>
      ))}
    </>
  );
}
