import path from 'node:path';
import { withEvidence } from './evidence';
import { type Page, readIfThere } from './page';
import { TABLES } from './tables';

/** The pages in the order in which they are read: the first link to each of them in the index. */
export function readingOrder(index: Page): readonly string[] {
  const folder = path.posix.dirname(index.path);
  const linked = index.links
    .map(({ target }) => target.split('#')[0] ?? '')
    .filter(target => target.endsWith('.md') && !/^[a-z]+:/.test(target))
    .map(target => path.posix.join(folder, target))
    .filter(target => target.startsWith(`${folder}/`));
  return [index.path, ...new Set(linked)];
}

/**
 * The expected text of a page. Its blocks are as in the files that they show, and its tables are made from the source.
 * The findings on AWS are those of the last evidence, and the last line has the pages before and after it.
 *
 * @param title - the title of another page
 */
export function rendered(page: Page, order: readonly string[], title: (path: string) => string): string {
  return withNeighbours(withEvidence(withTables(withBlocks(page))), page.path, order, title);
}

/** The text of a file, or of a region of it, without the indentation that all of its lines share. */
export function snippetText(source: string): string | undefined {
  const [file = '', region] = source.split('#');
  const text = readIfThere(file);
  if (text === undefined || region === undefined) return text?.trimEnd();
  const lines = text.split('\n');
  const start = lines.findIndex(line => line.trim() === `// #region ${region}`);
  const end = lines.findIndex((line, index) => index > start && line.trim() === '// #endregion');
  if (start === -1 || end === -1) return undefined;
  const inside = lines.slice(start + 1, end);
  const indentations = inside.filter(line => line.trim() !== '').map(line => line.search(/\S/));
  const shared = Math.min(...indentations);
  return inside.map(line => line.slice(shared)).join('\n');
}

function withBlocks(page: Page): string {
  const lines = page.text.split('\n');
  // The last first, so that the lines of the others stay where they are.
  for (const { line, lines: shown, source } of [...page.blocks].reverse()) {
    const text = source === undefined ? undefined : snippetText(source);
    if (text !== undefined) lines.splice(line, shown.length, ...text.split('\n'));
  }
  return lines.join('\n');
}

/** A table follows a line `<!-- table: NAME -->`. */
function withTables(text: string): string {
  return text.replace(/^(<!-- table: (\S+) -->)\n(?:\|.*\n)*/gm, (_, marker: string, name: string) => {
    const table = TABLES[name];
    if (table === undefined)
      throw new Error(`no table ${name}; there are: ${Object.keys(TABLES).join(', ')}`);
    return `${marker}\n${table()}\n`;
  });
}

function withNeighbours(
  text: string,
  page: string,
  order: readonly string[],
  title: (path: string) => string,
): string {
  const at = order.indexOf(page);
  if (at === -1) return text;
  const link = (label: string, other: string | undefined) =>
    other === undefined
      ? []
      : [`${label}: [${title(other)}](${path.posix.relative(path.posix.dirname(page), other)})`];
  const neighbours = [...link('Previous', order[at - 1]), ...link('Next', order[at + 1])].join(' · ');
  const lines = text.trimEnd().split('\n');
  if (/^(?:Previous|Next): /.test(lines.at(-1) ?? '')) lines.pop();
  if (lines.at(-1) === '') lines.pop();
  if (lines.at(-1) === '---') lines.pop();
  if (lines.at(-1) === '') lines.pop();
  return `${[...lines, '', '---', '', neighbours].join('\n')}\n`;
}
