import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { renderPage } from '../../../proof/demo/page';
import type { Judged } from '../../../proof/demo/run';
import { barriersOn, describeInBrowser, openBrowser, openPage } from '../../support/browser';
import { newDirectory } from '../../support/shared';
import { ofOrders, runOf } from './runs';

const MARKUP = `"><script>alert('1')</script>&amp;`;
const ORDERS = 60;

describeInBrowser('a run of the demo as a page, in Chromium', () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let judged: Judged;
  let url: string;

  beforeAll(async () => {
    const lines = ofOrders(
      Array.from({ length: ORDERS }, (_, index) => (index === 7 ? MARKUP : `order-${index}`)),
    );
    judged = await runOf({ chaos: true, seed: 4, provider: 'keyed', concurrency: 8, failRate: 0.2 }, lines);
    const file = path.join(newDirectory(), 'run.html');
    const command = 'npm run demo -- --chaos --seed 4 --fail-rate 0.2 --concurrency 8 --events orders.jsonl';
    writeFileSync(file, await renderPage(judged.report, judged.stories, { command, wallSeconds: 9 }));
    url = pathToFileURL(file).href;
    browser = await openBrowser();
  }, 180_000);
  afterAll(() => browser?.close());
  beforeEach(async () => {
    ({ page, complaints } = await openPage(browser));
  });
  afterEach(async () => {
    // The document itself is a file of this machine; nothing else is asked for.
    expect(complaints).toEqual([`asked ${url}`]);
    await page.close();
  });

  const count = (mark: string) => page.locator(`.lanes .mark.${mark}`).count();

  test('what is drawn: as many of each as the report says', async () => {
    const { report } = judged;
    await page.goto(url);

    expect(await page.getByRole('region', { name: 'Report' }).innerText()).toContain(
      `${report.executions.started} started, ${report.executions.succeeded} succeeded`,
    );
    const [started, recovered, bounced] = [
      await count('started'),
      await count('recovered'),
      await count('bounced'),
    ];
    expect({ deliveries: started + bounced, executions: started + recovered, bounced }).toEqual({
      deliveries: report.deliveries,
      executions: report.executions.started,
      bounced: report.duplicates.byName,
    });
    expect(report.chaos).toMatchObject({
      aborted: await count('killed'),
      redriven: await count('redriven'),
      takeovers: await count('tookOver'),
    });
    expect(report.effects).toMatchObject({
      charges: await count('charged'),
      requests: (await count('charged')) + (await count('repeated')),
    });
    expect(report.businessRuns).toBe(await count('ran'));
    expect(report.chaos?.redriven).toBeGreaterThan(0);
    expect(report.effects.requests).toBeGreaterThan(ORDERS);
    // Every order is there once, folded or not.
    expect(await page.locator('details.order').count()).toBe(ORDERS);
  });

  test('an order whose key is markup: shown as text', async () => {
    await page.goto(url);

    expect(await page.locator('details.order > summary code', { hasText: MARKUP }).count()).toBe(1);
    expect(await page.locator('script').count()).toBe(0);
  });

  test.each(['light', 'dark'] as const)(
    '%s, everything unfolded: nothing serious for axe',
    async colorScheme => {
      await page.emulateMedia({ colorScheme });
      await page.goto(url);
      await page.locator('summary').first().waitFor();
      if (process.env['UPDATE_SCREENSHOTS'] !== undefined && colorScheme === 'light')
        await page.screenshot({
          path: 'docs/images/demo-run.png',
          clip: { x: 0, y: 0, width: 1300, height: 1400 },
          fullPage: true,
        });
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');

      expect(await barriersOn(page)).toEqual([]);
    },
    60_000,
  );

  test('a narrow window: nothing sticks out at the side', async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    await page.goto(url);

    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
  });
});
