import { existsSync, readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** The program of a Chromium on this machine, or that of CHROMIUM; undefined if there is none. */
const CHROMIUM = process.env['CHROMIUM'] ?? PLACES.find(place => existsSync(place));

/** Starts Chromium. As root it has no sandbox of its own: it opens pages of this machine alone. */
export function openBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: CHROMIUM ?? '', args });
}

/** `describe` where there is a Chromium; elsewhere the suite is skipped, and its name says why. */
export function describeInBrowser(name: string, suite: () => void): void {
  if (CHROMIUM === undefined)
    describe.skip(`${name} (skipped: no Chromium here; install one, or set CHROMIUM)`, suite);
  else describe(name, suite);
}

/** A page that takes note of what must not happen: errors in its console, and requests off this machine. */
export async function openPage(
  browser: Browser,
): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
  const complaints: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(error.message));
  page.on('request', request => {
    if (new URL(request.url()).hostname !== '127.0.0.1') complaints.push(`asked ${request.url()}`);
  });
  page.on('dialog', dialog => {
    complaints.push(`said ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, complaints };
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds on the page that is serious or worse, a line each. */
export async function barriersOn(page: Page): Promise<readonly string[]> {
  // Run by the debugger: the page's own policy lets no other script in.
  const found: unknown = await page.evaluate(`${AXE}; axe.run().then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(node => node.target.join(' ')).join(', ')))`);
  return found as readonly string[];
}
