import { gzipSync } from 'node:zlib';
import { startLocal } from '@onceflow/local';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { serveStackPage } from '../../../cli/console/stack-page';
import type { OnRun, Result } from '../benches';
import { type Figure, median, rounded } from '../report';
import { CHROMIUM, openBrowser } from './chromium';
import { type Filled, fill, type Size } from './fill';
import { framesPerSecond, type Mark, mark, millisecondsToPaint, traced } from './trace';

/** How much is measured, and how often: each figure is the median of its runs. */
interface Extent extends Size {
  readonly runs: number;
}

/** Four events fewer than a history may have. */
const SIZE: Extent = { keys: 10_000, iterations: 4_165, runs: 3 };
/** How fast a person turns the wheel, in pixels a second, and how far. */
const SCROLL = { speed: 4000, distance: 12_000 };
const SLIDER_STEPS = 120;

/** A page that is measured. */
interface Tab {
  readonly page: Page;
  readonly session: CDPSession;
  readonly url: string;
}

type Measured = Readonly<Record<string, number>>;

/** (h) The console in Chromium: 10,000 keys, and an execution of nearly as many events as a history may have. */
export async function consolePage(assembly: string, onRun: OnRun, size = SIZE): Promise<Result> {
  if (CHROMIUM === undefined) {
    const notMeasured = ['(h) the console: no Chromium here; install one, or set CHROMIUM'];
    return { rows: [], ratios: [], notMeasured };
  }
  const stack = await startLocal({ assembly, port: 0 });
  const served = await serveStackPage(stack.endpoint, 'us-east-1');
  const browser = await openBrowser();
  try {
    if (served === undefined) throw new Error('@onceflow/console is not installed');
    onRun(`${size.keys.toLocaleString('en-US')} records and a long history, to be written`, 0, size.runs);
    const filled = await fill(stack, size);
    const runs: Measured[] = [];
    for (let run = 0; run < size.runs; run += 1) {
      onRun('the console in Chromium', run, size.runs);
      runs.push({
        ...(await keysPage(browser, served.url, filled)),
        ...(await executionPage(browser, served.url, filled)),
      });
    }
    const figures = Object.keys(runs[0] ?? {}).map(what =>
      figureOf(
        what,
        runs.map(measured => measured[what] ?? 0),
      ),
    );
    return { rows: [], ratios: [], notMeasured: [], figures: [...figures, await weight(served.url)] };
  } finally {
    await browser.close();
    await served?.close();
    await stack.close();
  }
}

function figureOf(what: string, values: readonly number[]): Figure {
  return { bench: 'h', what, value: rounded(median(values)), unit: what.endsWith('frames') ? '/s' : 'ms' };
}

/** What the page itself takes on its way, as a server with compression would send it. */
async function weight(url: string): Promise<Figure> {
  const files = ['/', '/main.js', '/main.css'].map(async path => (await fetch(`${url}${path}`)).text());
  const value = (await Promise.all(files)).reduce((sum, text) => sum + gzipSync(text).length, 0);
  return { bench: 'h', what: 'weight of the page, compressed', value, unit: 'bytes' };
}

async function keysPage(browser: Browser, url: string, { workflow }: Filled): Promise<Measured> {
  return inTab(browser, url, async tab => {
    const opened = await open(tab, `/workflows/${encodeURIComponent(workflow)}/keys`, 'Keys', 'whole table');
    return {
      '10,000 keys: first rows seen': opened.first,
      '10,000 keys: all read': opened.all,
      '10,000 keys: scrolling, frames': await scrolling(tab),
    };
  });
}

async function executionPage(
  browser: Browser,
  url: string,
  { executionArn, events }: Filled,
): Promise<Measured> {
  return inTab(browser, url, async tab => {
    const opened = await open(
      tab,
      `/executions/${encodeURIComponent(executionArn)}`,
      'States',
      `of ${events}`,
    );
    const { page, session } = tab;
    await page.getByRole('tab', { name: /^Events/ }).click();
    const scrolled = await scrolling(tab);
    await page.evaluate('scrollTo(0, 0)');
    const box = await page.getByRole('slider', { name: 'Event' }).boundingBox();
    if (box === null) throw new Error('the slider is not seen');
    const slid = await traced(session, async () => {
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + box.width - 9, y);
      await page.mouse.down();
      await mark(page, 'begin');
      await page.mouse.move(box.x + 10, y, { steps: SLIDER_STEPS });
      await mark(page, 'end');
      await page.mouse.up();
    });
    return {
      '25,000 events: first rows seen': opened.first,
      '25,000 events: all read': opened.all,
      '25,000 events: scrolling, frames': scrolled,
      '25,000 events: slider, frames': framesPerSecond(slid),
    };
  });
}

/** Frames a second while a wheel turns. */
async function scrolling({ page, session }: Tab): Promise<number> {
  const scrolled = await traced(session, async () => {
    await mark(page, 'begin');
    await session.send('Input.synthesizeScrollGesture', {
      // Beside the graph, which scrolls by itself.
      x: 1100,
      y: 800,
      yDistance: -SCROLL.distance,
      speed: SCROLL.speed,
      gestureSourceType: 'mouse',
    });
    await mark(page, 'end');
  });
  return framesPerSecond(scrolled);
}

async function inTab(
  browser: Browser,
  url: string,
  work: (tab: Tab) => Promise<Measured>,
): Promise<Measured> {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
  try {
    return await work({ page, session: await page.context().newCDPSession(page), url });
  } finally {
    await page.close();
  }
}

/** Milliseconds from the navigation until the table's first rows are painted, and until all is read. */
async function open({ page, session, url }: Tab, path: string, table: string, whole: string) {
  const marks: Readonly<Partial<Record<Mark, string>>> = {
    first: `document.querySelector('table[aria-label="${table}"] tbody :is(a, button)')`,
    all: `document.querySelector('main')?.textContent.includes('${whole}')`,
  };
  const seen = Object.entries(marks).map(([name, condition]) => `${name}: () => ${condition}`);
  // Run by the debugger: the page's own policy lets no other script in.
  await page.addInitScript(`(() => {
    const open = new Map(Object.entries({ ${seen.join(', ')} }));
    new MutationObserver((_, observer) => {
      for (const [name, isSeen] of open) if (isSeen()) { performance.mark(name); open.delete(name); }
      if (open.size === 0) observer.disconnect();
    }).observe(document, { subtree: true, childList: true, characterData: true });
  })()`);
  const events = await traced(session, async () => {
    await page.goto(`${url}${path}`);
    await page.getByText(whole).first().waitFor({ timeout: 120_000 });
    // The frame that shows it.
    await page.waitForTimeout(300);
  });
  return { first: millisecondsToPaint(events, 'first'), all: millisecondsToPaint(events, 'all') };
}
