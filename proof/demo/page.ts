import { plural } from '../../cli/text';
import { visible } from '../../packages/console/page/text';
import { documentOf, type Html, html } from '../lanes/document';
import { legendOf, type MarkName, renderChart } from '../lanes/lanes';
import type { OrderStory } from './recorder';
import { rowsOf, verdictOn } from './render';
import type { Report } from './report';

/** So many orders are open when the file is opened; the others are seen by a click. */
const OPEN = 8;

/** A run as one document: the report, and the lanes of each order, those with something special first. */
export function renderPage(
  report: Report,
  stories: readonly OrderStory[],
  { command, wallSeconds }: { readonly command: string; readonly wallSeconds: number },
): Promise<string> {
  const all = stories.map(story => ({ story, counts: countsOf(story) }));
  const groups = GROUPS.map(({ has, ...group }, index) => {
    const before = GROUPS.slice(0, index);
    return {
      ...group,
      orders: all.filter(({ counts }) => has(counts) && !before.some(earlier => earlier.has(counts))),
    };
  });
  const sections = groups
    .filter(({ orders }) => orders.length > 0)
    .map(({ title, isOpen, orders }) => {
      const sorted = orders.toSorted((one, other) => weightOf(other.counts) - weightOf(one.counts));
      const blocks = sorted.map((order, index) => blockOf(order, isOpen && index < OPEN));
      const heading = `${title}: ${plural(orders.length, 'order')}`;
      return isOpen
        ? html`<section class="panel" aria-label="${title}"><h2>${heading}</h2>\n${blocks}</section>\n`
        : html`<details class="panel"><summary><strong>${heading}</strong></summary>\n${blocks}</details>\n`;
    });
  const rows = rowsOf(report, wallSeconds).map(
    ([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>\n`,
  );
  const verdict = verdictOn(report);
  const explanation = verdict.slice(0, -1).join(' ').trim();
  return documentOf(
    'onceflow: a run of the demo',
    html`<h1>A run of the demo</h1>
<p><code>${command}</code></p>
<section class="panel" aria-label="Report"><dl class="record">
${rows}</dl>
${explanation === '' ? undefined : html`<p>${explanation}</p>\n`}<p class="verdict">${verdict.at(-1)}</p></section>
<p>Each order has a lane for its deliveries, for each of its executions, for its record and for the payment provider, on
one time axis in the time of the run's clock; point at a sign to read what it is.</p>
${legendOf(stories.flatMap(({ steps }) => steps))}
${sections}`,
  );
}

/** How often each kind of thing happened to an order. */
type Counts = Readonly<Partial<Record<MarkName, number>>>;

interface Group {
  readonly title: string;
  readonly isOpen: boolean;
  /** Whether an order belongs there, if none before has it. */
  has(counts: Counts): boolean;
}

const GROUPS: readonly Group[] = [
  {
    title: 'Stopped, redriven, recovered or taken over',
    isOpen: true,
    has: ({ killed, redriven, recovered, tookOver }) => Boolean(killed ?? redriven ?? recovered ?? tookOver),
  },
  { title: 'Rejected or failed deliveries', isOpen: true, has: ({ rejected }) => rejected !== undefined },
  { title: 'Duplicates only', isOpen: false, has: ({ bounced }) => bounced !== undefined },
  { title: 'Delivered once', isOpen: false, has: () => true },
];

/** The count beside an order's name, in words. */
const BADGES: readonly (readonly [mark: MarkName, tone: string, words: string])[] = [
  ['killed', 'bad', 'stopped'],
  ['redriven', 'warn', 'redriven'],
  ['recovered', 'warn', 'recovered'],
  ['tookOver', 'warn', 'taken over'],
  ['rejected', 'bad', 'rejected or failed'],
  ['bounced', 'none', 'deduplicated'],
  ['repeated', 'none', 'asked again'],
  ['charged', 'good', 'charged'],
];

function countsOf({ steps }: OrderStory): Counts {
  const counts: Partial<Record<MarkName, number>> = {};
  for (const { mark } of steps) counts[mark] = (counts[mark] ?? 0) + 1;
  return counts;
}

/** An order that more kinds of things happened to stands first; of those that are alike, what happened more often. */
function weightOf({ killed, redriven, recovered, tookOver, repeated, rejected, bounced }: Counts): number {
  const counts = [killed, redriven, recovered, tookOver, repeated, rejected, bounced];
  const kinds = counts.filter(count => count !== undefined).length;
  return 1000 * kinds + counts.reduce((sum: number, count = 0) => sum + count, 0);
}

function blockOf(
  { story, counts }: { readonly story: OrderStory; readonly counts: Counts },
  isOpen: boolean,
): Html {
  const name = story.key === undefined ? 'Events without a key' : visible(story.key);
  const badges = BADGES.flatMap(([mark, tone, words]) => {
    const count = counts[mark];
    return count === undefined ? [] : [html`<span class="badge ${tone}">${count}× ${words}</span>`];
  });
  const chart = renderChart({ ...story, label: `Time axis of ${name}` });
  return html`<details class="order"${isOpen ? ' open' : ''}><summary><code>${name}</code>${badges}</summary>
${chart}</details>\n`;
}
