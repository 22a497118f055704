import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Problem } from '@onceflow/console';
import { Refusal } from '../refusal';
import type { Place } from './read-views';
import { untilNext, type View, type ViewRoute } from './routes';

/** A view that has not changed is sent again after this time: its ages are from when it was read. */
const AGAIN_MS = 30_000;

/** A view that somebody looks at. */
export interface Followed {
  /** As it was asked for: what is sent says which view it is. */
  readonly of: string;
  readonly route: ViewRoute;
}

/**
 * Sends views as server-sent events, each at once and whenever it has changed, until the reader goes away: `of`, and
 * the `view`. What cannot be read is sent as a sentence, and tried again.
 */
export async function stream(
  place: Place,
  followed: readonly Followed[],
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.on('error', () => gone.abort());
  // A browser that lost the stream asks for it again after this time.
  response.write('retry: 1000\n\n');
  await Promise.all(followed.map(each => follow(place, each, response, gone.signal)));
}

async function follow(
  place: Place,
  { of, route }: Followed,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  let sent = '';
  let sentAt = 0;
  while (!gone.aborted) {
    const begun = performance.now();
    const view = await readFrom(place, route);
    const tookMs = performance.now() - begun;
    // The time of the reading alone is no change.
    const seen = JSON.stringify(view, (name, value) => (name === 'now' ? undefined : value));
    if (seen !== sent || Date.now() - sentAt > AGAIN_MS) {
      response.write(`event: view\ndata: ${JSON.stringify({ of, view })}\n\n`);
      sent = seen;
      sentAt = Date.now();
    }
    // A reader that is slower than the changes gets the last one.
    if (response.writableNeedDrain) await drained(response, gone);
    const ms = untilNext(route, view, { isLocal: place.isLocal, tookMs });
    await delay(ms, undefined, { signal: gone }).catch(() => undefined);
  }
}

async function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  if (gone.aborted) return;
  await new Promise<void>(resolve => {
    response.once('drain', resolve);
    gone.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A view, or the sentence about why there is none. @throws what is a fault of this program */
export async function readFrom(place: Place, route: ViewRoute): Promise<View | Problem> {
  try {
    return await route.read(place);
  } catch (error) {
    if (error instanceof Refusal) return { error: error.message };
    throw error;
  }
}
