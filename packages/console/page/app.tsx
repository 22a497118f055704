import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PlaceView } from '../views';
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

/** The whole page: a heading with the ways to everywhere, and the view of the address. */
export function App() {
  const at = route.value;
  const place = useLive<PlaceView>('/place');
  const { view, problem } = place;
  const workflows = view?.workflows ?? [];
  const current = 'workflow' in at ? at.workflow : undefined;
  useEffect(() => {
    document.title = [...titleOf(at, workflows), 'onceflow'].join(' · ');
  }, [at, view]);
  const address = addressOf(at).replace(/\?.*/, '');
  useEffect(forgetChosen, [address]);
  return (
    <>
      <header>
        <Link to={allKeysOf()} class="brand">
          onceflow
        </Link>
        <nav aria-label="Workflows">
          {workflows.length > 1 && (
            <Link to={allKeysOf()} current={at.view === 'keys' && at.workflow === undefined}>
              All
            </Link>
          )}
          {workflows.map(({ name, scope }) => (
            <Link
              key={name}
              to={allKeysOf(name)}
              current={current === name || current === scope}
              title={`State machine ${name}`}
            >
              {labelOf(name, workflows)}
            </Link>
          ))}
          <Link to={{ view: 'deliveries' }} current={at.view === 'deliveries'}>
            Deliveries and queues
          </Link>
          <Link to={{ view: 'history' }} current={at.view === 'history'}>
            Open a history
          </Link>
        </nav>
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

/** What a tab is called: the narrowest first. */
function titleOf(at: Route, workflows: PlaceView['workflows']): readonly string[] {
  switch (at.view) {
    case 'key':
      return [visible(at.key), labelOf(at.workflow, workflows)];
    case 'keys':
      return at.workflow === undefined ? [] : [`Keys of ${labelOf(at.workflow, workflows)}`];
    case 'execution':
      return [at.executionArn.split(':').at(-1) ?? ''];
    case 'history':
      return ['A history'];
    case 'deliveries':
      return ['Deliveries and queues'];
    case 'queue':
      return [at.queue];
    default:
      return [];
  }
}

function viewOf(at: Route, place: PlaceView | undefined): ComponentChildren {
  switch (at.view) {
    case 'keys':
      return at.workflow === undefined ? (
        <AllKeys place={place} filter={at.filter} />
      ) : (
        <KeysPage key={at.workflow} workflow={at.workflow} filter={at.filter} place={place} />
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
function AllKeys({ place, filter }: { readonly place: PlaceView | undefined; readonly filter: KeysFilter }) {
  const [only, other] = place?.workflows ?? [];
  const alone = only && !other ? only.name : undefined;
  useEffect(() => {
    if (alone !== undefined) go({ view: 'keys', workflow: alone, filter }, { isSame: true });
  }, [alone]);
  if (place === undefined || alone !== undefined) return <Notice kind="wait">Looking for workflows …</Notice>;
  if (only !== undefined) return <KeysPage workflow={undefined} filter={filter} place={place} />;
  return (
    <>
      <h1>All workflows</h1>
      <Notice kind="empty">
        {place.where} has no workflow of onceflow. Deploy one, or check region, profile and stack. A history
        file can be looked at without one: <Link to={{ view: 'history' }}>open a history</Link>.
      </Notice>
    </>
  );
}
