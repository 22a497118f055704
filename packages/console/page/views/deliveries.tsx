import { useSignal } from '@preact/signals';
import type { KeyView } from '../../views';
import { Link } from '../link';
import { cutInTheMiddle, moment } from '../text';
import { Status } from './status';

/** What fits into the column, in bold. */
const NAME_MAX = 32;

/** What each execution did, in words: all of them in the order of time, or one after the other. */
export function Deliveries({ view }: { readonly view: KeyView }) {
  const isByTime = useSignal(true);
  return (
    <>
      <fieldset class="choice">
        <legend>Order</legend>
        {[
          [true, 'by time'],
          [false, 'by execution'],
        ].map(([value, words]) => (
          <label key={String(words)}>
            <input
              type="radio"
              name="order"
              checked={isByTime.value === value}
              onChange={() => {
                isByTime.value = value === true;
              }}
            />{' '}
            {words}
          </label>
        ))}
      </fieldset>
      {isByTime.value ? <ByTime view={view} /> : <ByExecution view={view} />}
      <Differences view={view} />
    </>
  );
}

/** How the inputs of deliveries differ that were rejected for another payload. */
function Differences({ view: { executions } }: { readonly view: KeyView }) {
  const rejected = executions.flatMap(({ name, executionArn, differences }) =>
    (differences ?? []).map(difference => ({ ...difference, name, executionArn })),
  );
  if (rejected.length === 0) return null;
  return (
    <section class="panel" aria-label="What differs">
      <h3>What differs in the rejected delivery</h3>
      <p>This compares the whole inputs; the workflow compares only its payload.</p>
      <table>
        <thead>
          <tr>
            <th scope="col">field</th>
            <th scope="col">owner's</th>
            <th scope="col">rejected</th>
            <th scope="col">execution</th>
          </tr>
        </thead>
        <tbody>
          {rejected.map(({ path, owner, own, name, executionArn }) => (
            <tr key={`${executionArn} ${path}`}>
              <td>
                <code>{path}</code>
              </td>
              <td>
                <code>{owner}</code>
              </td>
              <td>
                <code>{own}</code>
              </td>
              <ExecutionLink executionArn={executionArn} name={name} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ExecutionLink({ executionArn, name }: { readonly executionArn: string; readonly name: string }) {
  return (
    <td class="name">
      <Link to={{ view: 'execution', executionArn }} title={name}>
        {cutInTheMiddle(name, NAME_MAX)}
      </Link>
    </td>
  );
}

function ByTime({ view: { executions } }: { readonly view: KeyView }) {
  const rows = executions
    .flatMap(({ executionArn, name, timeline }) => timeline.map(event => ({ ...event, executionArn, name })))
    .sort((one, other) => one.at - other.at);
  return (
    <table class="story">
      <thead>
        <tr>
          <th scope="col">time (UTC)</th>
          <th scope="col">execution</th>
          <th scope="col">what it did, and why</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ at, kind, text, executionArn, name }, index) => (
          <tr key={index} class={kind}>
            <td class="time">
              <Link to={{ view: 'execution', executionArn, at }} title="The state that it was in then">
                {moment(at, { ms: true })}
              </Link>
            </td>
            <ExecutionLink executionArn={executionArn} name={name} />
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ByExecution({ view: { executions } }: { readonly view: KeyView }) {
  return (
    <>
      {executions.map(({ executionArn, name, status, redriveCount, isOwner, timeline }) => (
        <section key={executionArn} class="panel" aria-label={`Execution ${name}`}>
          <h3>
            <Link to={{ view: 'execution', executionArn }}>{name}</Link> <Status of={status} />
            {redriveCount > 0 && ` redriven ${redriveCount === 1 ? 'once' : `${redriveCount} times`}`}
            {isOwner && ', owns the record'}
          </h3>
          <ol class="timeline">
            {timeline.map(({ at, text }, index) => (
              <li key={index}>
                <Link to={{ view: 'execution', executionArn, at }} title="The state that it was in then">
                  <time>{moment(at, { ms: true })}</time>
                </Link>{' '}
                {text}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}
