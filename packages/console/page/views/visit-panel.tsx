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

function Text({ name, json }: { readonly name: string; readonly json: string | undefined }) {
  if (json === undefined) return null;
  const text = pretty(json);
  const isLong = text.length > SHOWN;
  return (
    <details open={!isLong && text.length < 600}>
      <summary>
        {name}
        {isLong ? `, ${Math.ceil(text.length / 1024)} KiB` : ''}
      </summary>
      {isLong ? <textarea readOnly rows={16} aria-label={name} value={text} /> : <pre>{text}</pre>}
    </details>
  );
}

/** The variables of the machine at this moment. */
export function Variables({ of }: { readonly of: Readonly<Record<string, string>> }) {
  const names = Object.keys(of).sort();
  if (names.length === 0) return null;
  return (
    <details class="card">
      <summary>Variables ({names.length})</summary>
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
    </details>
  );
}
