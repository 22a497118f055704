import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { KeyView } from '../../views';
import { allKeysOf, encoded } from '../address';
import { Link } from '../link';
import { useLive } from '../live';
import { duration, moment, pretty, visible } from '../text';
import { Actions } from './actions';
import { Deliveries } from './deliveries';
import { Lanes } from './lanes';
import { Notice, NotRead } from './notice';

/** Everything that is known of one key, on one time axis. */
export function KeyPage({ workflow, of }: { readonly workflow: string | undefined; readonly of: string }) {
  const address = `${workflow === undefined ? '' : `/workflows/${encoded(workflow)}`}/keys/${encoded(of)}`;
  const { view, problem } = useLive<KeyView>(address);
  return (
    <>
      <p class="crumbs">
        <Link to={allKeysOf(view?.workflow.name ?? workflow)}>
          Keys of {view?.workflow.scope ?? workflow ?? 'all workflows'}
        </Link>
        {view?.others.map(other => (
          <Link key={other} to={{ view: 'key', workflow: other, key: view.key }}>
            Also a key of {other}
          </Link>
        ))}
      </p>
      <h1>
        Key <code class="key">{visible(view?.key ?? of)}</code>
      </h1>
      {view && view.key !== of && <p class="crumbs">Found for {visible(of)}.</p>}
      {problem && <NotRead problem={problem} isOlder={view !== undefined} />}
      {view === undefined && problem === undefined && (
        <Notice kind="wait">Reading the record, its owner and the histories of its executions …</Notice>
      )}
      {view && <Story view={view} />}
    </>
  );
}

function Story({ view }: { readonly view: KeyView }) {
  return (
    <>
      <section aria-label="State" class="panel">
        {view.facts.length === 0 ? (
          <p>It has no record: it was deleted, or no execution has claimed the key.</p>
        ) : (
          <dl>
            {view.facts.map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        )}
        <p class="next">
          <strong>What would the next delivery do?</strong> {view.next}.
        </p>
        <Bounds view={view} />
      </section>
      <Actions of={view.actions} label="Actions" />
      <section aria-label="Deliveries and executions">
        <h2>What happened</h2>
        {view.executions.length === 0 ? (
          <NoExecutions owner={view.owner} />
        ) : (
          <>
            <Lanes view={view} />
            <Deliveries view={view} />
          </>
        )}
        {view.cost !== null && <p class="note">Cost of these executions: {view.cost}.</p>}
        <p class="note">{view.searched}</p>
      </section>
      {view.record && (
        <details>
          <summary>The item in the table</summary>
          <pre>{pretty(JSON.stringify(view.record))}</pre>
        </details>
      )}
    </>
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

/** Times that decide, counted down. */
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
    <ul class="bounds">
      {bounds.map(({ name, at }) => (
        <li key={name}>
          {name} {moment(at)}, {at > clock ? `in ${duration(at - clock)}` : `${duration(clock - at)} ago`}
        </li>
      ))}
    </ul>
  );
}
