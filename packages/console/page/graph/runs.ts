import type { Cell } from './cells';

/** What stands in a cell of the grid. */
export interface Block extends Cell {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** What leads from one block to another. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly isCatch: boolean;
  /** The size of its label; zero without one. */
  readonly label: { readonly width: number; readonly height: number };
}

/** One side of a block, where lines enter and leave. */
export type Side = 'left' | 'right';

/** How a link runs: straight down, or out of one side, along a gutter or two, and into another side. */
export interface Run {
  readonly link: Link;
  readonly source: Block;
  readonly target: Block;
  readonly isStraight: boolean;
  readonly out: { readonly side: Side; readonly port: string };
  readonly in: { readonly side: Side; readonly port: string };
  /** The gutters that it goes up or down in, first and last: each is left of the column of its number. */
  readonly gutters: readonly [number, number];
  /** The column whose strip of labels has its label; undefined where that is below its source. */
  readonly labelColumn: number | undefined;
  /** Links of one net begin or end in the same place, and may lie on each other. */
  readonly net: string;
}

/** The runs of all links. Of two links between the same blocks only the first can run straight. */
export function runsOf(blocks: readonly Block[], links: readonly Link[]): readonly Run[] {
  const byName = new Map(blocks.map(block => [block.name, block]));
  const straight = new Set<string>();
  return links.flatMap(link => {
    const [source, target] = [byName.get(link.from), byName.get(link.to)];
    if (source === undefined || target === undefined) return [];
    const isStraight = !straight.has(link.from) && isFree(blocks, source, target);
    if (isStraight) straight.add(link.from);
    return [runOf(link, source, target, isStraight)];
  });
}

/** Whether nothing stands between two blocks of one column. */
function isFree(blocks: readonly Block[], source: Block, target: Block): boolean {
  if (source.column !== target.column || source.row >= target.row) return false;
  return blocks.every(
    ({ column, row }) => column !== source.column || row <= source.row || row >= target.row,
  );
}

function runOf(link: Link, source: Block, target: Block, isStraight: boolean): Run {
  const kind = link.isCatch ? 'catch' : 'next';
  const isRightwards = target.column > source.column;
  const own = link.label.height > 0 ? `label ${kind} ${link.from}\n${link.to}` : undefined;
  const inSide = target.column < source.column ? 'right' : 'left';
  return {
    link,
    source,
    target,
    isStraight,
    out: isRightwards ? { side: 'right', port: kind } : { side: 'left', port: own ?? kind },
    in: { side: inSide, port: (isRightwards ? own : undefined) ?? 'in' },
    gutters: isRightwards
      ? [source.column + 1, target.column]
      : [source.column, inSide === 'right' ? target.column + 1 : target.column],
    labelColumn: isStraight ? undefined : isRightwards ? target.column : source.column,
    net: isRightwards ? `from ${link.from} ${kind}` : `to ${link.to} ${inSide}`,
  };
}
