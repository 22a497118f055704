import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { renderPage } from '../../../proof/league/page';
import type { Report } from '../../../proof/league/report';
import { barriersOn, describeInBrowser, openBrowser, openPage } from '../../support/browser';
import { newDirectory } from '../../support/shared';
import { smallReport } from './reports';

const MARKUP = `"><script>alert('1')</script>&amp;`;
// A key moves a table a frame or more later. `page.waitForFunction` looks again by `eval`, which the
// page's policy forbids; a promise that is evaluated once is not in its way.
const WHEN_MOVED = `new Promise(resolve => {
  const look = () => document.activeElement.scrollLeft > 0 ? resolve() : requestAnimationFrame(look);
  look();
})`;
const COMMAND = 'npm run league -- --seeds 50 --html league.html';

describeInBrowser('the league as a page, in Chromium', () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let url: string;

  beforeAll(async () => {
    url = await written(smallReport(MARKUP));
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser?.close());
  beforeEach(async () => {
    ({ page, complaints } = await openPage(browser));
    await page.goto(url);
  });
  afterEach(async () => {
    // The document itself is a file of this machine; nothing else is asked for.
    expect(complaints).toEqual([`asked ${url}`]);
    await page.close();
  });

  test('the table: each contender with its counts for 10,000 deliveries, and its dollars', async () => {
    const table = page.getByRole('region', { name: 'Standings' });

    expect(await table.locator('thead th').allInnerTexts()).toEqual([
      ...['contender', 'effects doubled', 'doubled at the provider', 'events lost', 'keys overdue'],
      ...['wrong answers', 'other payloads', 'left to an operator', '$'],
    ]);
    const [first = '', second = '', third = ''] = await table.locator('tbody tr').allInnerTexts();
    expect(first.split('\t').slice(1)).toEqual(['2000', '100', '0', '0', '0', '0', '50', '0.00']);
    expect(second.split('\t').slice(1, 4)).toEqual(['0', '0', '50']);
    expect(third).toContain('◆ the onceflow onceflow\t0\t0\t0\t0\t0\t0\t0\t');
  });

  test('who wins where: a cell for each contender and kind, the least of a column underlined', async () => {
    const map = page.getByRole('region', { name: /^Map: All failures together/ }).first();

    expect(await map.locator('tbody tr').first().locator('td').allInnerTexts()).toEqual([
      '0',
      '4000',
      '1 of 2',
    ]);
    expect(await map.locator('td.best').allInnerTexts()).toEqual(['0', '0', '0', '0']);
    expect(await map.locator('td.heat-4').count()).toBe(1);
  });

  test('cost against failures: each contender is drawn and named in both plots, ours as diamonds', async () => {
    const plots = page.getByRole('img', { name: /^Cost against failures/ });

    expect(await plots.count()).toBe(2);
    expect(await plots.first().locator('text.name').allTextContents()).toEqual(
      expect.arrayContaining(['none', 'lock-lease', 'onceflow']),
    );
    expect([
      await plots.first().locator('circle').count(),
      await plots.first().locator('path').count(),
    ]).toEqual([2, 1]);
  });

  test('the shortest schedule: its command as text, its steps on an axis and in words', async () => {
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');

    expect(await page.locator('details.order pre').textContent()).toBe(
      "npm run league -- --replay 'none:at=0,400/fault=effect:killedAfter'",
    );
    expect(await page.locator('.lanes .mark.charged').count()).toBe(2);
    expect(await page.locator('.timeline li').nth(4).textContent()).toBe(
      '+3 min 1 sprovider: the provider charges 100: charge-2',
    );
  });

  test('a title that is markup: shown as text', async () => {
    expect(await page.getByRole('heading', { name: MARKUP }).count()).toBe(2);
    expect(await page.locator('script').count()).toBe(0);
  });

  test.each(['light', 'dark'] as const)(
    '%s, everything unfolded: nothing serious for axe',
    async colorScheme => {
      await page.emulateMedia({ colorScheme });
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');

      expect(await barriersOn(page)).toEqual([]);
    },
    60_000,
  );

  test('in print: what is folded is there, too', async () => {
    await page.emulateMedia({ media: 'print' });

    expect(await page.getByText('the provider charges 100: charge-2').last().isVisible()).toBe(true);
  });

  test('by keyboard, in a narrow window: a table that is wider is reached, and moved', async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    await page.keyboard.press('Tab');

    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Standings');
    await page.keyboard.press('ArrowRight');
    await page.evaluate(WHEN_MOVED);
  });

  test('each table: its heads say of what they are the heads', async () => {
    expect(await page.locator('thead th:not([scope=col]), tbody th:not([scope=row])').count()).toBe(0);
    expect(await page.locator('tbody tr:not(:has(> th))').count()).toBe(0);
    expect(await page.locator('figure:not(:has(> figcaption))').count()).toBe(0);
    expect(await page.locator('figure').count()).toBe(11);
  });

  test('a narrow window: nothing sticks out at the side', async () => {
    await page.setViewportSize({ width: 400, height: 800 });

    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
  });
});

// What `npm run --silent league -- --json` has printed into the file is what the picture is of.
const printed = process.env['ONCEFLOW_LEAGUE'];
const describePicture =
  process.env['UPDATE_SCREENSHOTS'] === undefined || !printed ? describe.skip : describe;
describePicture('the picture of the documents', () => {
  test('is written', async () => {
    const report = JSON.parse(readFileSync(printed ?? '', 'utf8')) as Report;
    const browser = await openBrowser();
    const { page } = await openPage(browser);
    await page.goto(await written(report, `npm run league -- --seeds ${report.seeds} --html league.html`));
    const bottom = await page.getByRole('heading', { name: 'Who takes part' }).boundingBox();
    const clip = { x: 0, y: 0, width: 1300, height: Math.round(bottom?.y ?? 1400) };
    await page.screenshot({ path: 'docs/images/league.png', clip, fullPage: true });
    await browser.close();

    expect(bottom).not.toBeNull();
  }, 60_000);
});

async function written(report: Report, command = COMMAND): Promise<string> {
  const file = path.join(newDirectory(), 'league.html');
  writeFileSync(file, await renderPage(report, command));
  return pathToFileURL(file).href;
}
