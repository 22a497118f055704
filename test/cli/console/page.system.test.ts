import { readPage } from '@onceflow/console';
import type { Browser, Locator, Page } from 'playwright-core';
import { type ConsoleServer, serveConsole } from '../../../cli/console/server/server';
import { Recovery } from '../../../infra/index';
import { barriersOn, describeInBrowser, openBrowser, openPage } from '../../support/browser';
import { GRACE_MS } from '../../support/variant';
import { fails, returns } from '../../support/world';
import { type CliWorld, ORDER, openCliWorld, wideConnectionTo } from '../world';

const MARKUP = `<img src=x onerror="alert('1')">&amp; 100%/#?`;
/** As the record has it. */
const MARKUP_KEY = MARKUP.replace('#', '~#');

describeInBrowser('the page, in Chromium', () => {
  let c: CliWorld;
  let server: ConsoleServer;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    c = await openCliWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
    // What a stopped owner leaves stays as it is until a delivery starts recovery.
    c.world.deliveries = async () => 'lost';
    // One key with everything: stopped, recovered when a duplicate has called, answered, rejected for another payload.
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);
    await c.world.delivered(ORDER);
    await c.world.pass(1000);
    await c.world.delivered(ORDER);
    await c.world.delivered({ ...ORDER, amount: 99 });
    await c.world.delivered({ ...ORDER, orderId: MARKUP });
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered({ ...ORDER, orderId: 'declined' });
    const connection = wideConnectionTo(c.aws, {
      where: 'http://127.0.0.1:8083',
      isLocal: true,
      mayWrite: true,
      stack: undefined,
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
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    expect(await barriersOn(page)).toEqual([]);
    await page.close();
  });

  /** UPDATE_SCREENSHOTS=1 keeps what the page looks like for the documents. */
  const keep = async (name: string) => {
    if (process.env['UPDATE_SCREENSHOTS'] === undefined) return;
    await page.screenshot({ path: `docs/images/${name}.png` });
  };
  const open = (path: string) => page.goto(`${server.url}${path}`);
  const text = async (role: 'main' | 'heading') => (await page.getByRole(role).first().textContent()) ?? '';
  const keys = () => `/workflows/${c.workflow.name}/keys`;

  test('from the first page to a key with one click, to an execution with two: its story, and what the next delivery does', async () => {
    await open('/');
    await page.getByRole('link', { name: 'order-7', exact: true }).last().click();

    await page.getByText('the next delivery gets the result').waitFor();
    const story = (await page.getByRole('table', { name: 'Story' }).innerText()).toLowerCase();
    for (const sentence of [
      'claimed the key as attempt 1',
      'was stopped in "Business step"',
      'started recovery',
      'was redriven (redrive 1)',
      'returned the stored result',
      'rejected the delivery: the key was used before with another payload',
    ]) {
      expect(story).toContain(sentence.toLowerCase());
    }
    const different = page.getByRole('region', { name: 'What differs' });
    expect(await different.getByRole('row', { name: /amount/ }).innerText()).toMatch(/amount\s+12\.5\s+99\s/);
    const deliveries = page.getByRole('region', { name: 'Deliveries' }).getByRole('row');
    expect(await deliveries.count()).toBe(4);
    const redriven = page.getByRole('row').filter({ hasText: 'Was redriven (redrive 1)' });
    expect(await redriven.innerText()).toMatch(/recovery · \S+ · [0-9a-f]{32}$/);
  });

  test('from the first page to the same keys by search, filter and link: they stay there', async () => {
    await open('/');
    await page.getByText('3 keys').waitFor();
    await page.getByRole('searchbox').pressSequentially('order');
    await page.getByText('1 of 3 keys').waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('order');

    await page.getByRole('link', { name: 'onceflow', exact: true }).click();
    await page.getByRole('button', { name: 'Failed 1' }).click();
    await page.getByText('1 of 3 keys').waitFor();
    await page.getByRole('link', { name: 'onceflow', exact: true }).click();
    await page.getByRole('link', { name: 'ChargePayment', exact: true }).click();
    await page.getByText('3 keys').waitFor();
  });

  test('keys: what needs a person first; search and filter have an address of their own', async () => {
    await open(keys());
    const rows = page.getByRole('table', { name: 'Needs attention' }).getByRole('row');
    await rows.first().waitFor();
    expect(await rows.first().innerText()).toMatch(/^\s*declined\s+failed\s+CardDeclined/);

    await page.getByRole('button', { name: 'Failed 1' }).click();
    await page.getByText('1 of 3 keys').waitFor();
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('0 of 3 keys').waitFor();
    const { pathname, search } = new URL(page.url());
    await open(`${pathname}${search}`);
    await page.getByText('0 of 3 keys').waitFor();
    expect(search).toBe('?search=nothing+like+it&health=failed');
  });

  test('Enter in the search: opens a key, and not an error or an owner', async () => {
    await open(keys());
    await page.getByText('3 keys').waitFor();
    const search = page.getByRole('searchbox');
    await search.fill('CardDeclined');
    await search.press('Enter');
    await page.getByText('1 of 3 keys').waitFor();
    expect(new URL(page.url()).pathname).toBe(keys());
    await search.fill('declined');
    await search.press('Enter');

    await page.getByText('FAILED: the step has failed').waitFor();
  });

  test('the scope of the workflow, or the id of its construct, in the address: its keys; the tab says which', async () => {
    await open('/workflows/ChargePayment');
    await page.getByRole('heading', { name: 'Keys of ChargePayment' }).waitFor();
    await page.getByText(`State machine ${c.workflow.name}`).waitFor();
    await page.getByRole('link', { name: 'declined', exact: true }).first().click();
    await page.getByText('CardDeclined').first().waitFor();

    expect(await page.title()).toBe('declined · ChargePayment · onceflow');
  });

  test('a key with markup in it: shown as it is, by its address and by a click', async () => {
    await open(keys());
    await page.getByRole('link', { name: MARKUP_KEY, exact: true }).click();
    await page.getByText('COMPLETED: the step has run').waitFor();
    expect(await text('heading')).toBe(`Key ${MARKUP_KEY}`);

    await page.reload();
    await page.getByText('COMPLETED: the step has run').waitFor();
    expect(await text('heading')).toBe(`Key ${MARKUP_KEY}`);
  });

  test('an execution: the way it went, and each moment of it, forwards and backwards', async () => {
    await open(`${keys()}/order-7`);
    await page.getByRole('table', { name: 'Story' }).getByRole('link').first().click();
    await page.getByText('SUCCEEDED', { exact: true }).waitFor();
    await page.getByRole('slider', { name: 'Event' }).press('End');

    const step = page.getByRole('button', { name: /^Business step, Task/ });
    await page.getByText('4 billed transitions: $0.0001').waitFor();
    expect(await step.getAttribute('aria-label')).toBe('Business step, Task, succeeded, redriven');
    expect(await page.getByRole('button', { name: /^Take over/ }).getAttribute('aria-label')).toMatch(
      /not visited$/,
    );
    const slider = page.getByRole('slider', { name: 'Event' });
    await slider.fill('4');
    await page.getByText('(an earlier moment)').waitFor();
    expect(await step.getAttribute('aria-label')).toMatch(/not visited|running/);
    await page.getByRole('button', { name: 'One event forward' }).click();
    expect(await slider.inputValue()).toBe('5');
    await page.keyboard.press('k');
    await page.getByRole('tab', { name: /^Events/ }).click();
    await page.getByRole('table', { name: 'Events' }).getByRole('button', { name: '1', exact: true }).click();
    await page.getByText('event 1 of').waitFor();
  });

  test('an execution at 1280 pixels: its whole graph fits the pane, and its path is seen without scrolling', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(`${keys()}/order-7`);
    await page.getByRole('row').filter({ hasText: 'started recovery' }).getByRole('link').first().click();
    await page.getByText('FAILED', { exact: true }).waitFor();
    await page.getByRole('slider', { name: 'Event' }).press('End');
    const graph = page.getByRole('region', { name: 'Graph of the definition' });
    const states = graph.getByRole('button');
    await graph.getByRole('button', { name: /^Call recovery, Task, succeeded/ }).waitFor();
    const boxOf = async (each: Locator) =>
      (await each.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
    const pane = await boxOf(graph);
    const drawn = await Promise.all((await states.all()).map(boxOf));
    const visited = await graph.getByRole('button', { name: /(?:succeeded|caught|failed)$/ }).all();
    const path = await Promise.all(visited.map(boxOf));

    expect(drawn.length).toBeGreaterThan(18);
    expect(drawn.filter(box => !isWithin(box, pane))).toEqual([]);
    expect(path).toHaveLength(5);
    expect(path.filter(box => !isWithin(box, { x: 0, y: 0, width: 1280, height: 800 }))).toEqual([]);
    await keep('console-execution');
  });

  test('the graph: larger and smaller, all of it again, and only what was visited', async () => {
    await open(`${keys()}/order-7`);
    await page.getByRole('table', { name: 'Story' }).getByRole('link').first().click();
    await page.getByText('SUCCEEDED', { exact: true }).waitFor();
    await page.getByRole('slider', { name: 'Event' }).press('End');
    const graph = page.getByRole('region', { name: 'Graph of the definition' });
    const step = graph.getByRole('button', { name: /^Business step, Task/ });
    const width = async () => (await step.boundingBox())?.width ?? 0;
    const fitting = await width();

    await page.getByRole('button', { name: 'Larger' }).click();
    expect(await width()).toBeCloseTo(1.25 * fitting, 0);
    await page.getByRole('button', { name: 'Smaller' }).click();
    await page.getByRole('button', { name: 'Smaller' }).click();
    expect(await width()).toBeCloseTo(fitting / 1.25, 0);
    await page.getByRole('button', { name: 'Fit' }).click();
    expect(await width()).toBeCloseTo(fitting, 0);

    await page.getByRole('checkbox', { name: 'Visited only' }).check();
    expect(await graph.getByRole('button').allInnerTexts()).toHaveLength(3);
    expect(await width()).toBeGreaterThan(1.2 * fitting);
    await page.getByRole('slider', { name: 'Event' }).fill('4');
    await expect(graph.getByRole('button').count()).resolves.toBeLessThan(3);
  });

  test('an execution: the record as it was at each event, and each state with what it called', async () => {
    await open(`${keys()}/order-7`);
    await page.getByRole('table', { name: 'Story' }).getByRole('link').first().click();
    const records = page.getByRole('region', { name: 'Records at this event' });
    await page.getByRole('slider', { name: 'Event' }).press('End');
    await records.getByText('COMPLETED').waitFor();

    await page.getByRole('slider', { name: 'Event' }).fill('6');
    await records.getByText('IN_PROGRESS').waitFor();
    expect(await records.innerText()).toContain('put with event');
    await page.getByRole('slider', { name: 'Event' }).fill('2');
    await records.waitFor({ state: 'detached' });
    await page.getByRole('slider', { name: 'Event' }).fill('6');
    await page.getByRole('region', { name: 'State Claim record' }).getByText('dynamodb:putItem').waitFor();
  });

  test('a moment of an execution: the slider is there, and the record is as it was then', async () => {
    await open(`${keys()}/order-7`);
    await page.getByRole('row').filter({ hasText: 'claimed the key' }).getByRole('link').first().click();
    const records = page.getByRole('region', { name: 'Records at this event' });

    await page.getByText('(an earlier moment)').waitFor();
    await records.getByText('IN_PROGRESS').waitFor();
    await page.getByRole('region', { name: 'State Claim record' }).waitFor();
  });

  test('a state that has started recovery for another execution: the way to that one', async () => {
    await open(`${keys()}/order-7`);
    await page.getByRole('row').filter({ hasText: 'started recovery' }).getByRole('link').last().click();
    await page.getByRole('button', { name: /^Call recovery, Task/ }).click();
    const state = page.getByRole('region', { name: 'State Call recovery' });
    await state.getByText('calls aws-sdk:sfn:startExecution').waitFor();
    await state.getByRole('link').first().click();

    await page.getByText('redriven once').waitFor();
  });

  test('a history out of a file, without any stack: read in the page; what is none, rejected with a sentence', async () => {
    await open('/history');
    const choose = page.getByLabel('History or definition');
    const file = (name: string, content: string) => ({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    });
    await choose.setInputFiles(file('broken.json', '{"events": ['));
    await page.getByRole('alert').getByText('broken.json: its JSON stops in the middle').waitFor();

    const events = [
      { id: 1, type: 'ExecutionStarted', timestamp: '2026-11-20T09:00:00Z', previousEventId: 0 },
      {
        id: 2,
        type: 'PassStateEntered',
        timestamp: '2026-11-20T09:00:01Z',
        previousEventId: 1,
        stateEnteredEventDetails: { name: 'A' },
      },
    ];
    const definition = { StartAt: 'A', States: { A: { Type: 'Pass', End: true } } };
    await choose.setInputFiles([
      file('history.json', JSON.stringify({ events })),
      file('a.asl.json', JSON.stringify(definition)),
    ]);
    await page.getByRole('button', { name: 'A, Pass, running' }).waitFor();
    await page.getByText('The definition: a.asl.json, as you opened it.').waitFor();

    await choose.setInputFiles(file('broken.json', '{"events": ['));
    await page.getByRole('alert').getByText('broken.json: its JSON stops in the middle').waitFor();
    await page.getByRole('heading', { name: 'history.json' }).waitFor();
    const described = { name: 'b', definition: JSON.stringify(definition).replaceAll('"A"', '"B"') };
    await choose.setInputFiles(file('described.json', JSON.stringify(described)));
    await page.getByRole('alert').getByText('described.json is the definition of another machine').waitFor();
    await page.getByRole('button', { name: 'B, Pass, not visited' }).waitFor();
  });

  test('a file dropped beside the text: opened at its end; a definition of strange types: the tables alone', async () => {
    await open('/history');
    const events = ['A', 'B'].map((name, index) => ({
      id: index + 1,
      type: 'PassStateEntered',
      timestamp: index,
      stateEnteredEventDetails: { name },
    }));
    const drop = (content: unknown) =>
      page.evaluate(`(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([${JSON.stringify(JSON.stringify(content))}], 'dropped.json'));
        const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
        return !document.body.dispatchEvent(event);
      })()`);
    expect(await drop({ events })).toBe(true);
    await page.getByText('event 2 of 2').waitFor();
    await page.getByRole('button', { name: 'One event back' }).click();
    await drop({ events });
    await page.getByText('event 2 of 2').waitFor();
    await drop({ States: { A: null } });
    await page.getByText('There is no definition to draw').waitFor();
  });

  test.each([
    ['an unknown key', () => `${keys()}/nobody`, /there is no record and no known execution of/],
    ['an unknown workflow', () => '/workflows/nothing/keys', /has no workflow nothing/],
    ['an execution that is none', () => '/executions/x', /is not the ARN of an execution/],
    ['no view', () => '/somewhere', /There is no view at \/somewhere/],
  ])('%s: a sentence', async (_, address, sentence) => {
    await open(address());

    await page.getByRole('alert').getByText(sentence).waitFor();
  });

  test.each([390, 800])('%d pixels wide, and dark: a key and its execution fit', async width => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    const pixels = () => page.evaluate('document.documentElement.scrollWidth');
    await open(`${keys()}/order-7`);
    await page.getByText('the next delivery gets the result').waitFor();
    await page.getByText('More', { exact: true }).click();
    const { x = -1 } = (await page.locator('.menu[open] > div').boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(0);
    expect(await pixels()).toBeLessThanOrEqual(width);

    await page.getByRole('table', { name: 'Story' }).getByRole('link').last().click();
    await page.getByRole('heading', { name: /^Execution/ }).waitFor();
    await page.getByText('Claim record').first().waitFor();

    expect(await pixels()).toBeLessThanOrEqual(width);
  });

  test('the server goes away, and comes back: the page says so, and goes on', async () => {
    await open(keys());
    await page.getByText('3 keys').waitFor();
    const port = Number(new URL(server.url).port);
    await server.close();
    await page.getByText('Not connected').waitFor();
    const connection = wideConnectionTo(c.aws, {
      where: 'http://127.0.0.1:8083',
      isLocal: true,
      mayWrite: true,
      stack: undefined,
    });
    server = await serveConsole(await readPage(), connection, port);

    await page.getByText('Not connected').waitFor({ state: 'detached' });
    // The browser itself writes of each attempt that failed.
    complaints.splice(0);
  });

  test('a key that a bus delivered three times: its executions have the name of the key', async () => {
    c.world.deliveries = (_, next) => next();
    c.world.step = () => returns({ charge: 1 });
    const order = { ...ORDER, orderId: 'order-8' };
    await c.world.publish(order);
    await c.world.pass(2000);
    await c.world.publish(order);
    await c.world.pass(1000);
    await c.world.publish({ ...order, amount: 99 });
    await open(`${keys()}/order-8`);

    const story = await page.getByRole('table', { name: 'Story' }).innerText();
    expect(story).toMatch(/Claimed the key as attempt 1\s+delivery · order-8\s/);
    expect(story).toMatch(/Rejected the delivery: .+\s+delivery · order-8-[0-9a-f]{16}\s/);
    expect(story).toContain('Started nothing: the key was completed');
    await keep('console-key');

    await open(keys());
    const machinery = page.getByRole('region', { name: 'Machinery' });
    await machinery.getByRole('button', { name: '1', exact: true }).click();
    const duplicates = page.getByRole('table', { name: 'Duplicates' });
    await duplicates.getByRole('row', { name: /^order-8 .*the key was completed/ }).waitFor();
  });
});

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function isWithin(inner: Box, outer: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}
