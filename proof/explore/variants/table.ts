import type { Budget } from '../search/expansion';
import type { Exploration } from '../search/search';
import type { ExploredVariant } from './variants';

/** What a variant came to. */
export interface VariantFate {
  readonly variant: ExploredVariant;
  readonly budget: Budget;
  /** A hash of the definitions that it was counted on. */
  readonly definition: string;
  readonly seconds: number;
  readonly exploration: Exploration;
}

const COLUMNS = [
  'variant',
  'deliveries',
  'faults, up to',
  'states',
  'transitions',
  'depth',
  'violations',
  'counted on',
];

/** What the variants came to as a table: for a person with the seconds, or as Markdown, the same in each run. */
export function renderVariants(fates: readonly VariantFate[], isMarkdown: boolean): string {
  if (!isMarkdown) {
    const rows = fates.map(fate => [...cellsOf(fate), `${fate.seconds.toFixed(1)} s`]);
    return aligned([[...COLUMNS, 'time'], ...rows]);
  }
  const lines = fates.map(fate => rowOf(cellsOf(fate)));
  return [rowOf(COLUMNS), rowOf(COLUMNS.map(() => '---')).replaceAll(' ', ''), ...lines]
    .map(line => `${line}\n`)
    .join('');
}

function cellsOf({ variant, budget, definition, exploration }: VariantFate): string[] {
  const { states, transitions, depth, violation, stopped } = exploration;
  const numbers = [budget.executions, budget.faults, states, transitions, depth];
  const found = violation?.invariant ?? (stopped ? `none so far: ${stopped}` : 'none');
  const counts = numbers.map(number => number.toLocaleString('en-US'));
  return [variant.name, ...counts, found, `\`${definition}\``];
}

/** A row of a table in Markdown. */
export function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return rows.map(row => `  ${line(row).join('  ').trimEnd()}\n`).join('');
}
