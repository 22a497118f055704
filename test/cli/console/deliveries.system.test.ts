import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { readPage } from '@onceflow/console';
import type { Browser, Page } from 'playwright-core';
import { type ConsoleServer, serveConsole } from '../../../cli/console/server/server';
import { barriersOn, describeInBrowser, openBrowser, openPage } from '../../support/browser';
import { type CliWorld, ORDER, openCliWorld, wideConnectionTo } from '../world';
import { accessOfWorld } from './local-world';

const EVENT = { id: 'a', 'detail-type': 'OrderPlaced', source: 'shop.orders', detail: ORDER };

describeInBrowser('deliveries and queues, in Chromium', () => {
  let c: CliWorld;
  let server: ConsoleServer;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let invoke: (requestId: string, error?: string) => void;

  beforeAll(async () => {
    c = await openCliWorld();
    const { access, recent } = accessOfWorld(c);
    const { queues } = c.world.stack;
    await c.aws.sqs.send(new CreateQueueCommand({ QueueName: 'orders-dead' }));
    const deadLetterTargetArn = queues.find('orders-dead')?.arn;
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 });
    await c.aws.sqs.send(new CreateQueueCommand({ QueueName: 'orders', Attributes: { RedrivePolicy } }));
    queues.send('orders', JSON.stringify(EVENT));
    queues.receive('orders', { visibilitySeconds: 0 });
    queues.receive('orders');
    const [{ name = '' } = {}] = access.functions();
    const invocation = {
      functionName: name,
      begunAt: c.world.stack.now(),
      endedAt: c.world.stack.now() + 80,
    };
    invoke = (requestId, error) => recent.addInvocation({ ...invocation, requestId, error });
    invoke('r-1');
    invoke('r-2', 'CardDeclined');
    recent.addLine(name, '{"level":"INFO","message":"charging <b>order-7</b>"}');
    const connection = wideConnectionTo(c.aws, {
      where: 'http://127.0.0.1:8083',
      isLocal: true,
      mayWrite: true,
      stack: undefined,
      local: () => access,
    });
    server = await serveConsole(await readPage(), connection, 0);
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await c?.close();
  });
  beforeEach(async () => {
    ({ page, complaints } = await openPage(browser));
    await page.goto(server.url);
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    expect(await barriersOn(page)).toEqual([]);
    await page.close();
  });

  const keep = async (name: string, fullPage = false) => {
    if (process.env['UPDATE_SCREENSHOTS'] === undefined) return;
    await page.screenshot({ path: `docs/images/${name}.png`, fullPage });
  };
  const section = (name: string) => page.getByRole('region', { name, exact: true });
  const dialog = () => page.getByRole('dialog');

  test('an event is sent, handed on by its rule, and a key is there; functions with what they did and wrote', async () => {
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await section('Functions').locator('summary').first().click();
    await section('Functions').getByText('CardDeclined').waitFor();
    await section('Functions').getByText('charging <b>order-7</b>').waitFor();
    await section('Functions').locator('summary').first().click();

    await page.getByRole('button', { name: 'Send an event …' }).click();
    expect(await dialog().getByLabel('Source').inputValue()).toBe('shop.orders');
    await dialog().getByLabel('Detail', { exact: true }).fill(JSON.stringify(ORDER));
    await dialog().getByRole('button', { name: 'Send an event' }).click();
    await dialog().getByText('Done: ').waitFor();
    await page.keyboard.press('Escape');
    await c.world.settle();
    await section('Sent to targets').getByText('accepted').waitFor();
    await section('Functions').locator('summary').first().click();
    await keep('console-deliveries', true);
    await page.getByRole('link', { name: 'ChargePayment', exact: true }).click();
    await page.getByRole('link', { name: 'order-7', exact: true }).waitFor();
  });

  test('a dead letter: why it lies there, what resending it does, and that it is gone then', async () => {
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page
      .getByRole('table', { name: 'Queues' })
      .getByRole('link', { name: 'orders-dead', exact: true })
      .click();
    await page.getByText('queue orders moved it here: received').waitFor();
    await page.setViewportSize({ width: 1300, height: 420 });
    await page.getByRole('button', { name: 'Send it back to orders …' }).click();
    await dialog().getByText('deletes it from orders-dead once it is accepted').waitFor();
    await dialog().getByRole('button', { name: 'Send it back to orders' }).click();
    await dialog().getByText('it was accepted by').waitFor();
    await page.keyboard.press('Enter');

    await page.getByText('No message can be received now.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/queues/orders-dead');
  });

  test('many rows: the last ones, and all on demand', async () => {
    for (let index = 0; index < 12; index += 1) invoke(`many-${index}`);
    await page.goto(`${server.url}/deliveries`);
    await section('Functions').locator('summary').first().click();
    const rows = page.getByRole('table', { name: /^Invocations of/ }).getByRole('row');
    await page.getByRole('button', { name: 'All 14' }).waitFor();
    expect(await rows.count()).toBe(11);
    await page.getByRole('button', { name: 'All 14' }).click();

    await page.getByText('r-1', { exact: true }).waitFor();
    expect(await rows.count()).toBe(15);
  });

  test.each([420, 800, 1280])(
    '%d pixels wide, and dark: everything is there, and nothing is cut',
    async width => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.goto(`${server.url}/deliveries`);

      await page.getByRole('table', { name: 'Rules' }).waitFor();
      const isCut = `[document.documentElement, ...document.querySelectorAll('section')]
      .some(each => each.scrollWidth > each.clientWidth)`;
      expect(await page.evaluate(isCut)).toBe(false);
    },
  );

  test('a view that cannot be drawn: a sentence, and the way back; the rest of the page goes on', async () => {
    await page.route('**/api/live*', async route => {
      const view = (of: string, what: unknown) =>
        `event: view\ndata: ${JSON.stringify({ of, view: what })}\n\n`;
      const connection = view('/connection', { where: 'there', isLocal: true, workflows: [] });
      const body = `${connection}${view('/deliveries', { queues: 7 })}`;
      await route.fulfill({ contentType: 'text/event-stream', body });
    });
    await page.goto(`${server.url}/deliveries`);
    await page.getByRole('alert').getByText('This view failed because of an error in the page').waitFor();

    await page.getByRole('alert').getByRole('link', { name: 'the workflows' }).click();
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();
  });
});
