import { useSignal } from '@preact/signals';
import { duration, moment } from '../text';

/** So long it says that it was copied. */
const SAID_MS = 2_000;

/** A button that puts a text on the clipboard. */
export function Copy({ text, children }: { readonly text: () => string; readonly children: string }) {
  const said = useSignal(children);
  const copy = async () => {
    said.value = await navigator.clipboard.writeText(text()).then(
      () => 'Copied',
      () => 'The browser did not allow it',
    );
    setTimeout(() => {
      said.value = children;
    }, SAID_MS);
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      <span role="status">{said.value}</span>
    </button>
  );
}

/** How long ago something was; when exactly, on hover. */
export function Age({ at, now }: { readonly at: number | null; readonly now: number }) {
  if (at === null) return <span>?</span>;
  return <time title={moment(at)}>{duration(now - at)}</time>;
}
