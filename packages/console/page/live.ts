import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Problem } from '../views';

/** A view as it was read last, and how that stands. */
export interface Live<View> {
  readonly view: View | undefined;
  /** Why it could not be read; the view before stays. */
  readonly problem: string | undefined;
  /** False while the server is not reached: it may be restarting. */
  readonly isConnected: boolean;
}

/** Reads a view from the server, again whenever it has changed there. `address` is that of the API. */
export function useLive<View>(address: string): Live<View> {
  const state = useSignal<Live<View>>({ view: undefined, problem: undefined, isConnected: true });
  useEffect(() => {
    state.value = { view: undefined, problem: undefined, isConnected: true };
    // It connects anew by itself, for as long as it takes.
    const stream = new EventSource(`/api/live?of=${encodeURIComponent(address)}`);
    stream.addEventListener('view', ({ data }: MessageEvent<string>) => {
      const read = JSON.parse(data) as View | Problem;
      const problem = typeof read === 'object' && read !== null && 'error' in read && isProblem(read);
      state.value = problem
        ? { view: state.value.view, problem: (read as Problem).error, isConnected: true }
        : { view: read as View, problem: undefined, isConnected: true };
    });
    stream.addEventListener('open', () => {
      state.value = { ...state.value, isConnected: true };
    });
    stream.addEventListener('error', () => {
      state.value = { ...state.value, isConnected: false };
    });
    return () => stream.close();
  }, [address]);
  return state.value;
}

/** A view may have an `error` of its own: a problem has nothing else. */
function isProblem(read: object): boolean {
  return Object.keys(read).length === 1;
}
