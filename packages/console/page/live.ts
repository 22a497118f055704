import { signal, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { ExecutionView, HistoryEvent, Problem, ViewMessage } from '../views';

/** A view as it was read last, and how that stands. */
export interface Live<View> {
  readonly view: View | undefined;
  /** Why it could not be read; the view before stays. */
  readonly problem: string | undefined;
}

/** False while the server is not reached: it may be restarting. */
export const isConnected = signal(true);

type Reader = (read: unknown) => void;

/** A view that is followed: who reads it, and what was read last; undefined before the first time. */
interface Followed {
  readonly readers: Set<Reader>;
  last?: unknown;
  /** Of an execution: the events that have come. */
  events?: readonly HistoryEvent[];
}

const views = new Map<string, Followed>();
let stream: EventSource | undefined;
let followed = '';

/**
 * Reads a view from the server, again whenever it has changed there, as long as the tab is seen. `address` is that of
 * the API. A view that is followed already is there at once.
 */
export function useLive<View>(address: string): Live<View> {
  const state = useSignal<Live<View>>({ view: undefined, problem: undefined });
  // Before the browser paints: a view that goes and one that comes are then one change of the stream.
  useLayoutEffect(() => {
    state.value = { view: undefined, problem: undefined };
    const { readers, last } = followedAt(address);
    const reader: Reader = read => {
      state.value = isProblem(read)
        ? { view: state.value.view, problem: read.error }
        : { view: read as View, problem: undefined };
    };
    readers.add(reader);
    if (last !== undefined) reader(last);
    queueMicrotask(follow);
    return () => {
      readers.delete(reader);
      queueMicrotask(follow);
    };
  }, [address]);
  return state.value;
}

function followedAt(address: string): Followed {
  const followed = views.get(address) ?? { readers: new Set() };
  views.set(address, followed);
  return followed;
}

document.addEventListener('visibilitychange', follow);

/**
 * One stream carries everything that the tab shows, and none does while the tab is hidden: browsers have six
 * connections for all tabs of a page, and a hidden view need not be read.
 */
function follow(): void {
  // One reader may have gone, and another one of the same view have come: what is left without any is given up.
  for (const [address, { readers }] of views) if (readers.size === 0) views.delete(address);
  const addresses = document.visibilityState === 'hidden' ? [] : [...views.keys()];
  const query = new URLSearchParams(addresses.map(address => ['of', address])).toString();
  if (query === followed) return;
  followed = query;
  stream?.close();
  stream = query === '' ? undefined : streamOf(query);
}

/** Reads everything that is shown once more, now. */
export function readAgain(): void {
  followed = '';
  follow();
}

function streamOf(query: string): EventSource {
  // It reconnects automatically, for as long as it takes.
  const opened = new EventSource(`/api/live?${query}`);
  opened.addEventListener('view', ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as ViewMessage;
    isConnected.value = true;
    const followed = views.get(message.of);
    if (followed === undefined) return;
    const view = viewIn(message, followed);
    followed.last = view;
    for (const reader of followed.readers) reader(view);
  });
  opened.addEventListener('open', () => {
    isConnected.value = true;
  });
  opened.addEventListener('error', () => {
    isConnected.value = false;
  });
  return opened;
}

/** The view of a message; of an execution it has only the events that the page has not. */
function viewIn({ view, kept }: ViewMessage, followed: Followed): unknown {
  if (typeof view !== 'object' || view === null || !('events' in view)) return view;
  const { events, ...head } = view as ExecutionView;
  const before = followed.events ?? [];
  // The same list where nothing has come: what was made of it holds.
  if (events.length > 0 || kept !== before.length) followed.events = [...before.slice(0, kept), ...events];
  return { ...head, events: followed.events ?? events };
}

/** A view may have an `error` of its own: a problem has nothing else. */
function isProblem(read: unknown): read is Problem {
  return typeof read === 'object' && read !== null && 'error' in read && Object.keys(read).length === 1;
}
