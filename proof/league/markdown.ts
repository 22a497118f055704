import { COLUMNS, extentOf, failuresWith, per10000, type Report, TITLES } from './report';

/** What can be put into a document, by name. */
const BLOCKS: Readonly<Record<string, (report: Report) => string>> = {
  standings(report) {
    const rows = report.standings.map(({ id, per10000: counts, price }) => [
      `\`${id}\``,
      ...COLUMNS.map(column => (counts[column] === 0 ? '·' : String(counts[column]))),
      price.dollars.toFixed(2),
    ]);
    return `${extentOf(report)}.\n\n${tableOf([['contender', ...COLUMNS.map(column => TITLES[column]), '$'], ...rows])}`;
  },
  kinds({ standings, kinds, cells }) {
    const rows = kinds.map(({ id, title }) => {
      const counts = cells
        .filter(({ kind }) => kind === id)
        .map(cell => ({
          contender: cell.contender,
          count: per10000(failuresWith('forgetful', cell), cell.deliveries),
        }))
        .toSorted((one, other) => other.count - one.count);
      const unaffected = counts.filter(({ count }) => count === 0).length;
      const most = counts.slice(0, 3).filter(({ count }) => count > 0);
      return [
        title,
        `${unaffected} of ${standings.length}`,
        most.map(({ contender, count }) => `\`${contender}\` ${count}`).join(', ') || '·',
      ];
    });
    return tableOf([['kind of fault', 'without any failure', 'the most failures'], ...rows]);
  },
};

const PLACES = /^(<!-- league: (?!end)(\S+) -->)\n[\s\S]*?^(<!-- league: end -->)$/gm;

/** Whether a document has a place for figures: a line `<!-- league: NAME -->`, and `<!-- league: end -->` behind it. */
export function takesFigures(document: string): boolean {
  return document.search(PLACES) !== -1;
}

/**
 * A Markdown document with the figures of a report: what stands between such lines is written anew.
 *
 * @throws Error where a name is none of the blocks that there are
 */
export function withFigures(document: string, report: Report): string {
  return document.replace(PLACES, (_, begin: string, name: string, end: string) => {
    const block = BLOCKS[name];
    if (block === undefined)
      throw new Error(`no block ${name}; there are: ${Object.keys(BLOCKS).join(', ')}`);
    return `${begin}\n${block(report)}\n${end}`;
  });
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const [head = [], ...others] = rows;
  return [head, head.map(() => '---'), ...others].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}
