import { readPage } from '@onceflow/console';
import type { Browser, Locator, Page } from 'playwright-core';
import { type ConsoleServer, serveConsole } from '../../../cli/console/server/server';
import { Recovery } from '../../../infra/index';
import { describeInBrowser, openBrowser, openPage } from '../../support/browser';
import { GRACE_MS } from '../../support/variant';
import { fails } from '../../support/world';
import { type CliWorld, ORDER, openCliWorld, wideConnectionTo } from '../world';
import { QUESTIONS } from './questions';

const CLICKS_MAX = 2;

describeInBrowser('the twelve questions, each from the first page', () => {
  let c: CliWorld;
  let server: ConsoleServer;
  let browser: Browser;
  let page: Page;
  let clicks: number;

  beforeAll(async () => {
    c = await openCliWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
    // What a stopped owner leaves stays as it is until a delivery starts recovery.
    c.world.deliveries = async () => 'lost';
    // Stopped, redriven by a duplicate, answered, and rejected for another payload.
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);
    await c.world.delivered(ORDER);
    await c.world.delivered({ ...ORDER, amount: 99 });
    await stopped('dead');
    // Longer than a step may take.
    await c.world.pass(20 * GRACE_MS);
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered({ ...ORDER, orderId: 'declined' });
    await stopped('stopped just now');
    const here = { where: 'http://127.0.0.1:8083', isLocal: true, mayWrite: true, stack: undefined };
    server = await serveConsole(await readPage(), wideConnectionTo(c.aws, here), 0);
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await c?.close();
  });
  beforeEach(async () => {
    ({ page } = await openPage(browser));
    clicks = 0;
    page.setDefaultTimeout(8_000);
    await page.goto(server.url);
  });
  afterEach(() => page.close());

  const stopped = async (orderId: string) => {
    c.world.step = async () => c.world.never();
    const owner = await c.world.deliver({ ...ORDER, orderId });
    await c.world.pass(1000);
    await c.world.stop(owner);
  };
  const click = async (what: Locator) => {
    clicks += 1;
    await what.click();
  };
  const openKey = (key: string) => click(page.getByRole('link', { name: key, exact: true }).last());
  const row = (words: string | RegExp) => page.getByRole('row').filter({ hasText: words });
  const seen = (...texts: readonly (string | RegExp)[]) =>
    Promise.all(texts.map(text => page.getByText(text).filter({ visible: true }).first().waitFor()));
  const fact = (name: string) => page.getByRole('region', { name: 'State' }).getByText(name);

  const ANSWERS: Readonly<Record<keyof typeof QUESTIONS, () => Promise<unknown>>> = {
    happened: async () => {
      await openKey('order-7');
      await seen('claimed the key as attempt 1', 'was redriven (redrive 1)', 'started recovery');
    },
    deliveries: async () => {
      await openKey('order-7');
      const deliveries = page.getByRole('region', { name: 'Deliveries' }).getByRole('row');
      await deliveries.nth(2).waitFor();
      expect(await deliveries.count()).toBe(3);
    },
    rejected: async () => {
      await openKey('order-7');
      await seen('rejected the delivery: the key was used before with another payload');
    },
    owner: async () => {
      await openKey('stopped just now');
      await fact('it ended ABORTED, and its step might still be running until').waitFor();
      await seen(/The owner's step might be running until .*, in \d/);
    },
    stopped: async () => {
      await openKey('declined');
      await click(row('claimed the key').getByRole('link').last());
      const state = page.getByRole('region', { name: 'State Business step' });
      await state.getByText('CardDeclined').first().waitFor();
      await state.getByText('"declined"').first().waitFor();
    },
    twice: async () => {
      await openKey('order-7');
      await row('was stopped in "Business step"').waitFor();
      await row('ran the step').waitFor();
    },
    differs: async () => {
      await openKey('order-7');
      await page
        .getByRole('region', { name: 'What differs' })
        .getByRole('row', { name: /amount/ })
        .waitFor();
    },
    next: async () => {
      await openKey('order-7');
      await seen('the next delivery gets the result');
    },
    stuck: async () => {
      const rows = page.getByRole('table', { name: 'Needs attention' }).getByRole('row');
      await rows.first().getByText('overdue').waitFor();
      expect(await rows.first().innerText()).toMatch(/^\s*dead\s/);
    },
    actions: async () => {
      await openKey('dead');
      await click(page.getByRole('button', { name: /^Redrive the / }));
      await page.getByRole('dialog').getByText('calls RedriveExecution for').waitFor();
    },
    state: async () => {
      await openKey('order-7');
      await click(row('ran the step').getByRole('link').first());
      const state = page.getByRole('region', { name: 'State Business step' });
      await state.getByText('"orderId": "order-7"').first().waitFor();
      await state.getByText('"charge"').first().waitFor();
    },
    cost: async () => {
      await openKey('order-7');
      await seen(/Cost of these executions: \$0\.\d+ .* \d+ transitions/);
    },
  };

  test.each(Object.entries(QUESTIONS))('%s', async (name, question) => {
    await ANSWERS[name as keyof typeof QUESTIONS]();

    expect(clicks).toBe(question.clicks);
    expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
  });
});
