import { readPage } from '@onceflow/console';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type ConsoleServer, serveConsole } from '../../../cli/console/server/server';
import { describeInBrowser, openBrowser } from '../../support/browser';
import { type CliWorld, openCliWorld, wideConnectionTo } from '../world';

/** A browser has six connections for one server, however many tabs show it. */
const CONNECTIONS = 6;

describeInBrowser('tabs that show the page', () => {
  let c: CliWorld;
  let server: ConsoleServer;
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    c = await openCliWorld();
    const connection = wideConnectionTo(c.aws, {
      where: 'http://127.0.0.1:8083',
      isLocal: true,
      stack: undefined,
    });
    server = await serveConsole(await readPage(), connection, 0);
    browser = await openBrowser();
    context = await browser.newContext();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await c?.close();
  });

  const openTab = async () => {
    const tab = await context.newPage();
    await tab.goto(`${server.url}/workflows/${c.workflow.name}/keys`);
    await tab.getByText('The whole table was read').waitFor();
    await tab.getByRole('link', { name: 'ChargePayment', exact: true }).waitFor();
    return tab;
  };
  /** Chromium without a screen sees every tab: the test tells a tab that it is hidden. */
  const show = (tab: Page, state: 'hidden' | 'visible') =>
    tab.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
      document.dispatchEvent(new Event('visibilitychange'));`);

  test('one connection for each tab that is seen, and none for the others: more tabs than connections', async () => {
    const tabs: Page[] = [];
    for (let count = 1; count < CONNECTIONS; count += 1) tabs.push(await openTab());
    for (const tab of tabs) await show(tab, 'hidden');
    for (let count = 1; count < CONNECTIONS; count += 1) tabs.push(await openTab());

    expect(tabs).toHaveLength(2 * (CONNECTIONS - 1));
  }, 120_000);

  test('a tab that is seen again: what has come meanwhile', async () => {
    await Promise.all(context.pages().map(tab => tab.close()));
    const tab = await openTab();
    await show(tab, 'hidden');
    await c.world.delivered({ orderId: 'meanwhile', amount: 5, currency: 'EUR' });
    await show(tab, 'visible');

    await tab.getByRole('link', { name: 'meanwhile', exact: true }).waitFor();
  });

  test('the stack goes away while a key is seen: what is shown is said to be older', async () => {
    const tab = await openTab();
    await c.world.delivered({ orderId: 'seen', amount: 5, currency: 'EUR' });
    await tab.goto(`${server.url}/workflows/${c.workflow.name}/keys/seen`);
    await tab.getByText('the next delivery gets the result').waitFor();
    await c.close();

    await tab.getByRole('alert').getByText('What follows was read before that').waitFor();
  });
});
