import type { Data } from '../language/index';
import type { Child, Iterations, Thread } from './execution';

// The iterations of a Map may be tens of thousands, of which a few run. One that is put in the place of another copies
// its chunk and the list of chunks, and who looks for those that run passes by the chunks in which all have ended.

const CHUNK = 256;

/** How many have been started. */
export function countOf(iterations: Iterations): number {
  const last = iterations.at(-1);
  return last ? (iterations.length - 1) * CHUNK + last.children.length : 0;
}

/** The iteration of the item at `index`, or undefined where that has not been started. */
export function iterationAt(iterations: Iterations, index: number): Child | undefined {
  return iterations[Math.floor(index / CHUNK)]?.children[index % CHUNK];
}

/** The same with the iteration at `index` replaced or, directly behind the last one, added. */
export function withIteration(iterations: Iterations, index: number, child: Child): Iterations {
  const number = Math.floor(index / CHUNK);
  const { children, live } = iterations[number] ?? { children: [], live: 0 };
  const change = liveIn(child) - liveIn(children[index % CHUNK]);
  const changed = [...children];
  changed[index % CHUNK] = child;
  const chunks = [...iterations];
  chunks[number] = { children: changed, live: live + change };
  return chunks;
}

/** Those that have not ended, with their indices. */
export function liveIterations(
  iterations: Iterations,
): readonly { readonly index: number; readonly thread: Thread }[] {
  return iterations.flatMap((chunk, number) =>
    chunk.live === 0
      ? []
      : chunk.children.flatMap((child, at) =>
          child.kind === 'live' ? [{ index: number * CHUNK + at, thread: child.thread }] : [],
        ),
  );
}

/** Whether any has not ended. */
export function hasLive(iterations: Iterations): boolean {
  return iterations.some(({ live }) => live > 0);
}

/** The outputs of those that have ended, in the order of the items. */
export function outputsOf(iterations: Iterations): readonly Data[] {
  return iterations.flatMap(({ children }) =>
    children.flatMap(child => (child.kind === 'done' ? [child.output] : [])),
  );
}

function liveIn(child: Child | undefined): number {
  return child?.kind === 'live' ? 1 : 0;
}
