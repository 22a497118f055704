import { consolePage } from '../../../proof/bench/console/page-bench';
import { describeInBrowser } from '../../support/browser';
import { referenceAssembly } from '../../support/reference-app';

describeInBrowser('the bench of the console', () => {
  test('few keys and a short history: every figure, out of the traces', async () => {
    const size = { keys: 30, iterations: 40, runs: 1 };
    const { figures = [], notMeasured } = await consolePage(await referenceAssembly(), () => undefined, size);

    expect(notMeasured).toEqual([]);
    expect(figures.map(({ what, unit }) => `${what}: ${unit}`)).toEqual([
      '10,000 keys: first rows seen: ms',
      '10,000 keys: all read: ms',
      '10,000 keys: scrolling, frames: /s',
      '25,000 events: first rows seen: ms',
      '25,000 events: all read: ms',
      '25,000 events: scrolling, frames: /s',
      '25,000 events: slider, frames: /s',
      'weight of the page, compressed: bytes',
    ]);
    expect(figures.filter(({ what }) => what.endsWith('seen')).every(({ value }) => value > 0)).toBe(true);
  }, 120_000);
});
