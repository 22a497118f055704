import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Visit } from '../history/visits';
import { duration, pretty, timeOfDay } from '../text';
import { Status } from './status';

/** One stay in one state, in full. */
export function VisitPanel({ visit }: { readonly visit: Visit }) {
  const {
    name,
    type,
    status,
    enteredAt,
    exitedAt,
    calls,
    failures,
    iteration,
    input,
    args,
    output,
    assigned,
  } = visit;
  return (
    <section class="card" aria-label={`State ${name}`}>
      <h2>
        {name} <Status of={status} />
      </h2>
      <p>
        {type} state, entered {timeOfDay(enteredAt)}
        {exitedAt === undefined ? '' : `, left after ${duration(exitedAt - enteredAt)}`}
        {iteration === undefined ? '' : `, iteration ${iteration}`}
        {calls > 1 ? `, called ${calls} times` : ''}
      </p>
      {failures.map(({ at, error, cause }, index) => (
        <p key={index} class="failure">
          {timeOfDay(at)} <strong>{error || 'failed'}</strong> {cause}
        </p>
      ))}
      <Text name="Input" json={input} />
      <Text name="Arguments" json={args} />
      <Text name="Output" json={output} />
      {Object.entries(assigned).map(([variable, json]) => (
        <Text key={variable} name={`Assigned $${variable}`} json={json} />
      ))}
    </section>
  );
}

/** So much of a text is shown at first; results may have 256 KiB. */
const SHOWN = 4_000;
/** Texts this short are open until somebody closes them. */
const SHORT = 500;

function Text({ name, json }: { readonly name: string; readonly json: string | undefined }) {
  if (json === undefined) return null;
  return (
    <Unfolding
      summary={`${name}${json.length > SHOWN ? `, ${Math.ceil(json.length / 1024)} KiB` : ''}`}
      isOpen={json.length < SHORT}
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

/** What is made only where it is seen: while a slider moves, there is no time for what nobody looks at. */
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
    <Unfolding class="card" summary={`Variables (${names.length})`} isOpen={false}>
      {() => (
        <dl class="variables">
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
