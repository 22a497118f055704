import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Called } from '../history/calls';
import type { Item } from '../history/items';
import type { Visit, VisitStart } from '../history/visits';
import { Link } from '../link';
import { duration, pretty, timeOfDay } from '../text';
import { Status } from './status';

/** One visit in one state, in full, and the way to the other visits in the same state. */
export function VisitPanel(props: {
  readonly visit: Visit;
  readonly called: Called;
  /** The execution that it belongs to, if that is known: there is no link to itself. */
  readonly executionArn: string | undefined;
  /** All visits in the state, in order. */
  readonly siblings: readonly Visit[];
  readonly choose: (id: number) => void;
}) {
  const { visit, called, siblings, choose } = props;
  const {
    name,
    type,
    status,
    enteredAt,
    exitedAt,
    calls,
    redrives,
    failures,
    input,
    args,
    output,
    assigned,
  } = visit;
  const others = called.executions.filter(arn => arn !== props.executionArn);
  const billed = Math.max(1, calls);
  return (
    <section class="panel" aria-label={`State ${name}`}>
      <h2>
        {name} <Status of={status} />
      </h2>
      <p>
        {type} state{withinOf(visit)}, entered {timeOfDay(enteredAt)}
        {exitedAt === undefined ? '' : `, left after ${duration(exitedAt - enteredAt)}`}
        {called.resource === undefined ? '' : `, calls ${called.resource}`}
        {calls > 1 ? `, called ${calls} times` : ''}
        {redrives > 0 ? `, redriven ${redrives === 1 ? 'once' : `${redrives} times`}` : ''}
        {`, billed as ${billed === 1 ? 'one transition' : `${billed} transitions`}`}
      </p>
      <Siblings visit={visit} siblings={siblings} choose={choose} />
      {failures.map(({ at, error, cause }, index) => (
        <p key={index} class="failure">
          {timeOfDay(at)} <strong>{error || 'failed'}</strong> {cause}
        </p>
      ))}
      {others.length > 0 && (
        <p>
          Executions that its call names:{' '}
          {others.map(executionArn => (
            <span key={executionArn} class="listed">
              <Link to={{ view: 'execution', executionArn }}>{executionArn.split(':').at(-1)}</Link>{' '}
            </span>
          ))}
        </p>
      )}
      <Text name="Input" json={input} />
      <Text name="Arguments" json={args} />
      <Text name="Output" json={output} />
      {Object.entries(assigned).map(([variable, json]) => (
        <Text key={variable} name={`Assigned $${variable}`} json={json} />
      ))}
    </section>
  );
}

/** The Map and Parallel states that it is in, with the iteration of each, the outermost first. */
function withinOf({ parent, iteration }: VisitStart): string {
  if (parent === undefined) return '';
  const which = iteration === undefined ? '' : ` iteration ${iteration}`;
  return ` in ${parent.name}${which}${withinOf(parent)}`;
}

function Siblings(props: {
  readonly visit: Visit;
  readonly siblings: readonly Visit[];
  readonly choose: (id: number) => void;
}) {
  const { visit, siblings, choose } = props;
  const index = siblings.findIndex(({ id }) => id === visit.id);
  const [before, after] = [siblings[index - 1], siblings[index + 1]];
  if (siblings.length < 2) return null;
  return (
    <p class="siblings">
      <button
        type="button"
        disabled={before === undefined}
        aria-label="The previous visit of this state"
        onClick={() => before && choose(before.id)}
      >
        ◀
      </button>{' '}
      {index + 1} of {siblings.length} visits{' '}
      <button
        type="button"
        disabled={after === undefined}
        aria-label="The next visit of this state"
        onClick={() => after && choose(after.id)}
      >
        ▶
      </button>
    </p>
  );
}

/** So much of a text is shown at first; results may have 256 KiB. */
const SHOWN = 4_000;
/** Texts this short are open until the operator closes them. */
const SHORT = 500;

/** JSON text under its name, folded where it is long. */
export function Text(props: {
  readonly name: string;
  readonly json: string | undefined;
  /** Whether a short one is shown at once. */
  readonly isShortOpen?: boolean;
}) {
  const { name, json, isShortOpen = true } = props;
  if (json === undefined) return null;
  return (
    <Unfolding
      summary={`${name}${json.length > SHOWN ? `, ${Math.ceil(json.length / 1024)} KiB` : ''}`}
      isOpen={isShortOpen && json.length < SHORT}
    >
      {() => <Content name={name} json={json} />}
    </Unfolding>
  );
}

function Content({ name, json }: { readonly name: string; readonly json: string }) {
  const text = useMemo(() => pretty(json), [json]);
  if (text.length <= SHOWN) return <pre>{text}</pre>;
  return <textarea readOnly rows={16} aria-label={name} value={text} />;
}

/** A part that is made only when it is visible: while a slider moves, there is no time for hidden parts. */
function Unfolding(props: {
  readonly summary: string;
  readonly isOpen: boolean;
  readonly class?: string;
  readonly children: () => ComponentChildren;
}) {
  const chosen = useSignal<boolean | undefined>(undefined);
  const isOpen = chosen.value ?? props.isOpen;
  return (
    <details open={isOpen} class={props.class}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button to keyboard and screen reader */}
      <summary
        onClick={event => {
          event.preventDefault();
          chosen.value = !isOpen;
        }}
      >
        {props.summary}
      </summary>
      {isOpen && props.children()}
    </details>
  );
}

/** The variables of the machine at this moment. */
export function Variables({ of }: { readonly of: Readonly<Record<string, string>> }) {
  const names = Object.keys(of).sort();
  if (names.length === 0) return null;
  return (
    <Unfolding class="panel" summary={`Variables (${names.length})`} isOpen={false}>
      {() => (
        <dl class="stacked">
          {names.map(name => (
            <div key={name}>
              <dt>${name}</dt>
              <dd>
                <pre>{pretty(of[name] ?? '')}</pre>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Unfolding>
  );
}

/** The records, and other items of DynamoDB, as they were at an event; the one of the event itself is marked. */
export function Items({ items, now }: { readonly items: readonly Item[]; readonly now: number }) {
  if (items.length === 0) return null;
  return (
    <section class="panel" aria-label="Records at this event">
      <h2>Records at this event</h2>
      <p>As this execution wrote and read them. Writes of others in between are not shown.</p>
      {items.map(item => {
        const { table, key, attributes, last, isWhole } = item;
        const names = Object.keys(attributes);
        return (
          <details key={`${table} ${JSON.stringify(key)}`} open>
            <summary>
              {table}: {last.kind} with event {last.id}
              {last.id === now ? ', now' : ''}
              {isWhole ? '' : ', known in part'}
            </summary>
            {names.length === 0 ? (
              <p>There is no such item.</p>
            ) : (
              <dl class="attributes">
                {names.sort().map(name => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{pretty(attributes[name] ?? '').slice(0, 400)}</dd>
                  </div>
                ))}
              </dl>
            )}
          </details>
        );
      })}
    </section>
  );
}
