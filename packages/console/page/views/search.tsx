import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { KeyRow } from '../../views';
import { NO_FILTER, type Route } from '../address';
import { filtered } from '../filter';
import { go } from '../router';

/** The rows of the list that is seen; empty on every other page. */
export const listed = signal<readonly KeyRow[]>([]);

/** Finds keys from everywhere: in the list while it is typed, and the very key with Enter. */
export function Search({ at }: { readonly at: Route }) {
  const filter = at.view === 'keys' ? at.filter : NO_FILTER;
  const workflow = 'workflow' in at ? at.workflow : undefined;
  const typed = useSignal(filter.search);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The field is ahead of the address while the user types.
    if (document.activeElement !== field.current) typed.value = filter.search;
  }, [filter.search]);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyped = (event.target as HTMLElement).closest('input, textarea, select, dialog') !== null;
      if (event.key !== '/' || isTyped || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  const list = (search: string, isSame: boolean) =>
    go({ view: 'keys', workflow, filter: { ...filter, search } }, { isSame });
  const open = (event: Event) => {
    event.preventDefault();
    const key = typed.value.trim();
    if (at.view !== 'keys') return list(key, false);
    const rows = listed.value;
    const exact = rows.filter(row => row.key === key);
    const found = filtered(rows, { ...NO_FILTER, search: key });
    // Text of an error is not a key, and the name of an owner leads to its key. The server finds every other form of a
    // key, in any workflow.
    const isKey = found.length === 0 || found.some(row => row.key.toLowerCase().includes(key.toLowerCase()));
    const [row] = exact.length === 1 ? exact : isKey ? [] : found.filter(({ owner }) => owner === key);
    const where = row?.workflow ?? workflow;
    if (key !== '' && (isKey || row?.key)) go({ view: 'key', workflow: where, key: row?.key ?? key });
  };
  return (
    <search>
      <form onSubmit={open}>
        <input
          ref={field}
          type="search"
          aria-label="Search"
          value={typed.value}
          placeholder="Find a key, owner or error"
          title="Enter opens the key"
          aria-keyshortcuts="/"
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            if (at.view === 'keys') list(currentTarget.value, true);
          }}
        />
        <kbd>/</kbd>
      </form>
    </search>
  );
}
