import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { pictures, REVIEWED } from '../../../proof/diagram/pictures';
import { describeInBrowser, openBrowser, openPage } from '../../support/browser';
import { executionPictures } from './executions';

const ROOT = path.join(__dirname, '../../..');
/** In pixels: how wide GitHub shows a picture of a document. */
const WIDTH = 830;
const TEXT_MIN = 11;

/** A text, or a box that holds one, as the browser has drawn it. */
interface Drawn {
  readonly what: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

describeInBrowser('the pictures of the workflow, in Chromium', () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await openBrowser();
    ({ page, complaints } = await openPage(browser));
  }, 60_000);
  afterAll(async () => {
    expect(complaints).toEqual([]);
    await browser?.close();
  });

  const files = [
    ...pictures(readFileSync(path.join(ROOT, REVIEWED), 'utf8')).map(([file]) => file),
    ...executionPictures.map(({ file }) => file),
  ];
  const open = async (file: string) => {
    const svg = readFileSync(path.join(ROOT, file), 'utf8');
    await page.setContent(`<div style="width: ${WIDTH}px">${svg}</div>`);
  };
  const drawn = (selector: string) =>
    page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map(element => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return { what: element.textContent.trim() || element.parentElement.textContent.trim(), left, top, right, bottom };
    })`) as Promise<readonly Drawn[]>;

  test.each(files)(`%s at ${WIDTH} pixels: its text has ${TEXT_MIN} or more`, async file => {
    await open(file);
    const sizes = (await page.evaluate(`(() => {
      const svg = document.querySelector('svg');
      const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
      return [...svg.querySelectorAll('text')].map(text => scale * parseFloat(getComputedStyle(text).fontSize));
    })()`)) as readonly number[];

    expect(sizes.length).toBeGreaterThan(8);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(TEXT_MIN);
  });

  test.each(files)(
    '%s: no text lies on another or across the edge of a box, and nothing is cut off',
    async file => {
      await open(file);
      const [texts, boxes, [all]] = await Promise.all([drawn('text'), drawn('.node > rect'), drawn('svg')]);
      const overlapping = texts.flatMap((one, index) =>
        texts.slice(index + 1).flatMap(other => (meet(one, other) ? [`${one.what} / ${other.what}`] : [])),
      );
      // A sign stands on the corner of its box, and covers nothing.
      const words = texts.filter(({ what }) => what.length > 1);
      const crossing = words.flatMap(text =>
        boxes.flatMap(box => (meet(text, box) && !within(text, box) ? [`${text.what} / ${box.what}`] : [])),
      );

      expect({ overlapping, crossing }).toEqual({ overlapping: [], crossing: [] });
      expect(texts.filter(text => all && !within(text, all))).toEqual([]);
    },
  );

  test('dark: the text is light, and its ground is dark', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await open('docs/images/workflow.svg');
    const colors = await page.evaluate(`['text', '.ground'].map(selector =>
      getComputedStyle(document.querySelector(selector)).fill)`);
    await page.emulateMedia({ colorScheme: 'light' });

    expect(colors).toEqual(['rgb(230, 237, 243)', 'rgb(13, 17, 23)']);
  });
});

function meet(one: Drawn, other: Drawn): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function within(inner: Drawn, outer: Drawn): boolean {
  return (
    inner.left >= outer.left &&
    inner.right <= outer.right &&
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom
  );
}
