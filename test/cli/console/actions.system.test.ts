import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readPage } from '@onceflow/console';
import type { Browser, Page } from 'playwright-core';
import type { Connection } from '../../../cli/console/connection';
import { type ConsoleServer, serveConsole } from '../../../cli/console/server/server';
import { barriersOn, describeInBrowser, openBrowser, openPage } from '../../support/browser';
import { GRACE_MS } from '../../support/variant';
import { type CliWorld, ORDER, openCliWorld, wideConnectionTo } from '../world';

describeInBrowser('actions on the page, in Chromium', () => {
  let c: CliWorld;
  let server: ConsoleServer;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  const connection = (mayWrite: boolean): Connection =>
    wideConnectionTo(c.aws, { where: 'http://127.0.0.1:8083', isLocal: true, mayWrite, stack: undefined });

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    c = await openCliWorld();
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);
    server = await serveConsole(await readPage(), connection(true), 0);
    ({ page, complaints } = await openPage(browser));
    await page.goto(`${server.url}/workflows/${c.workflow.name}/keys/order-7`);
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    expect(await barriersOn(page)).toEqual([]);
    await page.close();
    await server.close();
    await c.close();
  });

  const actions = () => page.getByRole('region', { name: 'Actions' });
  const button = (name: string) => actions().getByRole('button', { name: `${name} …`, exact: true });
  const dialog = () => page.getByRole('dialog');
  const keep = async (name: string) => {
    if (process.env['UPDATE_SCREENSHOTS'] === undefined) return;
    await page.screenshot({ path: `docs/images/${name}.png` });
  };

  test('an ended owner: what a redrive writes is one click away; done, and seen at once', async () => {
    await button('Redrive the execution').click();

    await dialog().getByText('calls RedriveExecution for').waitFor();
    await dialog().getByText('it stopped within its step: the step runs again').waitFor();
    await dialog().getByText('of the record has changed since it was shown').waitFor();
    await keep('console-action');
    expect(await barriersOn(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Redrive the execution' }).click();
    await dialog().getByRole('status').getByText('resumes where it stopped').waitFor();
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await c.world.pass(1000);
    await page.getByText('the next delivery gets the result').waitFor();
  });

  test('by keyboard: Escape writes nothing, and the focus is back where it was', async () => {
    await button('Redrive the execution').focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    await page.keyboard.press('Escape');

    await dialog().waitFor({ state: 'detached' });
    const focused = await page.evaluate('document.activeElement.textContent');
    expect(focused).toBe('Redrive the execution …');
    const reasons = actions().locator('summary');
    await reasons.click();
    await actions().getByText('can resume where it stopped').first().waitFor();
    expect(c.world.runs).toHaveLength(1);
  });

  test('the answer is lost: unknown, and not sent once more automatically', async () => {
    let calls = 0;
    await page.route('**/api/actions', async route => {
      calls += 1;
      await route.fetch();
      await route.abort();
    });
    await button('Deliver again').click();
    await dialog().getByRole('button', { name: 'Deliver again' }).dblclick();

    await dialog().getByRole('alert').getByText('Unknown: The server did not answer').waitFor();
    expect(calls).toBe(1);
    // The browser itself writes of the answer that it did not get.
    complaints.splice(0);
  });

  test('the server was started anew: the old page may not write, and says what to do', async () => {
    const port = Number(new URL(server.url).port);
    await server.close();
    server = await serveConsole(await readPage(), connection(true), port);
    await page.getByText('Not connected').waitFor({ state: 'detached' });
    await button('Redrive the execution').click();
    await dialog().getByRole('button', { name: 'Redrive the execution' }).click();

    await dialog().getByRole('alert').getByText('Rejected, and nothing was written').waitFor();
    await dialog().getByText('Reload the page').waitFor();
    complaints.splice(0);
  });

  test('a page that only reads: the same in words, no button, and how to get one', async () => {
    await server.close();
    server = await serveConsole(await readPage(), connection(false), 0);
    complaints.splice(0);
    await page.goto(`${server.url}/workflows/${c.workflow.name}/keys/order-7`);
    await actions().getByText('Redrive the execution', { exact: true }).click();

    await actions().getByText('calls RedriveExecution for').waitFor();
    await actions().getByText('onceflow console --allow-writes').waitFor();
    expect(await actions().getByRole('button').count()).toBe(0);
    complaints.splice(0);
  });

  test('a page of another address in the same browser: neither reads the token nor writes', async () => {
    const html = '<!doctype html><html lang="en"><title>Another</title><main><h1>Another</h1></main></html>';
    const another = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
    await new Promise<void>(resolve => another.listen(0, '127.0.0.1', resolve));
    await page.goto(`http://127.0.0.1:${(another.address() as AddressInfo).port}/`);
    const stop = {
      request: { action: 'stop', executionArn: 'arn', isForGood: false },
      values: {},
      once: 'a',
    };
    const told = await page.evaluate(`(async () => {
      const url = ${JSON.stringify(server.url)};
      const body = ${JSON.stringify(JSON.stringify(stop))};
      const headers = { 'content-type': 'application/json', 'x-onceflow-token': 'guessed' };
      const heard = asked => asked.then(answer => answer.text(), error => error.name);
      return Promise.all([
        heard(fetch(url)),
        heard(fetch(url + '/api/actions', { method: 'POST', headers, body })),
        heard(fetch(url + '/api/actions', { method: 'POST', mode: 'no-cors', body })),
      ]);
    })()`);
    await new Promise(resolve => another.close(resolve));

    expect(told).toEqual(['TypeError', 'TypeError', 'TypeError']);
    // The browser itself writes of what it was rejected.
    complaints.splice(0);
  });

  test('started out of the list: an input that is none is rejected, and what is right is taken', async () => {
    await page.getByRole('link', { name: /^Keys of/ }).click();
    await button('Start').click();
    await dialog().getByLabel('Key', { exact: true }).fill('order-9');
    await dialog().getByRole('button', { name: 'Start' }).click();
    await dialog().getByRole('alert').getByText('Rejected, and nothing was written').waitFor();
    // The typed input is there, and can be corrected.
    expect(await dialog().getByLabel('Key', { exact: true }).inputValue()).toBe('order-9');
    await dialog().getByLabel('Input').fill('{"detail":');
    await dialog().getByRole('button', { name: 'Start' }).click();
    await dialog().locator('textarea:invalid').waitFor();
    await dialog()
      .getByLabel('Input')
      .fill(JSON.stringify({ detail: { ...ORDER, orderId: 'order-9' } }));
    await dialog().getByRole('button', { name: 'Start' }).click();
    await dialog().getByText('order-9 is started').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'order-9', exact: true }).click();
    await page.getByText('the next delivery gets the result').waitFor();
  });
});
