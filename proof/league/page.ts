import { documentation } from '../../state-machine/words/documentation';
import { documentOf, type Html, html } from '../lanes/document';
import { legendOf } from '../lanes/lanes';
import { FAILURES, type Failure } from './judge';
import { STYLE } from './page-style';
import { renderPlot } from './plot';
import {
  COLUMNS,
  extentOf,
  failuresWith,
  isPromising,
  type Provider,
  per10000,
  problemsOf,
  type Report,
  type Standing,
  TITLES,
  verdictOn,
} from './report';
import { chartOf } from './schedule-chart';

/** The report as one document: its tables, its plots, who takes part, and the shortest schedules step by step. */
export function renderPage(report: Report, command: string): Promise<string> {
  const { standings, notRun, found } = report;
  const problems = problemsOf(report);
  return documentOf(
    'onceflow: the league table',
    html`<h1>The league table</h1>
<p><code>${command}</code></p>
<p>The same deliveries and the same faults, played to each way of keeping an event from being worked off twice:
${extentOf(report)}. All figures are for each 10,000 deliveries, and nearly every delivery here
meets a fault: they compare ways with each other, and are no rates of a system in production.</p>
${problems.map(problem => html`<p class="verdict problem">NOT ok: ${problem}</p>\n`)}
<p class="verdict">${problems.length === 0 ? verdictOn(report) : undefined}</p>
${standingsTable(report)}
${notRun.map(({ what, why }) => html`<p><strong>Not run:</strong> ${what}: ${why}</p>\n`)}
<h2>Who wins where</h2>
${heatMap(report, 'forgetful')}
<details><summary>The same with a provider that honours keys for a day</summary>${heatMap(report, 'keyed')}</details>
${FAILURES.map(
  failure =>
    html`<details><summary>Only: ${TITLES[failure]}</summary>${heatMap(report, failure)}</details>\n`,
)}<h2>Cost against failures</h2>
<div class="plots">${plotOf(report, 'forgetful')}${plotOf(report, 'keyed')}</div>
${costTable(report)}
<h2>Who takes part, and how it is set up</h2>
${standings.map(aboutContender)}
<h2>The shortest schedule of each failure</h2>
<p>Of all that was played, with everything left out that the failure does not need. The command plays it again.</p>
${legendOf(found.flatMap(({ steps }) => steps))}
${standings.map(standing => schedulesOf(report, standing))}`,
    STYLE,
  );
}

function standingsTable({ standings }: Report): Html {
  const rows = standings.map(({ id, title, per10000: counts, price }) => {
    const cells = COLUMNS.map(column => {
      const tone = counts[column] === 0 ? 'none' : column === 'reported' ? 'reported' : 'failure';
      return html`<td class="count ${tone}">${counts[column]}</td>`;
    });
    return html`<tr${classOf(id)}><th scope="row">${signOf(id)}${title} <code>${id}</code></th>${cells}
<td class="count">${price.dollars.toFixed(2)}</td></tr>\n`;
  });
  const heads = COLUMNS.map(column => html`<th scope="col">${TITLES[column]}</th>`);
  return scrolling(
    'Standings',
    html`<figure><table class="figures">
<thead><tr><th scope="col">contender</th>${heads}<th scope="col">$</th></tr></thead>
<tbody>
${rows}</tbody></table>
<figcaption>For each 10,000 deliveries. A key that is left to an operator is not a failure: it was reported. Dollars are
list prices of what the guard takes; the step itself, which everyone pays, is left out.</figcaption></figure>`,
  );
}

/** Each contender in each kind of fault; the least of each column is marked. */
function heatMap({ standings, kinds, cells }: Report, shown: Failure | Provider): Html {
  const countOf = (contender: string, kind: string) => {
    const cell = cells.find(one => one.contender === contender && one.kind === kind);
    if (cell === undefined) return 0;
    const count = shown === 'forgetful' || shown === 'keyed' ? failuresWith(shown, cell) : cell[shown];
    return per10000(count, cell.deliveries);
  };
  const least = new Map(
    kinds.map(({ id }) => [id, Math.min(...standings.map(standing => countOf(standing.id, id)))]),
  );
  const rows = standings.map(({ id }) => {
    const counts = kinds.map(kind => ({ count: countOf(id, kind.id), best: least.get(kind.id) }));
    const unaffected = counts.filter(({ count }) => count === 0).length;
    const cellsOfRow = counts.map(
      ({ count, best }) =>
        html`<td class="count heat-${heatOf(count)}${count === best ? ' best' : ''}">${count}</td>`,
    );
    return html`<tr${classOf(id)}><th scope="row">${signOf(id)}<code>${id}</code></th>${cellsOfRow}
<td class="count">${unaffected} of ${kinds.length}</td></tr>\n`;
  });
  const heads = kinds.map(({ id, title }) => html`<th scope="col"><abbr title="${title}">${id}</abbr></th>`);
  const what = CAPTIONS[shown] ?? `${TITLES[shown as Failure]}, for each 10,000 deliveries of the kind.`;
  return scrolling(
    `Map: ${what}`,
    html`<figure><table class="figures map"><thead><tr><th scope="col">contender</th>${heads}
<th scope="col">without failure in</th></tr></thead>
<tbody>
${rows}</tbody></table>
<figcaption>${what} The redder, the more; what is underlined is the least of its column.
${kinds.map(({ id, title }) => html`<strong>${id}</strong>: ${title}. `)}</figcaption></figure>`,
  );
}

const CAPTIONS: Readonly<Partial<Record<Failure | Provider, string>>> = {
  forgetful:
    'All failures together, for each 10,000 deliveries of the kind, with a provider that charges whenever it is asked.',
  keyed:
    'All failures together, for each 10,000 deliveries of the kind, with a provider that honours keys for a day.',
};

/** From 0 to 5. */
function heatOf(count: number): number {
  return [0, 10, 100, 1000, 5000].filter(bound => count > bound).length;
}

const PROVIDERS: Readonly<Record<Provider, string>> = {
  forgetful: 'a provider that charges whenever it is asked',
  keyed: 'a provider that honours keys for a day',
};

function plotOf({ standings }: Report, provider: Provider): Html {
  const plot = renderPlot({
    label: `Cost against failures, with ${PROVIDERS[provider]}; the table below says the same`,
    xTitle: 'dollars for each 10,000 deliveries, logarithmic',
    yTitle: 'failures for each 10,000 deliveries, logarithmic',
    points: standings.map(({ id, per10000: counts, price }) => ({
      name: id,
      x: price.dollars,
      y: failuresWith(provider, counts),
      isMarked: isOurs(id),
    })),
  });
  return html`<figure>${plot}
<figcaption>With ${PROVIDERS[provider]}. Lower is fewer failures, further left is cheaper; diamonds are
onceflow.</figcaption></figure>\n`;
}

function costTable({ standings }: Report): Html {
  const rows = standings.map(
    ({
      id,
      per10000: counts,
      price,
    }) => html`<tr${classOf(id)}><th scope="row">${signOf(id)}<code>${id}</code></th>
${[
  price.dollars.toFixed(2),
  failuresWith('forgetful', counts),
  failuresWith('keyed', counts),
  ...BILLED.map(([name]) => price[name]),
].map(cell => html`<td class="count">${cell}</td>`)}</tr>\n`,
  );
  const heads = [
    'dollars',
    'failures, forgetful provider',
    'failures, provider with keys',
    ...BILLED.map(([, title]) => title),
  ];
  return html`<details><summary>As a table, with what AWS bills</summary>${scrolling(
    'Costs',
    html`<table class="figures"><thead><tr><th scope="col">contender</th>
${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>\n${rows}</tbody></table>`,
  )}</details>\n`;
}

const BILLED = [
  ['writes', 'writes'],
  ['reads', 'reads'],
  ['invocations', 'invocations'],
  ['stepRuns', 'of them of the step'],
  ['transitions', 'transitions'],
  ['expressExecutions', 'Express executions'],
] as const;

function aboutContender({ id, title, settings, documentation, limit }: Standing): Html {
  return html`<article><h3 id="about-${id}">${signOf(id)}${title} <code>${id}</code></h3>
<p>${settings} <a href="${addressOf(documentation)}">Documentation</a></p>
${
  limit &&
  html`<blockquote>${limit.words} <a href="${addressOf(limit.source)}">Where it says so</a></blockquote>\n`
}</article>\n`;
}

/** A document of this repository is meant where there is no address. */
function addressOf(link: string): string {
  return /^https?:/.test(link) ? link : documentation(link);
}

function schedulesOf({ found, kinds }: Report, { id, title }: Standing): Html {
  const own = found.filter(({ contender }) => contender === id);
  if (own.length === 0) return html`<h3>${signOf(id)}${title}</h3>\n<p>No failure was found.</p>\n`;
  const blocks = own.map(({ failure, kind, schedule, steps }) => {
    const command = `npm run league -- --replay '${id}:${schedule}'`;
    const where = kinds.find(one => one.id === kind)?.title ?? kind;
    return html`<details class="order"><summary><strong>${TITLES[failure]}</strong>: ${where}</summary>
<pre>${command}</pre>
${chartOf(steps, `Time axis of ${TITLES[failure]}, ${title}`)}</details>\n`;
  });
  return html`<h3>${signOf(id)}${title}</h3>\n${blocks}`;
}

function isOurs(id: string): boolean {
  return id === 'onceflow' || id.startsWith('onceflow-');
}

function signOf(id: string): Html | undefined {
  if (!isOurs(id)) return undefined;
  const words = isPromising(id) ? 'onceflow' : 'onceflow with a weaker promise';
  return html`<span class="sign" role="img" aria-label="${words}">◆</span> `;
}

function classOf(id: string): Html | undefined {
  return isOurs(id) ? html` class="ours"` : undefined;
}

/** Keys scroll a table that is wider than the window, too. */
function scrolling(label: string, content: Html): Html {
  return html`<div class="scrolled panel" role="region" aria-label="${label}" tabindex="0">${content}</div>`;
}
