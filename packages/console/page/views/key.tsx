import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { KeyView } from '../../views';
import { allKeysOf, encoded } from '../address';
import { Link } from '../link';
import { useLive } from '../live';
import { cutInTheMiddle, duration, moment, pretty, times, visible } from '../text';
import { Actions } from './actions';
import { Lanes } from './lanes';
import { Notice, Unread } from './notice';
import { Copy } from './parts';
import { Health, KEY_HEALTHS, Status } from './status';
import { Differences, Story } from './story';

/** What fits into the column. */
const NAME_MAX = 18;

/** Everything that is known of one key, on one time axis. */
export function KeyPage({ workflow, of }: { readonly workflow: string | undefined; readonly of: string }) {
  const address = `${workflow === undefined ? '' : `/workflows/${encoded(workflow)}`}/keys/${encoded(of)}`;
  const live = useLive<KeyView>(address);
  const { view } = live;
  return (
    <>
      <div>
        <p class="crumbs">
          <Link to={allKeysOf(view?.workflow.name ?? workflow)}>
            Keys of {view?.workflow.scope ?? workflow ?? 'all workflows'}
          </Link>
          {view?.others.map(other => (
            <Link key={other} to={{ view: 'key', workflow: other, key: view.key }}>
              {' '}
              · Also a key of {other}
            </Link>
          ))}
        </p>
        <div class="row">
          <h1>
            <span class="visually-hidden">Key </span>
            <code class="key">{visible(view?.key ?? of)}</code>
          </h1>
          {view?.health && <Health of={view.health} isLarge />}
          {view && (
            <span class="end row">
              <Copy text={() => view.markdown}>Copy story</Copy>
            </span>
          )}
        </div>
        {view && <p class="summary">{view.summary}</p>}
        {view && view.key !== of && <p class="crumbs">Found for {visible(of)}.</p>}
      </div>
      <Unread of={live}>Reading the record, its owner and the histories of its executions …</Unread>
      {view && <Known view={view} />}
    </>
  );
}

function Known({ view }: { readonly view: KeyView }) {
  const { executions, health, cost, searched, facts, record } = view;
  return (
    <>
      <section
        aria-label="Next"
        class={`panel urgent decide ${health === null ? 'none' : KEY_HEALTHS[health].tone}`}
      >
        <h2>{health === 'held' ? 'Decide what happened' : 'What is next'}</h2>
        <p>
          {view.next.slice(0, 1).toUpperCase()}
          {view.next.slice(1)}.
        </p>
        <Bounds view={view} />
        <Actions of={view.actions} label="Actions" />
      </section>
      <div class="split">
        <div>
          <section aria-label="Lanes" class="panel">
            <header>
              <h2>What happened</h2>
            </header>
            {executions.length === 0 ? <NoExecutions owner={view.owner} /> : <Lanes view={view} />}
          </section>
          <section aria-label="Story" class="panel">
            <header>
              <h2>Story</h2>
              <span class="note">{view.story[0] && `since ${moment(view.story[0].at)}`}</span>
            </header>
            <Story view={view} />
            {cost !== null && <p class="note">Cost of these executions: {cost}.</p>}
            <p class="note">{searched}</p>
          </section>
          <Differences view={view} />
        </div>
        <div>
          <section aria-label="State" class="panel">
            <header>
              <h2>Record</h2>
            </header>
            {facts.length === 0 ? (
              <p class="note">It has no record: it was deleted, or no execution has claimed the key.</p>
            ) : (
              <dl class="record">
                {facts.map(([name, text]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{text}</dd>
                  </div>
                ))}
              </dl>
            )}
            {record && (
              <details class="note">
                <summary>The item in the table</summary>
                <pre>{pretty(JSON.stringify(record))}</pre>
              </details>
            )}
          </section>
          <Executions view={view} />
          <Json title="Event" of={view.event} none="No execution of the key is known." />
          <Json title="Result" of={view.result} none="There is none." />
        </div>
      </div>
    </>
  );
}

/** What became of each delivery. */
function Executions({ view: { executions } }: { readonly view: KeyView }) {
  if (executions.length === 0) return null;
  return (
    <section aria-label="Deliveries" class="panel">
      <header>
        <h2>Deliveries</h2>
        <span class="note">{executions.length}</span>
      </header>
      <table class="list">
        <tbody>
          {executions.map(({ executionArn, name, status, redriveCount, isOwner }) => (
            <tr key={executionArn}>
              <td>
                <Link to={{ view: 'execution', executionArn }} class="key" title={name}>
                  {cutInTheMiddle(name, NAME_MAX)}
                </Link>
                {(isOwner || redriveCount > 0) && (
                  <div class="note">
                    {[
                      ...(isOwner ? ['owns the record'] : []),
                      ...(redriveCount > 0 ? [`redriven ${times(redriveCount)}`] : []),
                    ].join(', ')}
                  </div>
                )}
              </td>
              <td class="end">
                <Status of={status} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Json(props: { readonly title: string; readonly of: string | null; readonly none: string }) {
  const { title, of, none } = props;
  return (
    <section aria-label={title} class="panel">
      <header>
        <h2>{title}</h2>
        {of !== null && (
          <span class="end">
            <Copy text={() => of}>Copy</Copy>
          </span>
        )}
      </header>
      {of === null ? <p class="note">{none}</p> : <pre class="plain">{pretty(of)}</pre>}
    </section>
  );
}

/** Step Functions keeps no list of Express executions. The record names one of them, its log is a page. */
function NoExecutions({ owner }: { readonly owner: string | null }) {
  if (owner?.split(':')[5] !== 'express')
    return <Notice kind="empty">No execution of this key was found.</Notice>;
  return (
    <p>
      Its owner, from its log:{' '}
      <Link to={{ view: 'execution', executionArn: owner }}>{owner.split(':').slice(7).join(':')}</Link>
    </p>
  );
}

/** Times that decide, counted down until they are over. */
function Bounds({ view: { bounds, now } }: { readonly view: KeyView }) {
  const passed = useSignal(0);
  useEffect(() => {
    const since = performance.now();
    const timer = setInterval(() => {
      passed.value = performance.now() - since;
    }, 1000);
    return () => clearInterval(timer);
  }, [now]);
  if (bounds.length === 0) return null;
  const clock = now + passed.value;
  return (
    <p class="note">
      {bounds
        .filter(({ at }) => at > clock)
        .map(({ name, at }) => (
          <span key={name}>
            {name} {moment(at)}, in {duration(at - clock)}.{' '}
          </span>
        ))}
    </p>
  );
}
