import { readPage } from '@onceflow/console';
import type { Browser, Locator, Page } from 'playwright-core';
import { type ConsoleServer, serveConsole } from '../../../cli/console/server/server';
import { barriersOn, describeInBrowser, openBrowser, openPage } from '../../support/browser';
import { returns } from '../../support/world';
import { cleanUp } from '../dev/started';
import { wideConnectionTo } from '../world';
import { accessOfWorld } from './local-world';
import { KEYS, type Night, openNight } from './night-world';

const CLICKS_MAX = 2;

describeInBrowser('three workflows at night', () => {
  let night: Night;
  let server: ConsoleServer;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let clicks: number;

  beforeAll(async () => {
    night = await openNight();
    const { access } = accessOfWorld(night.c);
    const here = {
      where: 'http://127.0.0.1:8083',
      isLocal: true,
      mayWrite: true,
      stack: undefined,
      local: () => access,
    };
    server = await serveConsole(await readPage(), wideConnectionTo(night.c.aws, here), 0);
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await night?.c.close();
    cleanUp();
  });
  beforeEach(async () => {
    ({ page, complaints } = await openPage(browser));
    page.setDefaultTimeout(20_000);
    clicks = 0;
    await page.goto(server.url);
    await page.getByText('All tables were read').waitFor();
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
    await page.close();
  });

  const click = async (what: Locator) => {
    clicks += 1;
    await what.click();
  };
  const attention = () => page.getByRole('table', { name: 'Needs attention' });
  const workflows = () => page.getByRole('table', { name: 'Workflows' });
  const rows = () => page.getByRole('table', { name: 'Keys' }).getByRole('row');
  const firstKeys = async (count: number) => {
    const texts = await rows().allInnerTexts();
    return texts.slice(1, count + 1).map(text => text.trim().split(/\s+/)[0]);
  };

  test('the first page: how many keys need a person, and how each workflow stands, the worst first', async () => {
    if (process.env['UPDATE_SCREENSHOTS'] !== undefined) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.screenshot({ path: 'docs/images/console-overview.png' });
    }
    const lines = (await workflows().getByRole('row').allInnerTexts()).map(text => text.replace(/\s+/g, ' '));
    const hero = await page.getByRole('region', { name: 'Attention', exact: true }).innerText();

    expect(await page.getByText('Duplicates that started nothing are unknown here').count()).toBe(0);
    expect(hero.replace(/\s+/g, ' ')).toBe('7 keys need a person 2 held 1 overdue 4 failed Review the first');
    expect(lines[0]).toBe('workflow needs a person rejected in progress completed');
    expect(lines[1]).toMatch(/^RefundPayment 2 held 1 failed 1 0 \d+$/);
    expect(lines[2]).toMatch(/^SendInvoice 1 overdue 2 failed 0 0 \d+$/);
    expect(lines[3]).toMatch(/^ChargePayment 1 failed 1 0 \d+$/);
  });

  test('the first screen: what needs a person is at its top, in few links, and one action is recommended', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    const { y = 900 } = (await attention().boundingBox()) ?? {};
    // All at once: the page reads its lists again meanwhile, and a link can go.
    const tops = await page
      .getByRole('link')
      .evaluateAll(all => all.map(each => each.getBoundingClientRect().top));

    expect(y).toBeLessThan(340);
    expect(await page.locator('.primary').count()).toBe(1);
    expect(tops.filter(top => top < 900).length).toBeLessThanOrEqual(30);
    expect(tops.length).toBeGreaterThan(5);
    const underlined = `[...document.querySelectorAll('a')].filter(each =>
      each.getBoundingClientRect().top < 900 && getComputedStyle(each).textDecorationLine !== 'none').length`;
    expect(await page.evaluate(underlined)).toBe(0);
  });

  test('which keys need a person, of all workflows, in the order of the command, with the reason: 0 clicks', async () => {
    const texts = await attention().getByRole('row').allInnerTexts();

    expect(texts.map(text => text.trim().split(/\s+/)[0])).toEqual([
      'doubt',
      'given-up',
      'gone-too',
      'cut-off',
      'gone',
      'declined',
      'declined-too',
    ]);
    expect(texts[0]).toContain('the step might have run; an operator decides');
    expect(texts[5]).toContain('CardDeclined: no money left');
  });

  test('what failed in the last hour, by error, and which keys that are: 2 clicks', async () => {
    const since = page.getByRole('combobox', { name: 'Since' });
    clicks += 1;
    await since.fill('1h');
    await since.press('Enter');
    const byError = page.getByRole('table', { name: 'By error' });
    await click(byError.getByRole('link', { name: 'CardDeclined' }));
    await page.getByText(/^2 of \d+ keys/).waitFor();

    expect(new URL(page.url()).search).toBe('?error=CardDeclined&since=1h');
    expect(await firstKeys(2)).toEqual(['declined', 'declined-too']);
  });

  test('a value that is not a time: said, with the expected form', async () => {
    await page.goto(`${server.url}/?since=yesterday`);

    await page.getByRole('alert').getByText('"yesterday" is not a time: enter a length of time').waitFor();
  });

  test('why was this delivery rejected: 1 click, to what differs', async () => {
    await click(page.getByRole('link', { name: 'order-7', exact: true }).first());

    await page
      .getByRole('region', { name: 'What differs' })
      .getByRole('row', { name: /amount/ })
      .waitFor();
    await page.getByText(/Cost of these executions: \$0\.\d+ .* 3 executions, .* % of the cost/).waitFor();
  });

  test('what did a day of each workflow cost, and how much of it duplicates: 1 click', async () => {
    await click(page.getByText('Cost of the last day'));

    await page
      .getByText(/^ChargePayment: \$0\.\d+ at list prices .*; \d+ did not run the step, \d+ % of the cost\.$/)
      .waitFor();
    await page.getByText(/^SendInvoice: \$0\.\d+ .* 3 executions, /).waitFor();
  });

  test('a number leads to what it counts: 1 click', async () => {
    await click(
      workflows()
        .getByRole('row', { name: /^SendInvoice/ })
        .getByRole('link', { name: '1 overdue', exact: true }),
    );
    await page.getByRole('heading', { name: 'Keys of SendInvoice' }).waitFor();
    await page.getByText(/^1 of \d+ keys/).waitFor();

    expect(await firstKeys(1)).toEqual(['gone-too']);
  });

  test('where dead letters are, and all of one cause sent again: 2 clicks to what it will do', async () => {
    await click(
      page.getByRole('region', { name: 'Machinery' }).getByRole('link', { name: '2', exact: true }).first(),
    );
    await click(page.getByRole('button', { name: 'Resend these 2: no record' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('for each message with this cause (2 of those shown)').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    clicks = 0;
    await dialog.getByRole('button', { name: /^Resend these 2/ }).click();

    await dialog.getByText('2 messages resent').waitFor();
  });

  test('several keys delivered again: said before, done once, told after; by the keyboard alone', async () => {
    night.c.world.step = () => returns('paid');
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.type')).toBe('search');
    await page.keyboard.type('declined');
    await page.getByText(/^2 of \d+ keys/).waitFor();
    await rows().nth(1).getByRole('link').first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('declined-too');
    await page.keyboard.press('ArrowUp');
    for (const key of ['declined', 'declined-too', 'doubt']) {
      if (key === 'doubt') await page.getByRole('searchbox').fill('doubt');
      await page.getByRole('checkbox', { name: `Choose ${key}`, exact: true }).focus();
      await page.keyboard.press('Space');
    }
    await page.getByRole('button', { name: 'Deliver again (3) …' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/declined +FAILED +CardDeclined +redelivers /).waitFor();
    await dialog.getByText('1 held for review').waitFor();
    expect(await barriersOn(page)).toEqual([]);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');

    await dialog.getByText('1 key redriven or redelivered').first().waitFor();
    expect(await dialog.locator('pre').textContent()).toMatch(
      /\ndeclined +FAILED {2}CardDeclined {2}redelivers /,
    );
    await night.c.world.settle();
    const statusOf = async (key: string) => (await night.c.world.record(key))?.['status']?.S;
    expect(await statusOf('ChargePayment#declined')).toBe('COMPLETED');
    expect(await statusOf('RefundPayment#doubt')).not.toBe('COMPLETED');
  });

  test('what is typed is found: Enter opens the very key', async () => {
    await page.getByRole('searchbox').fill('order-1001');
    await page.getByText(/^1 of \d+ keys|^\d+ of \d+ keys/).waitFor();
    expect(await firstKeys(1)).toEqual(['order-1001']);
    await page.getByRole('searchbox').press('Enter');

    await page.getByRole('heading', { name: 'Key order-1001' }).waitFor();
  });

  test.each([390, 800, 1280, 1920])(
    '%d pixels wide, dark and light: fits, without serious barriers',
    async width => {
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect(await barriersOn(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
    },
    60_000,
  );

  test('any number of keys: all are there, and few rows of them', async () => {
    await page.getByText(`${KEYS + 8} keys`).waitFor();
    expect(await rows().count()).toBeLessThan(100);
  });
});
