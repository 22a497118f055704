import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withSynthesizedApp } from '../../cli/app/synthesize';
import type { Progress } from '../../cli/program/progress';
import { shownHash } from './model/definition-hash';
import { subjectOfAssembly } from './model/load-subject';
import type { Subject } from './model/subject';
import type { Options } from './options';
import type { Budget } from './search/expansion';
import { type Exploration, explore } from './search/search';
import { exploreVariant, neverEntered, withVariants } from './variants/run';
import { renderVariants, rowOf, type VariantFate } from './variants/table';
import { VARIANTS, type VariantName } from './variants/variants';

/** One row of the page's figures: what is explored how far. */
interface Row extends Budget {
  /** Undefined: the reference app. */
  readonly variant?: VariantName;
}

const DIRECT = { channels: ['direct'] } as const;

/** The pages that have tables of figures. */
export const FIGURE_PAGES = ['exploration.md', 'explored-variants.md'] as const;

/** The rows of the page's tables, the variants' apart, by the name of the table. */
const TABLES: Readonly<Record<string, readonly Row[]>> = {
  'told apart': [{ ...DIRECT, executions: 2, faults: 2 }],
  'one of those alike': [
    { ...DIRECT, executions: 2, faults: 2, symmetry: true },
    { ...DIRECT, executions: 1, faults: 3, symmetry: true },
    { ...DIRECT, executions: 2, faults: 3, symmetry: true },
    { channels: ['direct', 'dispatcher'], executions: 3, faults: 1, symmetry: true },
    { ...DIRECT, variant: 'express', executions: 2, faults: 2, symmetry: true },
    { ...DIRECT, variant: 'on-failure', executions: 1, faults: 3, symmetry: true },
  ],
};

const HEAD = [
  'definition',
  'deliveries',
  'started',
  'faults, up to',
  'states',
  'transitions',
  'depth',
  'violations',
  'counted on',
];

const PLACES = /^(<!-- explore: (?!end)([^>]+) -->)\n[\s\S]*?^(<!-- explore: end -->)$/gm;

/** A document whose places for figures, `<!-- explore: NAME -->` to `<!-- explore: end -->`, say these. */
export function withFigures(document: string, blocks: Readonly<Record<string, string>>): string {
  return document.replace(PLACES, (place, begin: string, name: string, end: string) => {
    const block = blocks[name];
    return block === undefined ? place : `${begin}\n\n${block}\n${end}`;
  });
}

/** One row of a table, as the page has it. */
function figureRow(
  { variant, executions, faults, channels }: Row,
  definition: string,
  { states, transitions, depth, violation, stopped }: Exploration,
): string {
  const started = channels.length > 1 ? 'directly or by the dispatcher' : 'directly';
  const counts = [states, transitions, depth].map(count => count.toLocaleString('en-US'));
  const found = violation?.invariant ?? (stopped ? `none so far: ${stopped}` : 'none');
  const what = variant ?? 'the reference app';
  return rowOf([what, String(executions), started, String(faults), ...counts, found, `\`${definition}\``]);
}

interface Run {
  readonly options: Options;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Counts each row of the tables anew, and writes them into the pages of a directory. Resolves to whether no row has a
 * violation and none was ended early: only then are the pages written.
 */
export async function writeFigures(directory: string, { options, progress, signal }: Run): Promise<boolean> {
  const blocks: Record<string, string> = {};
  const { workers, memory } = options;
  const search = { workers, memoryBytes: memory * 1e6, signal };
  let isClean = true;
  const counted = async (row: Row, subject: Subject) => {
    progress.begin(`${row.variant ?? 'the reference app'}, ${row.executions}/${row.faults}`);
    const exploration = await explore(subject, row, search);
    isClean &&= !exploration.violation && !exploration.stopped;
    return figureRow(row, shownHash(subject), exploration);
  };
  await withSynthesizedApp(async assembly => {
    const app = orThrow(subjectOfAssembly(assembly));
    await withVariants(async load => {
      for (const [name, rows] of Object.entries(TABLES)) {
        const lines = [rowOf(HEAD), rowOf(HEAD.map(() => '---'))];
        for (const row of rows)
          lines.push(await counted(row, row.variant ? orThrow(load(row.variant)) : app));
        blocks[name] = lines.map(line => `${line}\n`).join('');
      }
      const fates: VariantFate[] = [];
      const subjects: Subject[] = [];
      for (const variant of VARIANTS) {
        progress.begin(variant.name);
        const subject = orThrow(load(variant.name));
        const fate = await exploreVariant(variant, subject, { signal });
        subjects.push(subject);
        isClean &&= !fate.exploration.violation && !fate.exploration.stopped;
        fates.push(fate);
      }
      blocks['variants'] = `${renderVariants(fates, true)}${neverEntered(fates, subjects)}`;
    }, signal);
  }, signal);
  progress.clear();
  for (const page of isClean ? FIGURE_PAGES : []) {
    const file = path.join(directory, page);
    writeFileSync(file, withFigures(readFileSync(file, 'utf8'), blocks));
  }
  process.stdout.write(Object.values(blocks).join('\n'));
  return isClean;
}

function orThrow(loaded: ReturnType<typeof subjectOfAssembly>): Subject {
  if (loaded.kind === 'problem') throw new Error(loaded.message);
  return loaded.subject;
}
