import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { KeyRow } from '../../views';
import { NO_FILTER, type Route } from '../address';
import { go } from '../router';
import { filtered } from './keys-filter';

/** The rows of the list that is seen; empty on every other page. */
export const listed = signal<readonly KeyRow[]>([]);

/** Finds keys from everywhere: in the list while it is typed, and the very key with Enter. */
export function Search({ at }: { readonly at: Route }) {
  const filter = at.view === 'keys' ? at.filter : NO_FILTER;
  const workflow = 'workflow' in at ? at.workflow : undefined;
  const typed = useSignal(filter.search);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    typed.value = filter.search;
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
    go(
      { view: 'keys', ...(workflow !== undefined && { workflow }), filter: { ...filter, search } },
      { isSame },
    );
  const open = (event: Event) => {
    event.preventDefault();
    const key = typed.value.trim();
    if (at.view !== 'keys') return list(key, false);
    const exact = listed.value.filter(row => row.key === key);
    const found = exact.length > 0 ? exact : filtered(listed.value, { ...NO_FILTER, search: key });
    // What is part of a row, such as an error, is no key of its own.
    const isKey = exact.length > 0 || found.length === 0;
    const where = exact.length > 0 ? exact[0]?.workflow : (workflow ?? listed.value[0]?.workflow);
    if (key !== '' && isKey && where !== undefined) go({ view: 'key', workflow: where, key });
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
