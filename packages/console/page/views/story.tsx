import type { KeyView, StoryRow } from '../../views';
import { Link } from '../link';
import { duration, moment, timeOfDay } from '../text';

/** What stands out of what happened: its tone, and a sign. */
const KINDS: Readonly<Record<string, readonly [tone: string, sign: string]>> = {
  claimed: ['run', '◆'],
  tookOver: ['warn', '◆'],
  ran: ['run', '▶'],
  finalized: ['good', '✓'],
  succeeded: ['good', '✓'],
  returned: ['good', '≡'],
  stopped: ['none', '≡'],
  rejected: ['bad', '✕'],
  conditionFailed: ['bad', '✕'],
  requestFailed: ['bad', '✕'],
  aborted: ['bad', '■'],
  failed: ['bad', '✕'],
  timedOut: ['bad', '✕'],
  held: ['bad', 'Ⅱ'],
  released: ['warn', '↻'],
  redriven: ['warn', '↻'],
  redrove: ['warn', '↻'],
  calledRecovery: ['warn', '↗'],
};

/** How an event of this kind is drawn. */
export function appearanceOfKind(kind: string): { readonly tone: string; readonly sign: string } {
  const [tone, sign] = KINDS[kind] ?? ['none', '·'];
  return { tone, sign };
}

/** What deliveries, recovery and operators did, in the order of time. */
export function Story({ view: { story } }: { readonly view: KeyView }) {
  const [first] = story;
  if (first === undefined) return null;
  return (
    <table class="story" aria-label="Story">
      <tbody>
        {story.map((row, index) => (
          <Row key={index} of={row} since={index === 0 ? undefined : first.at} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ of, since }: { readonly of: StoryRow; readonly since: number | undefined }) {
  const { at, actor, kind, text, reason, executionArn, name } = of;
  const { tone, sign } = appearanceOfKind(kind);
  const exact = moment(at, { ms: true });
  const time = <time title={exact}>{since === undefined ? timeOfDay(at) : `+${duration(at - since)}`}</time>;
  return (
    <tr class={kind}>
      <td class="time">
        {executionArn === null ? (
          time
        ) : (
          <Link to={{ view: 'execution', executionArn, at }} title={`The state that it was in at ${exact}`}>
            {time}
          </Link>
        )}
      </td>
      <td>
        <span class={`sign ${tone}`} aria-hidden="true">
          {sign}
        </span>
      </td>
      <td>
        <strong>
          {text.slice(0, 1).toUpperCase()}
          {text.slice(1)}
        </strong>
        <div class="note">
          {actor}
          {executionArn !== null && (
            <>
              {' · '}
              <Link to={{ view: 'execution', executionArn }}>{name}</Link>
            </>
          )}
          {reason !== '' && ` · ${reason}`}
        </div>
      </td>
    </tr>
  );
}

/** How the inputs of deliveries differ that were rejected for another payload. */
export function Differences({ view: { executions } }: { readonly view: KeyView }) {
  const rejected = executions.flatMap(({ name, executionArn, differences }) =>
    (differences ?? []).map(difference => ({ ...difference, name, executionArn })),
  );
  if (rejected.length === 0) return null;
  return (
    <section class="panel" aria-label="What differs">
      <header>
        <h2>What differs in the rejected delivery</h2>
      </header>
      <p class="note">This compares the whole inputs; the workflow compares only its payload.</p>
      <table class="list">
        <thead>
          <tr>
            {['field', "owner's", 'rejected', 'execution'].map(title => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rejected.map(({ path, owner, own, name, executionArn }) => (
            <tr key={`${executionArn} ${path}`}>
              {[path, owner, own].map((text, index) => (
                <td key={index}>
                  <code>{text}</code>
                </td>
              ))}
              <td>
                <Link to={{ view: 'execution', executionArn }}>{name}</Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
