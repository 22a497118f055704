import { setTimeout as delay } from 'node:timers/promises';
import type { Problem } from '@onceflow/console';
import { Rejection } from '../../program/rejection';
import type { Connection } from '../connection';
import { untilNext, type View, type ViewRoute } from './routes';

/** A view that has not changed is sent again after this time: its ages are from the time of the read. */
const AGAIN_MS = 30_000;
/** The smallest interval between two messages with the parts that were read so far. */
const PART_EVERY_MS = 250;

/** So many views are read at a time: what one tab shows. The others wait for their turn. */
const AT_A_TIME_MAX = 4;

/** Who looks at a view. */
export interface Listener {
  /** The view after each change; also a part of it, during the first read. */
  view(view: View | Problem): void;
  /** A fault of this program: nothing more comes. */
  fault(error: unknown): void;
}

/**
 * The views that browsers show. Each is read once for all browsers that show it, however many tabs are open, and again
 * and again for as long as one does.
 */
export class ViewPoller {
  readonly #connection: Connection;
  readonly #open = new Map<string, PolledView>();
  readonly #semaphore = new Semaphore();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Tells a listener of the view at an address until the returned function is called: at once what was read last, where
   * others look at it already, and what it is now. A view that cannot be read is sent as a sentence, and tried again.
   */
  follow(address: string, route: ViewRoute, listener: Listener): () => void {
    let polled = this.#open.get(address);
    if (polled === undefined) {
      polled = new PolledView(this.#connection, route, this.#semaphore, () => this.#open.delete(address));
      this.#open.set(address, polled);
    }
    return polled.add(listener);
  }

  /** The view of a route, read once, or why there is none. @throws what is an internal error */
  readOnce(route: ViewRoute): Promise<View | Problem> {
    return this.#semaphore.take(() => readFrom(this.#connection, route));
  }
}

/** Lets only so many do their work at a time; the others do it in the order in which they came. */
class Semaphore {
  #free = AT_A_TIME_MAX;
  readonly #waiting: (() => void)[] = [];

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

class PolledView {
  readonly #connection: Connection;
  readonly #route: ViewRoute;
  readonly #semaphore: Semaphore;
  readonly #ended: () => void;
  readonly #listeners = new Set<Listener>();
  #waiting = new AbortController();
  #isRunning = false;
  #last: View | Problem | undefined;
  /** The last view that was read as a whole. */
  #whole: View | undefined;
  #text = '';
  #publishedAt = Number.NEGATIVE_INFINITY;

  constructor(connection: Connection, route: ViewRoute, semaphore: Semaphore, ended: () => void) {
    this.#connection = connection;
    this.#route = route;
    this.#semaphore = semaphore;
    this.#ended = ended;
  }

  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#last !== undefined) listener.view(this.#last);
    this.#publishedAt = Number.NEGATIVE_INFINITY;
    if (this.#isRunning) this.#waiting.abort();
    else void this.#run();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#waiting.abort();
    };
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      while (this.#listeners.size > 0) {
        const waitMs = await this.#semaphore.take(() => this.#readOnce());
        await delay(waitMs, undefined, { signal: this.#waiting.signal }).catch(() => undefined);
      }
    } catch (error) {
      for (const listener of this.#listeners) listener.fault(error);
    } finally {
      this.#ended();
    }
  }

  /** Resolves to the milliseconds until it is read again. */
  async #readOnce(): Promise<number> {
    // No browser shows it any more: the turn has come too late.
    if (this.#listeners.size === 0) return 0;
    const begun = performance.now();
    this.#waiting = new AbortController();
    const onPart = (part: () => View) => {
      const isDue = performance.now() - this.#publishedAt >= PART_EVERY_MS;
      if (this.#whole === undefined && isDue) this.#publish(part());
    };
    const view = await readFrom(this.#connection, this.#route, onPart, this.#whole);
    const tookMs = performance.now() - begun;
    if (this.#hasChanged(view) || performance.now() - this.#publishedAt > AGAIN_MS) this.#publish(view);
    if (!isProblem(view)) this.#whole = view;
    return untilNext(this.#route, view, { isLocal: this.#connection.isLocal, tookMs });
  }

  #hasChanged(view: View | Problem): boolean {
    // An execution that has not changed is the same as before.
    if (view === this.#last) return false;
    // A new time of the read alone is not a change.
    const text = JSON.stringify({ ...view, now: 0 });
    const hasChanged = text !== this.#text;
    this.#text = text;
    return hasChanged;
  }

  #publish(view: View | Problem): void {
    this.#last = view;
    this.#publishedAt = performance.now();
    for (const listener of this.#listeners) listener.view(view);
  }
}

/** A view, or the sentence about why there is none. @throws what is an internal error */
async function readFrom(
  connection: Connection,
  route: ViewRoute,
  onPart: (part: () => View) => void = () => undefined,
  before?: View,
): Promise<View | Problem> {
  try {
    return await route.read(connection, onPart, before);
  } catch (error) {
    if (error instanceof Rejection) return { error: error.message };
    throw error;
  }
}

/** A view may have an `error` of its own: a problem has nothing else. */
function isProblem(view: View | Problem): view is Problem {
  return 'error' in view && Object.keys(view).length === 1;
}
