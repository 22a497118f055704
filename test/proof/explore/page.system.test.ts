import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { renderPage } from '../../../proof/explore/page';
import { replayTrace } from '../../../proof/explore/trace';
import { barriersOn, describeInBrowser, openBrowser, openPage } from '../../support/browser';
import { newDirectory } from '../../support/shared';
import { variantSubject } from './subject';

/** An owner that is stopped within its step, and redriven by recovery; then a duplicate. */
const SCHEDULE = (
  'start1 do1 do1 abort1 ends1.1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 ' +
  'do1 works1.1 do1 end1 start2 do2 do2'
).split(' ');

const COMMAND = `npm run explore -- --variant recovery --replay '${SCHEDULE.join(' ')}'`;

describeInBrowser('a schedule as a page, in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser?.close());

  test('lanes, a sign for each step, the record, the steps in words; nothing is asked for, nothing serious for axe', async () => {
    const budget = { executions: 2, faults: 1, channels: ['direct'] as const };
    const replayed = replayTrace(variantSubject('recovery'), budget, SCHEDULE);
    const file = path.join(newDirectory(), 'schedule.html');
    writeFileSync(file, await renderPage(replayed, COMMAND));
    const { page, complaints } = await openPage(browser);
    const { href } = pathToFileURL(file);
    await page.goto(href);

    expect(await page.locator('.lane .name').allInnerTexts()).toEqual([
      ...['E1', 'E2', 'recovery', 'record', 'step', 'time', 'not to scale'],
    ]);
    expect(await page.locator('.lanes .mark').count()).toBe(SCHEDULE.length);
    expect(await page.locator('.lanes .mark.fault').count()).toBe(1);
    expect(await page.getByText(COMMAND).count()).toBe(1);
    expect(await page.locator('.timeline li').allInnerTexts()).toContainEqual(
      expect.stringContaining('4: FAULT: E1 is stopped; what it had asked for may still happen.'),
    );
    expect(await page.locator('.bar.version').allTextContents()).toEqual([
      'IN_PROGRESS of direct-1, attempt 1',
      expect.stringMatching(/^COMPLETED of direct-1, attempt 1/),
    ]);
    expect(await page.getByText('no violation').count()).toBe(1);
    if (process.env['UPDATE_SCREENSHOTS'] !== undefined)
      await page.locator('main').screenshot({ path: 'docs/images/explore-schedule.png' });
    expect(await barriersOn(page)).toEqual([]);
    expect(complaints).toEqual([`asked ${href}`]);
  }, 60_000);
});
