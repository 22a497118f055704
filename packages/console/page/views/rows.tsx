import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The height of a row, as the style sheet has it. */
const ROW = 36;
/** Rows above and below the visible ones, so that scrolling shows no gap. */
const SPARE = 30;

/** A column: its title, and its share of the width. */
export type Column = readonly [title: string, share: number];

/** A table of any length: only what is seen, and a little more, is in the document. */
export function Rows(props: {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly count: number;
  readonly row: (index: number) => readonly ComponentChildren[];
}) {
  const { label, columns, count, row } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const seen = useSignal({ from: 0, to: 60 });
  useEffect(() => {
    const look = () => {
      const top = body.current?.getBoundingClientRect().top ?? 0;
      const from = Math.max(0, Math.floor(-top / ROW) - SPARE);
      const to = Math.ceil((innerHeight - top) / ROW) + SPARE;
      if (from !== seen.value.from || to !== seen.value.to) seen.value = { from, to };
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [count]);
  const from = Math.min(seen.value.from, count);
  const to = Math.min(count, seen.value.to);
  const indices = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  const whole = columns.reduce((sum, [, share]) => sum + share, 0);
  // Arrows go from link to link, as the rows stand.
  const step = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = (event.target as HTMLElement).closest('tr');
    if (by === undefined || at === null) return;
    const next = by > 0 ? at.nextElementSibling : at.previousElementSibling;
    const link = next?.querySelector('a');
    if (!link) return;
    event.preventDefault();
    link.focus();
  };
  return (
    <table class="list rows" aria-label={label} aria-rowcount={count + 1}>
      <colgroup>
        {columns.map(([title, share]) => (
          <col key={title} class={classOf(title)} style={{ '--share': `${(100 * share) / whole}%` }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(([title]) => (
            <th key={title} scope="col" class={classOf(title)}>
              {title === 'choose' ? <span class="visually-hidden">choose</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={step}>
        <Gap rows={from} columns={columns.length} />
        {indices.map(index => (
          <tr key={index} aria-rowindex={index + 2}>
            {row(index).map((cell, column) => (
              <td key={columns[column]?.[0]} class={classOf(columns[column]?.[0] ?? '')}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
        <Gap rows={count - to} columns={columns.length} />
      </tbody>
    </table>
  );
}

/** By which a narrow page leaves a column out. */
function classOf(title: string): string {
  return `c-${title.replaceAll(' ', '-')}`;
}

/** As high as the rows that are left out. */
function Gap({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr class="gap">
      <td colSpan={columns} style={{ height: `${rows * ROW}px` }} />
    </tr>
  );
}
