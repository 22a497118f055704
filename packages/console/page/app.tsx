import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ConnectionView, WorkflowItem } from '../views';
import { addressOf, allKeysOf, type KeysFilter, labelOf, type Route } from './address';
import { Link } from './link';
import { isConnected, useLive } from './live';
import { go, route } from './router';
import { visible } from './text';
import { ChosenAction, forgetChosen } from './views/actions';
import { DeliveriesPage } from './views/deliveries-page';
import { ExecutionPage } from './views/execution';
import { HistoryPage } from './views/history';
import { KeyPage } from './views/key';
import { KeysPage } from './views/keys';
import { Boundary, Notice } from './views/notice';
import { QueuePage } from './views/queue-page';
import { Search } from './views/search';

/** The whole page: a heading with the ways to everywhere, and the view of the address. */
export function App() {
  const at = route.value;
  const connection = useLive<ConnectionView>('/connection');
  const { view, problem } = connection;
  const workflows = view?.workflows ?? [];
  const current = 'workflow' in at ? at.workflow : undefined;
  useEffect(() => {
    document.title = [...titleOf(at, workflows), 'onceflow'].join(' · ');
  }, [at, view]);
  const address = addressOf(at).replace(/\?.*/, '');
  useEffect(forgetChosen, [address]);
  return (
    <>
      <header class="top">
        <Link to={allKeysOf()} class="brand">
          onceflow
        </Link>
        <WorkflowChoice of={workflows} current={current} />
        <nav aria-label="Pages">
          <Link to={allKeysOf(current)} current={at.view === 'keys'}>
            Keys
          </Link>
          <Link to={{ view: 'deliveries' }} current={at.view === 'deliveries'}>
            Deliveries
          </Link>
          <Link to={{ view: 'history' }} current={at.view === 'history'}>
            Open a history
          </Link>
        </nav>
        <Search at={at} />
        <span class="where">{view?.where}</span>
      </header>
      {!isConnected.value && (
        <Notice kind="wait">
          Not connected: retrying until the server answers. The page might be out of date.
        </Notice>
      )}
      {problem && <Notice kind="problem">{problem}</Notice>}
      <main>
        <Boundary key={address}>{viewOf(at, view)}</Boundary>
      </main>
      <ChosenAction />
    </>
  );
}

/** The workflow that pages are about, or all. */
function WorkflowChoice(props: {
  readonly of: readonly WorkflowItem[];
  readonly current: string | undefined;
}) {
  const { of, current } = props;
  const [only, other] = of;
  if (only === undefined) return null;
  if (other === undefined) {
    return (
      <Link to={allKeysOf(only.name)} class="button">
        {only.scope}
      </Link>
    );
  }
  const own = of.find(({ name, scope }) => name === current || scope === current)?.name;
  return (
    <select
      aria-label="Workflow"
      value={own ?? ''}
      onChange={({ currentTarget }) => go(allKeysOf(currentTarget.value || undefined))}
    >
      <option value="">All workflows</option>
      {of.map(({ name }) => (
        <option key={name} value={name}>
          {labelOf(name, of)}
        </option>
      ))}
    </select>
  );
}

/** What a tab is called: the narrowest first. */
function titleOf(at: Route, workflows: ConnectionView['workflows']): readonly string[] {
  switch (at.view) {
    case 'key':
      return [visible(at.key), ...(at.workflow === undefined ? [] : [labelOf(at.workflow, workflows)])];
    case 'keys':
      return at.workflow === undefined ? [] : [`Keys of ${labelOf(at.workflow, workflows)}`];
    case 'execution':
      return [at.executionArn.split(':').at(-1) ?? ''];
    case 'history':
      return ['A history'];
    case 'deliveries':
      return ['Deliveries'];
    case 'queue':
      return [at.queue];
    default:
      return [];
  }
}

function viewOf(at: Route, connection: ConnectionView | undefined): ComponentChildren {
  switch (at.view) {
    case 'keys':
      return at.workflow === undefined ? (
        <AllKeys connection={connection} filter={at.filter} />
      ) : (
        <KeysPage key={at.workflow} workflow={at.workflow} filter={at.filter} connection={connection} />
      );
    case 'key':
      return <KeyPage key={`${at.workflow} ${at.key}`} workflow={at.workflow} of={at.key} />;
    case 'execution':
      return <ExecutionPage key={`${at.executionArn} ${at.at}`} executionArn={at.executionArn} at={at.at} />;
    case 'deliveries':
      return <DeliveriesPage />;
    case 'queue':
      return <QueuePage key={at.queue} queue={at.queue} />;
    case 'history':
      return <HistoryPage />;
    case 'unknown':
      return (
        <Notice kind="problem">
          There is no view at {at.path}. <Link to={allKeysOf()}>All workflows</Link>
        </Notice>
      );
  }
}

/** All workflows; of one alone its keys, under their own address. */
function AllKeys({
  connection,
  filter,
}: {
  readonly connection: ConnectionView | undefined;
  readonly filter: KeysFilter;
}) {
  const [only, other] = connection?.workflows ?? [];
  const alone = only && !other ? only.name : undefined;
  useEffect(() => {
    if (alone !== undefined) go({ view: 'keys', workflow: alone, filter }, { isSame: true });
  }, [alone]);
  if (connection === undefined || alone !== undefined)
    return <Notice kind="wait">Looking for workflows …</Notice>;
  if (only !== undefined) return <KeysPage workflow={undefined} filter={filter} connection={connection} />;
  return (
    <>
      <h1>All workflows</h1>
      <Notice kind="empty">
        {connection.where} has no workflow of onceflow. Deploy one, or check region, profile and stack. A
        history file can be looked at without one: <Link to={{ view: 'history' }}>open a history</Link>.
      </Notice>
    </>
  );
}
