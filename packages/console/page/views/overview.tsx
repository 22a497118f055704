import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { CostView, DeadLetters, HealthView, KeyRow, KeysView } from '../../views';
import { TOKEN } from '../act';
import type { KeysFilter, Route } from '../address';
import { ATTENTION, NEEDS_A_PERSON } from '../filter';
import { Link } from '../link';
import { useLive } from '../live';
import { counted } from '../tally';
import { duration, visible } from '../text';
import { redeliver } from './chosen-keys';
import { showDuplicates } from './duplicates';
import { Unread } from './notice';
import { Age, Copy } from './parts';
import { badgeOf, Health, KEY_HEALTHS } from './status';

/** So many keys that need a person are shown before the list of all. */
const ATTENTION_MAX = 8;

interface OverviewProps {
  readonly view: KeysView;
  readonly filter: KeysFilter;
  /** The workflow that it is about; undefined: all. */
  readonly workflow: string | undefined;
  /** What a workflow is called. */
  readonly labels: (name: string) => string;
}

/** The route of a list of keys. */
type To = (filter: Partial<KeysFilter>, workflow?: string) => Route;

/** The work for an operator, the most urgent first; whether the machinery works. */
export function Attention({ view, filter, workflow, labels }: OverviewProps) {
  const to: To = (changed, of = workflow) => ({
    view: 'keys',
    workflow: of,
    filter: { ...filter, ...changed },
  });
  const rows = view.rows.filter(({ health }) => ATTENTION.includes(health));
  return (
    <>
      <div class="split">
        <Hero view={view} rows={rows} to={to} />
        <Vitals view={view} to={to} />
      </div>
      {rows.length > 0 && <AttentionList rows={rows} to={to} labels={labels} {...{ view, workflow }} />}
    </>
  );
}

function Hero({
  view,
  rows,
  to,
}: {
  readonly view: KeysView;
  readonly rows: readonly KeyRow[];
  readonly to: To;
}) {
  const [first] = rows;
  const counts = counted(rows, ({ health }) => health);
  if (first === undefined) {
    const completed = view.rows.filter(({ health }) => health === 'completed').length;
    return (
      <section aria-label="Attention" class="panel urgent hero good">
        <div>
          <h2>{view.reading ? 'No key needs a person so far' : 'All clear'}</h2>
          <p>
            No key needs a person. {completed} {completed === 1 ? 'key has' : 'keys have'} completed.
          </p>
        </div>
      </section>
    );
  }
  return (
    <section aria-label="Attention" class="panel urgent hero bad">
      <span class="figure">{rows.length}</span>
      <div>
        <h2>{rows.length === 1 ? 'key needs a person' : 'keys need a person'}</h2>
        <p class="row">
          {ATTENTION.filter(health => counts.has(health)).map(health => (
            <Link key={health} to={to({ health })} class={badgeOf(KEY_HEALTHS[health])}>
              {counts.get(health)?.count} {KEY_HEALTHS[health].words}
            </Link>
          ))}
        </p>
      </div>
      <Link to={keyOf(first)} class="button primary">
        Review the first
      </Link>
    </section>
  );
}

/** Whether the machinery works: a line each. */
function Vitals({ view, to }: { readonly view: KeysView; readonly to: To }) {
  const { deadLetters, duplicates, workflows, now, rows } = view;
  const counts = counted(rows, ({ health }) => health);
  const running = counts.get('inProgress');
  const rejected = counts.get('rejected')?.count ?? 0;
  const health = useLive<HealthView>('/health').view?.lines ?? [];
  const bad = health.filter(({ state }) => state === 'bad');
  const isUnknown = workflows.some(({ rejectedUnknown }) => rejectedUnknown !== null);
  return (
    <section aria-label="Machinery" class="panel">
      <dl class="vitals">
        <DeadLetterLine of={deadLetters} now={now} />
        <Line name="In progress" tone={running === undefined ? 'none' : 'run'}>
          <Link to={to({ health: 'inProgress' })}>{running?.count ?? 0}</Link>
          {running?.oldest && ` · oldest ${duration(now - running.oldest)}`}
        </Line>
        <Line name="Completed" tone="good">
          <Link to={to({ health: 'completed' })}>{counts.get('completed')?.count ?? 0}</Link>
        </Line>
        <Line name="Duplicates stopped" tone="none">
          {duplicates?.count ? (
            <button type="button" class="link" onClick={showDuplicates}>
              {duplicates.count}
            </button>
          ) : (
            (duplicates?.count ?? 'not known')
          )}
        </Line>
        <Line name="Deliveries rejected" tone={rejected === 0 && !isUnknown ? 'good' : 'warn'}>
          <Link to={to({ health: 'rejected' })}>{rejected}</Link>
          {isUnknown && ' · not known of all'}
        </Line>
        {health.length > 0 && (
          <Line name="Health checks" tone={bad.length === 0 ? 'good' : 'bad'}>
            {bad.length === 0
              ? 'no problem is known'
              : bad.length === 1
                ? '1 problem'
                : `${bad.length} problems`}
          </Line>
        )}
      </dl>
      {health.length > 0 && (
        <details class="note">
          <summary>All checks</summary>
          {health.map(({ name, words }) => (
            <p key={name}>
              {name}: {words}
            </p>
          ))}
        </details>
      )}
    </section>
  );
}

function DeadLetterLine({ of, now }: { readonly of: readonly DeadLetters[] | null; readonly now: number }) {
  const letters = of ?? [];
  const [queue, more] = letters;
  const count = letters.reduce((sum, one) => sum + one.count, 0);
  const oldest = Math.min(...letters.flatMap(one => one.oldest ?? []));
  const where: Route = queue && !more ? { view: 'queue', queue: queue.queue } : { view: 'deliveries' };
  return (
    <Line name="Dead letters" tone={of === null ? 'none' : count === 0 ? 'good' : 'warn'}>
      {of === null ? 'not known' : <Link to={where}>{count}</Link>}
      {Number.isFinite(oldest) && ` · oldest ${duration(now - oldest)}`}
    </Line>
  );
}

function Line(props: { readonly name: string; readonly tone: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt class={props.tone}>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function AttentionList(
  props: Pick<OverviewProps, 'view' | 'workflow' | 'labels'> & {
    readonly rows: readonly KeyRow[];
    readonly to: To;
  },
) {
  const { view, workflow, rows, to, labels } = props;
  const text = () =>
    rows
      .map(row => [visible(row.key), labels(row.workflow), KEY_HEALTHS[row.health].words, row.why].join('\t'))
      .join('\n');
  return (
    <section aria-label="Needs attention" class="panel">
      <header>
        <h2>Needs attention</h2>
        <span class="note">held, overdue, failed; the oldest of each first</span>
        <span class="end row">
          {rows.length > ATTENTION_MAX && <Link to={to({ health: NEEDS_A_PERSON })}>All {rows.length}</Link>}
          <Copy text={text}>Copy as text</Copy>
        </span>
      </header>
      <table class="list attention" aria-label="Needs attention">
        <tbody>
          {rows.slice(0, ATTENTION_MAX).map(row => (
            <tr key={`${row.workflow} ${row.key}`}>
              <td>
                <Link to={keyOf(row)} class="key">
                  {visible(row.key)}
                </Link>
                {workflow === undefined && <div class="note">{labels(row.workflow)}</div>}
              </td>
              <td>
                <Health of={row.health} />
              </td>
              <td class="why">{row.why}</td>
              <td>
                <Age at={row.since} now={view.now} />
              </td>
              <td class="end">
                {row.health === 'failed' && TOKEN ? (
                  <button type="button" aria-haspopup="dialog" onClick={() => redeliver([row])}>
                    Run again …
                  </button>
                ) : (
                  <Link to={keyOf(row)} class="button">
                    Review
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function keyOf({ workflow, key }: KeyRow): Route {
  return { view: 'key', workflow, key };
}

/** How the workflows stand beside each other: the one with the most keys that need a person first. */
export function Workflows({ view, filter, labels }: Omit<OverviewProps, 'workflow'>) {
  const states = view.workflows.map(({ workflow }) => {
    const own = view.rows.filter(row => row.workflow === workflow.name);
    const counts = counted(own, ({ health }) => health);
    const attention = ATTENTION.reduce((sum, health) => sum + (counts.get(health)?.count ?? 0), 0);
    return { name: workflow.name, counts, attention };
  });
  return (
    <section aria-label="Workflows" class="panel">
      <header>
        <h2>Workflows</h2>
      </header>
      <table class="list counts" aria-label="Workflows">
        <thead>
          <tr>
            {['workflow', 'needs a person', 'rejected', 'in progress', 'completed'].map((title, index) => (
              <th key={title} scope="col" class={index < 2 ? '' : 'number'}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {states
            .sort((one, other) => other.attention - one.attention)
            .map(({ name, counts }) => {
              const to = (health: string): Route => {
                return { view: 'keys', workflow: name, filter: { ...filter, health } };
              };
              return (
                <tr key={name}>
                  <th scope="row">
                    <Link to={to('')}>{labels(name)}</Link>
                  </th>
                  <td>
                    <span class="row">
                      {ATTENTION.filter(health => counts.has(health)).map(health => (
                        <Link key={health} to={to(health)} class={badgeOf(KEY_HEALTHS[health])}>
                          {counts.get(health)?.count} {KEY_HEALTHS[health].words}
                        </Link>
                      ))}
                    </span>
                  </td>
                  {(['rejected', 'inProgress', 'completed'] as const).map(health => (
                    <td key={health} class="number">
                      <Link to={to(health)}>{counts.get(health)?.count ?? 0}</Link>
                    </td>
                  ))}
                </tr>
              );
            })}
        </tbody>
      </table>
    </section>
  );
}

interface CostsProps {
  /** The address of the view. */
  readonly path: string;
  /** Whether a time is chosen, in place of the last day. */
  readonly hasSince: boolean;
  /** What a workflow is called. */
  readonly labels: (name: string) => string;
}

/** The cost of the executions of this time, which is read on demand: it takes many histories. */
export function Costs({ path, hasSince, labels }: CostsProps) {
  const isOpen = useSignal(false);
  return (
    <details class="note" onToggle={event => (isOpen.value = event.currentTarget.open)}>
      <summary>Cost of {hasSince ? 'this time' : 'the last day'}</summary>
      {isOpen.value && <ReadCosts path={path} labels={labels} />}
    </details>
  );
}

function ReadCosts({ path, labels }: Pick<CostsProps, 'path' | 'labels'>) {
  const live = useLive<CostView>(path);
  const { view } = live;
  return (
    <>
      <Unread of={live}>Reading histories …</Unread>
      {view?.costs.map(({ workflow, words }) => (
        <p key={workflow}>
          {labels(workflow)}: {words}.
        </p>
      ))}
    </>
  );
}
