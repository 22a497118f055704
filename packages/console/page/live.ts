import { signal, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Problem } from '../views';

/** A view as it was read last, and how that stands. */
export interface Live<View> {
  readonly view: View | undefined;
  /** Why it could not be read; the view before stays. */
  readonly problem: string | undefined;
}

/** False while the server is not reached: it may be restarting. */
export const isConnected = signal(true);

type Reader = (read: unknown) => void;

const readers = new Map<string, Reader>();
let stream: EventSource | undefined;
let followed = '';

/**
 * Reads a view from the server, again whenever it has changed there, as long as the tab is seen. `address` is that of
 * the API; at one time one component reads it.
 */
export function useLive<View>(address: string): Live<View> {
  const state = useSignal<Live<View>>({ view: undefined, problem: undefined });
  // Before the browser paints: a view that goes and one that comes are then one change of the stream.
  useLayoutEffect(() => {
    state.value = { view: undefined, problem: undefined };
    readers.set(address, read => {
      state.value = isProblem(read)
        ? { view: state.value.view, problem: read.error }
        : { view: read as View, problem: undefined };
    });
    queueMicrotask(follow);
    return () => {
      readers.delete(address);
      queueMicrotask(follow);
    };
  }, [address]);
  return state.value;
}

document.addEventListener('visibilitychange', follow);

/**
 * One stream carries everything that the tab shows, and none does while it is not seen: browsers have six connections
 * for all tabs of a page, and what nobody looks at need not be read.
 */
function follow(): void {
  const addresses = document.visibilityState === 'hidden' ? [] : [...readers.keys()];
  const query = new URLSearchParams(addresses.map(address => ['of', address])).toString();
  if (query === followed) return;
  followed = query;
  stream?.close();
  stream = query === '' ? undefined : streamOf(query);
}

function streamOf(query: string): EventSource {
  // It connects anew by itself, for as long as it takes.
  const opened = new EventSource(`/api/live?${query}`);
  opened.addEventListener('view', ({ data }: MessageEvent<string>) => {
    const { of, view } = JSON.parse(data) as { readonly of: string; readonly view: unknown };
    isConnected.value = true;
    readers.get(of)?.(view);
  });
  opened.addEventListener('open', () => {
    isConnected.value = true;
  });
  opened.addEventListener('error', () => {
    isConnected.value = false;
  });
  return opened;
}

/** A view may have an `error` of its own: a problem has nothing else. */
function isProblem(read: unknown): read is Problem {
  return typeof read === 'object' && read !== null && 'error' in read && Object.keys(read).length === 1;
}
