import { readPage } from '@onceflow/console';
import type { Browser, Page } from 'playwright-core';
import { placeAt } from '../../../cli/console/read-views';
import { type ConsoleServer, serveConsole } from '../../../cli/console/server';
import { barriersOn, describeInBrowser, openBrowser, openPage } from '../../support/browser';
import { type Night, openNight } from './night-world';

describeInBrowser('three workflows at night', () => {
  let night: Night;
  let server: ConsoleServer;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    night = await openNight();
    const here = { where: 'http://127.0.0.1:8083', isLocal: true, mayWrite: true, stack: undefined };
    server = await serveConsole(await readPage(), placeAt(night.c.aws, here), 0);
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await night?.c.close();
  });
  beforeEach(async () => {
    ({ page, complaints } = await openPage(browser));
    page.setDefaultTimeout(15_000);
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('pictures', async () => {
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [390, 800, 1280]) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        await page.goto(server.url);
        await page.getByText('All tables were read').waitFor();
        await page.screenshot({ path: `/tmp/a36-${scheme}-${width}.png`, fullPage: width < 500 });
        expect(await barriersOn(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
  }, 120_000);
});
