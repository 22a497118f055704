import { gzipSync } from 'node:zlib';
import { readPage } from '../index';

/** In bytes, compressed: the page is for a slow line, too, and for a look that takes a second. */
const WEIGHT_MAX = 60_000;

test(`the page: ${WEIGHT_MAX} bytes at most on its way`, async () => {
  const { html, script, style } = await readPage();
  const weight = [html, script, style].reduce((sum, text) => sum + gzipSync(text).length, 0);

  expect(weight).toBeGreaterThan(1000);
  expect(weight).toBeLessThanOrEqual(WEIGHT_MAX);
});
