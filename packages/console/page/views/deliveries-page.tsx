import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { DeliveriesView, FunctionItem, QueueItem, RuleDelivery, RuleItem } from '../../views';
import { Link } from '../link';
import { useLive } from '../live';
import { duration, moment, pretty, times } from '../text';
import { Actions } from './actions';
import { Notice, Unread } from './notice';
import { Age } from './parts';
import { appearanceOf, badgeOf } from './status';

/** What carries events to workflows, and what lies there: queues, rules, what they delivered, functions. */
export function DeliveriesPage() {
  const live = useLive<DeliveriesView>('/deliveries');
  const { view } = live;
  return (
    <>
      <h1>Deliveries</h1>
      <Unread of={live}>Reading the queues …</Unread>
      {view && (
        <>
          <Actions of={view.actions} label="Actions" />
          {view.queues && <Queues of={view.queues} now={view.now} />}
          {view.functions && <Functions of={view.functions} />}
          {view.rules && <Rules of={view.rules} now={view.now} />}
          {view.deliveries && <Deliveries of={view.deliveries} />}
          {view.missing.map(sentence => (
            <p key={sentence} class="note">
              {sentence}
            </p>
          ))}
        </>
      )}
    </>
  );
}

/** So many rows are shown before the rest is asked for. */
const ROWS_MAX = 10;

/** A table with a heading, or what it means that it is empty. */
function Section(props: {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  readonly empty: string;
}) {
  const { title, columns, rows, empty } = props;
  const isWhole = useSignal(false);
  const shown = isWhole.value ? rows : rows.slice(0, ROWS_MAX);
  return (
    <section aria-label={title} class="panel">
      <header>
        <h2>{title}</h2>
        {shown.length < rows.length && (
          <button type="button" class="quiet end" onClick={() => (isWhole.value = true)}>
            All {rows.length}
          </button>
        )}
      </header>
      {rows.length === 0 ? (
        <Notice kind="empty">{empty}</Notice>
      ) : (
        <table class="list wide" aria-label={title}>
          <thead>
            <tr>
              {columns.map(column => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((cells, index) => (
              <tr key={index}>
                {cells.map((cell, column) => (
                  <td key={columns[column]} data-label={columns[column]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Queues({ of, now }: { readonly of: readonly QueueItem[]; readonly now: number }) {
  // Messages that were given up need a person: those queues first, and full ones before empty ones.
  const rank = ({ keepsFor, waiting, inFlight }: QueueItem) =>
    (keepsFor.length > 0 ? 0 : 2) + (waiting + inFlight > 0 ? 0 : 1);
  const sorted = [...of].sort((one, other) => rank(one) - rank(other));
  return (
    <Section
      title="Queues"
      columns={['queue', 'waiting', 'in flight', 'delayed', 'oldest']}
      rows={sorted.map(queue => [
        <>
          <Link to={{ view: 'queue', queue: queue.name }}>{queue.name}</Link>
          {queue.keepsFor.length > 0 && <div class="note">dead letters of {queue.keepsFor.join(', ')}</div>}
          {queue.deadLetterQueue !== null && (
            <div class="note">
              gives up to {queue.deadLetterQueue}, after it was received {times(queue.maxReceiveCount ?? 0)}
            </div>
          )}
        </>,
        <Count of={queue.waiting} isBad={queue.keepsFor.length > 0} />,
        queue.inFlight || '',
        queue.delayed || '',
        queue.oldest === null ? '' : <Age at={queue.oldest} now={now} />,
      ])}
      empty="There is no queue."
    />
  );
}

function Count({ of, isBad }: { readonly of: number; readonly isBad: boolean }) {
  if (of === 0 || !isBad) return <>{of}</>;
  return <span class={badgeOf({ shape: 'diamond', tone: 'bad' })}>{of}</span>;
}

function Rules({ of, now }: { readonly of: readonly RuleItem[]; readonly now: number }) {
  return (
    <Section
      title="Rules"
      columns={['rule', 'matches, or fires', 'targets']}
      rows={of.map(({ name, bus, isEnabled, when, nextAt, targets }) => [
        <>
          {name}
          <div class="note">
            on {bus}
            {!isEnabled && ', disabled'}
          </div>
        </>,
        <>
          <Json of={when} />
          {nextAt !== null && <div>next in {duration(nextAt - now)}</div>}
        </>,
        targets.map(target => (
          <div key={target.name}>
            {target.name}
            {target.deadLetterQueue !== null && (
              <>
                , gives up to{' '}
                <Link to={{ view: 'queue', queue: target.deadLetterQueue }}>{target.deadLetterQueue}</Link>
              </>
            )}
          </div>
        )),
      ])}
      empty="There is no rule."
    />
  );
}

function Deliveries({ of }: { readonly of: readonly RuleDelivery[] }) {
  return (
    <Section
      title="Sent to targets"
      columns={['time (UTC)', 'target', 'what it got', 'outcome']}
      rows={of.map(({ at, rule, target, input, retryCount, error }) => [
        moment(at, { ms: true }),
        <>
          {target}
          <div class="note">by {rule}</div>
        </>,
        <Json of={input} />,
        <>
          <Outcome error={error} words={['accepted', 'rejected']} />
          {retryCount > 0 && ` (retry ${retryCount})`} {error}
        </>,
      ])}
      empty="No event has matched a rule since this process started."
    />
  );
}

function Outcome(props: { readonly error: string | null; readonly words: readonly [string, string] }) {
  const { error, words } = props;
  const [succeeded, failed] = words;
  return error === null ? (
    <span class={badgeOf(appearanceOf('SUCCEEDED'))}>{succeeded}</span>
  ) : (
    <span class={badgeOf(appearanceOf('FAILED'))}>{failed}</span>
  );
}

/** What a line has room for. */
const LINE_MAX = 60;

/** JSON on one line, and whole when it is opened. */
function Json({ of }: { readonly of: string }) {
  if (of.length <= LINE_MAX) return <code>{of}</code>;
  return (
    <details class="json">
      <summary>
        <code>{of.slice(0, LINE_MAX - 1)}…</code>
      </summary>
      <pre>{pretty(of)}</pre>
    </details>
  );
}

function Functions({ of }: { readonly of: readonly FunctionItem[] }) {
  return (
    <section aria-label="Functions" class="panel">
      <header>
        <h2>Functions</h2>
      </header>
      {of.length === 0 && <Notice kind="empty">There is no function.</Notice>}
      {of.map(({ name, takesFrom, invoked, invocations, lines }) => (
        <details key={name} class="fold">
          <summary>
            {name}: {summaryOf(invoked, invocations)}
          </summary>
          {takesFrom.length > 0 && <p>It takes messages from {takesFrom.join(', ')}.</p>}
          <Section
            title={`Invocations of ${name}`}
            columns={['time (UTC)', 'took', 'outcome', 'request']}
            rows={invocations.map(({ requestId, at, tookMs, error }) => [
              moment(at, { ms: true }),
              duration(tookMs),
              <Outcome error={error} words={['succeeded', error ?? '']} />,
              <code>{requestId}</code>,
            ])}
            empty="It was not invoked since this process started."
          />
          {lines.length > 0 && (
            <>
              <h3>Log</h3>
              <pre>{lines.map(pretty).join('\n')}</pre>
            </>
          )}
        </details>
      ))}
    </section>
  );
}

function summaryOf(invoked: number, invocations: FunctionItem['invocations']): string {
  const [last] = invocations;
  if (last === undefined) return 'not invoked yet';
  const failed = invocations.filter(({ error }) => error !== null).length;
  const seen = invoked > invocations.length ? ` of the last ${invocations.length}` : '';
  const count = invoked === 1 ? '1 invocation' : `${invoked} invocations`;
  return `${count}; ${failed}${seen} failed; the last at ${moment(last.at)}`;
}
