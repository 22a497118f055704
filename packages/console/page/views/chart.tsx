import type { KeyRow, KeysView } from '../../views';
import type { KeysFilter, Route } from '../address';
import { Link } from '../link';
import { type Bin, binsOf, counted, DAY_MS, SERIES } from '../tally';
import { moment } from '../text';
import { Costs } from './overview';

/** So many errors are shown. */
const ERRORS_MAX = 6;

interface ChartProps {
  readonly view: KeysView;
  readonly filter: KeysFilter;
  readonly workflow: string | undefined;
  readonly labels: (name: string) => string;
  /** The address of the cost of this time. */
  readonly costs: string;
}

/** Keys and deliveries that have ended, over time and by error. Each bar leads to its keys. */
export function Chart({ view, filter, workflow, labels, costs }: ChartProps) {
  const { rows, now } = view;
  const to = (changed: Partial<KeysFilter>): Route => ({
    view: 'keys',
    workflow,
    filter: { ...filter, ...changed },
  });
  const ended = rows.filter(({ health }) => health !== 'inProgress' && health !== 'overdue');
  const times = ended.map(({ since }) => since ?? now);
  const isDay = filter.since === '' && filter.until === '';
  const bins = binsOf(ended, isDay ? now - DAY_MS : least(times, now), isDay ? now : most(times, now));
  const errors = counted(
    rows.filter(({ error }) => error !== ''),
    ({ error }) => error,
  );
  return (
    <div class="split even">
      <section aria-label="Over time" class="panel">
        <header>
          <h2>{isDay ? 'Last 24 hours' : 'Over this time'}</h2>
          <span class="legend end">
            {SERIES.map(({ words, tone }, index) => (
              <span key={words} class={tone}>
                {words} {bins.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0)}
              </span>
            ))}
          </span>
        </header>
        <Bars of={bins} to={to} />
        <Costs path={costs} hasSince={filter.since !== ''} labels={labels} />
      </section>
      <Errors of={errors} to={to} rows={rows} />
    </div>
  );
}

function least(times: readonly number[], now: number): number {
  return times.reduce((one, other) => Math.min(one, other), now);
}

function most(times: readonly number[], now: number): number {
  return times.length === 0 ? now : times.reduce((one, other) => Math.max(one, other), 0);
}

function Bars({
  of,
  to,
}: {
  readonly of: readonly Bin[];
  readonly to: (filter: Partial<KeysFilter>) => Route;
}) {
  const highest = Math.max(1, ...of.map(sumOf));
  const [first, last] = [of[0], of.at(-1)];
  return (
    <>
      <div class="chart">
        {of.map(bin => {
          const { from, to: until, counts } = bin;
          const words = SERIES.flatMap(({ words: series }, index) =>
            counts[index] === 0 ? [] : [`${counts[index]} ${series}`],
          ).join(', ');
          const label = `${moment(from).slice(11, 16)} to ${moment(until).slice(11, 16)}: ${words}`;
          if (words === '') return <span key={from} />;
          return (
            <Link key={from} to={to({ since: timeOf(from), until: timeOf(until - 1000) })} title={label}>
              {SERIES.map(
                ({ words: series, tone }, index) =>
                  counts[index] !== 0 && (
                    <i
                      key={series}
                      class={tone}
                      style={{ height: `${(100 * (counts[index] ?? 0)) / highest}%` }}
                    />
                  ),
              ).toReversed()}
              <span class="visually-hidden">{label}</span>
            </Link>
          );
        })}
      </div>
      <p class="span">
        <span>{first && moment(first.from).slice(0, 16)}</span>
        <span>{last && moment(last.to).slice(11, 16)} UTC</span>
      </p>
    </>
  );
}

function Errors(props: {
  readonly of: ReadonlyMap<string, { readonly count: number }>;
  readonly rows: readonly KeyRow[];
  readonly to: (filter: Partial<KeysFilter>) => Route;
}) {
  const { of, to } = props;
  const shown = [...of].slice(0, ERRORS_MAX);
  const highest = shown[0]?.[1].count ?? 1;
  return (
    <section aria-label="Errors" class="panel">
      <header>
        <h2>Errors</h2>
        {of.size > shown.length && (
          <span class="note">
            the {shown.length} most frequent of {of.size}
          </span>
        )}
      </header>
      {shown.length === 0 ? (
        <p class="note">Nothing has failed or was rejected.</p>
      ) : (
        <table class="list" aria-label="By error">
          <tbody>
            {shown.map(([error, { count }]) => (
              <tr key={error}>
                <td>
                  <Link to={to({ error, health: '' })}>{error}</Link>
                  <span class="share" style={{ width: `${(100 * count) / highest}%` }} />
                </td>
                <td class="number">{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function sumOf({ counts }: Bin): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function timeOf(at: number): string {
  return moment(at).replace(' ', 'T');
}
