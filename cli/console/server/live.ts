import type { ServerResponse } from 'node:http';
import type { HistoryEvent, Problem, ViewMessage } from '@onceflow/console';
import type { View, ViewRoute } from './routes';
import type { ViewPoller } from './view-polling';

/** A view that a browser shows. */
export interface Followed {
  /** As it was asked for: what is sent says which view it is. */
  readonly of: string;
  readonly route: ViewRoute;
}

/**
 * Sends views as server-sent events, each at once and whenever it has changed, until the reader goes away. A view that
 * cannot be read is sent as a sentence.
 *
 * @throws what is an internal error
 */
export async function stream(
  poller: ViewPoller,
  followed: readonly Followed[],
  response: ServerResponse,
): Promise<void> {
  // A browser that lost the stream asks for it again after this time.
  response.write('retry: 1000\n\n');
  const channel = new Channel(response);
  const leaving: (() => void)[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      response.on('close', resolve);
      response.on('error', resolve);
      for (const { of, route } of followed) {
        const view = (read: View | Problem) => channel.send(of, read);
        leaving.push(poller.follow(of, route, { view, fault: reject }));
      }
    });
  } finally {
    for (const leave of leaving) leave();
  }
}

/** The way to one reader. One that is slower than the changes gets the last one. */
class Channel {
  readonly #response: ServerResponse;
  readonly #waiting = new Map<string, View | Problem>();
  /** The events that the reader has, of each execution. */
  readonly #events = new Map<string, readonly HistoryEvent[]>();

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on('drain', () => this.#flush());
  }

  send(of: string, view: View | Problem): void {
    this.#waiting.set(of, view);
    this.#flush();
  }

  #flush(): void {
    for (const [of, view] of this.#waiting) {
      if (this.#response.writableNeedDrain || this.#response.destroyed) return;
      this.#waiting.delete(of);
      this.#response.write(`event: view\ndata: ${JSON.stringify(this.#messageOf(of, view))}\n\n`);
    }
  }

  #messageOf(of: string, view: View | Problem): ViewMessage {
    if (!('events' in view)) return { of, view, kept: 0 };
    const kept = keptOf(this.#events.get(of) ?? [], view.events);
    this.#events.set(of, view.events);
    return { of, view: { ...view, events: view.events.slice(kept) }, kept };
  }
}

/** A history grows at its end: how many events of the one before are the first of this one. */
function keptOf(before: readonly HistoryEvent[], events: readonly HistoryEvent[]): number {
  const [last, same] = [before.at(-1), events[before.length - 1]];
  const isSame = last?.id === same?.id && last?.type === same?.type && last?.timestamp === same?.timestamp;
  return isSame ? before.length : 0;
}
