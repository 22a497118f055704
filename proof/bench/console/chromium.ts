import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** The program of a Chromium on this machine, or that of CHROMIUM; undefined where there is none. */
export const CHROMIUM = process.env['CHROMIUM'] ?? PLACES.find(place => existsSync(place));

/** Starts Chromium. As root it has no sandbox of its own: it opens pages of this machine alone. */
export function openBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: CHROMIUM ?? '', args });
}
