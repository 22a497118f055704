import type { CDPSession, Page } from 'playwright-core';

/** An event of the browser's trace; its time in microseconds of the browser's clock. */
export interface TraceEvent {
  readonly name: string;
  readonly ts: number;
}

/** Moments that the bench marks in the page. */
export type Mark = 'first' | 'all' | 'begin' | 'end';

/** What is traced: frames as they are drawn, and marks. */
const CATEGORIES = ['devtools.timeline', 'blink.user_timing', 'disabled-by-default-devtools.timeline.frame'];

/** The browser's trace while `work` ran, in the order of time. */
export async function traced(session: CDPSession, work: () => Promise<void>): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { readonly value: unknown }) => events.push(...(value as TraceEvent[]));
  session.on('Tracing.dataCollected', collect);
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: CATEGORIES },
    transferMode: 'ReportEvents',
  });
  await work();
  const complete = new Promise<unknown>(resolve => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', collect);
  return events.toSorted((one, other) => one.ts - other.ts);
}

/** Marks a moment in the page, so that its trace has it. */
export async function mark(page: Page, name: Mark): Promise<void> {
  await page.evaluate(`performance.mark('${name}')`);
}

/** From the navigation until the first frame that was drawn after a mark. @throws Error where the trace has none */
export function millisecondsToPaint(events: readonly TraceEvent[], name: Mark): number {
  const marked = momentOf(events, name);
  const begun = events.findLast(event => event.name === 'navigationStart' && event.ts < marked);
  const drawn = events.find(event => event.name === 'DrawFrame' && event.ts >= marked);
  if (begun === undefined || drawn === undefined) throw new Error(`the trace has no frame after '${name}'`);
  return (drawn.ts - begun.ts) / 1000;
}

/**
 * Frames a second between the marks `begin` and `end`: those in which the page itself has drawn anew. A frame that the
 * browser makes of what was drawn before, such as an empty one while it scrolls, does not count.
 */
export function framesPerSecond(events: readonly TraceEvent[]): number {
  const [begin, end] = [momentOf(events, 'begin'), momentOf(events, 'end')];
  const frames = events.filter(({ name, ts }) => name === 'Layerize' && ts >= begin && ts <= end);
  return frames.length / ((end - begin) / 1_000_000);
}

function momentOf(events: readonly TraceEvent[], name: Mark): number {
  const marked = events.find(event => event.name === name);
  if (marked === undefined) throw new Error(`the trace has no mark '${name}'`);
  return marked.ts;
}
