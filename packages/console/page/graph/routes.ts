import { Ports } from './ports';
import { type Block, type Link, type Run, runsOf } from './runs';

/** A point of a drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The corners of a link, and where its label is: its left edge, or its middle if the link runs straight down. */
export interface Route {
  readonly points: readonly Point[];
  readonly label: Point & { readonly isCentered: boolean };
}

/** Blocks and links with their places. */
export interface Routed {
  readonly width: number;
  readonly height: number;
  /** The middle of each block, and how high it has become for all that enters and leaves it. */
  readonly blocks: ReadonlyMap<string, Point & { readonly height: number }>;
  readonly routes: ReadonlyMap<Link, Route>;
}

const MARGIN = 10;
/** Between rows, and between the last track of a gutter and what is right of it. */
const [GAP, BESIDE] = [20, 9];
/** Between lines that run beside each other. */
const PITCH = 8;
/** For the arrow head behind a label. */
const ARROW = 14;

/**
 * Routes every link along the gaps between columns and rows. Labels have a strip of their own left of each column, or
 * right below a block, so that no label covers another or a block, and no line runs through them. Lines of different
 * nets are kept apart as far as the side of a block has room for them.
 */
export function routed(blocks: readonly Block[], links: readonly Link[]): Routed {
  const runs = runsOf(blocks, links);
  const ports = new Ports(blocks, runs);
  const channels = channelsOf(runs);
  const rows = rowsOf(blocks, runs, ports, channels);
  const end = (run: Run, at: 'out' | 'in') => {
    const block = at === 'out' ? run.source : run.target;
    return ports.heightAt(block, run[at], rows.middles);
  };
  const channelAt = ({ net, target: { row } }: Run) =>
    (rows.channels[row] ?? 0) + (channels[row]?.of(net) ?? 0) * PITCH;
  const bent = runs.filter(({ isStraight }) => !isStraight);
  const stretches = bent.flatMap(run => {
    const [[first, last], { net }] = [run.gutters, run];
    const [from, to] = [end(run, 'out'), end(run, 'in')];
    if (first === last) return [{ gutter: first, net, from, to }];
    return [
      { gutter: first, net, from, to: channelAt(run) },
      { gutter: last, net, from: channelAt(run), to },
    ];
  });
  const columns = columnsOf(blocks, runs, stretches);
  const middleOf = ({ name, column }: Block) => ({
    x: columns.middles[column] ?? 0,
    y: rows.middles.get(name) ?? 0,
  });
  const routes = runs.map(run => {
    const [from, to] = [middleOf(run.source), middleOf(run.target)];
    if (run.isStraight) return [run.link, straightRoute(run, { from, to, ports })] as const;
    const [outY, inY, [first, last]] = [end(run, 'out'), end(run, 'in'), run.gutters];
    const channel = first === last ? inY : channelAt(run);
    return [run.link, bentRoute(run, { from: from.x, to: to.x, outY, inY, channel, columns })] as const;
  });
  return {
    width: columns.width,
    height: rows.height,
    blocks: new Map(blocks.map(block => [block.name, { ...middleOf(block), height: ports.heightOf(block) }])),
    routes: new Map(routes),
  };
}

/** The route of a link that runs straight down, from the bottom of its source to the top of its target. */
function straightRoute(
  { source, target, link }: Run,
  { from, to, ports }: { readonly from: Point; readonly to: Point; readonly ports: Ports },
): Route {
  const top = from.y + ports.heightOf(source) / 2;
  const points = [
    { x: from.x, y: top },
    { x: to.x, y: to.y - ports.heightOf(target) / 2 },
  ];
  return { points, label: { x: from.x, y: top + 5 + link.label.height / 2, isCentered: true } };
}

/** The path of a bent link: the middles of its blocks, the heights of its ends, and that of its channel. */
interface Bends {
  readonly from: number;
  readonly to: number;
  readonly outY: number;
  readonly inY: number;
  readonly channel: number;
  readonly columns: ReturnType<typeof columnsOf>;
}

/** The route of any other link: out to a gutter, along a channel to another gutter, and in from there. */
function bentRoute(run: Run, { from, to, outY, inY, channel, columns }: Bends): Route {
  const [first, last] = run.gutters;
  const [x1, x2] = [columns.trackOf(first, run.net), columns.trackOf(last, run.net)];
  const points = [
    { x: from + (run.out.side === 'left' ? -0.5 : 0.5) * run.source.width, y: outY },
    { x: x1, y: outY },
    { x: x1, y: channel },
    { x: x2, y: channel },
    { x: x2, y: inY },
    { x: to + (run.in.side === 'left' ? -0.5 : 0.5) * run.target.width, y: inY },
  ];
  const isAtEnd = run.target.column > run.source.column;
  const x = columns.labels[run.labelColumn ?? 0] ?? 0;
  return { points, label: { x, y: isAtEnd ? inY : outY, isCentered: false } };
}

/** For each row the lines that run above it, from one gutter to another. */
function channelsOf(runs: readonly Run[]): readonly Tracks[] {
  const long = runs.filter(({ isStraight, gutters: [first, last] }) => !isStraight && first !== last);
  const last = Math.max(0, ...runs.map(({ target }) => target.row));
  return Array.from({ length: last + 1 }, (_, row) => {
    const own = long.filter(({ target }) => target.row === row);
    return new Tracks(own.map(({ net, gutters: [from, to] }) => ({ net, from: from * 1000, to: to * 1000 })));
  });
}

/**
 * The heights of the blocks. Each block is right below the one above it, and on one level with the one beside it if a
 * link joins the two. It is below all rows above it if lines run in between.
 */
function rowsOf(
  blocks: readonly Block[],
  runs: readonly Run[],
  ports: Ports,
  channels: readonly Tracks[],
): {
  readonly middles: ReadonlyMap<string, number>;
  readonly channels: readonly number[];
  readonly height: number;
} {
  const middles = new Map<string, number>();
  const begins: number[] = [];
  /** How far down each column is taken, and how far all columns are together. */
  const bottoms = new Map<number, number>();
  let bottom = MARGIN;
  let ceiling = MARGIN;
  for (let row = 0; row <= Math.max(...blocks.map(block => block.row)); row += 1) {
    const count = channels[row]?.count ?? 0;
    begins.push(bottom + GAP / 2);
    if (count > 0) ceiling = bottom + GAP / 2 + count * PITCH;
    for (const level of levelsIn(row, blocks, runs)) {
      const tops = level.map(block => {
        const above = bottoms.get(block.column);
        return Math.max(ceiling, above === undefined ? 0 : above + GAP) + ports.reachOf(block).up;
      });
      for (const block of level) {
        const below = runs.find(run => run.isStraight && run.source === block)?.link.label.height ?? 0;
        middles.set(block.name, Math.max(...tops));
        bottoms.set(block.column, Math.max(...tops) + ports.reachOf(block).down + below);
      }
    }
    bottom = Math.max(bottom, ...bottoms.values());
  }
  return { middles, channels: begins, height: bottom + MARGIN };
}

/** The blocks of a row in groups: those beside each other that links join are one. */
function levelsIn(
  row: number,
  blocks: readonly Block[],
  runs: readonly Run[],
): readonly (readonly Block[])[] {
  const levels: Block[][] = [];
  const own = blocks.filter(block => block.row === row).toSorted((one, other) => one.column - other.column);
  for (const block of own) {
    const before = levels.at(-1)?.at(-1);
    const isJoined = runs.some(
      ({ source, target }) =>
        (source === before && target === block) || (source === block && target === before),
    );
    if (before?.column === block.column - 1 && isJoined) levels.at(-1)?.push(block);
    else levels.push([block]);
  }
  return levels;
}

function columnsOf(
  blocks: readonly Block[],
  runs: readonly Run[],
  stretches: readonly {
    readonly gutter: number;
    readonly net: string;
    readonly from: number;
    readonly to: number;
  }[],
) {
  const middles: number[] = [];
  const labels: number[] = [];
  const gutters: { readonly left: number; readonly tracks: Tracks }[] = [];
  let x = MARGIN;
  for (let column = 0; column <= Math.max(...blocks.map(block => block.column)); column += 1) {
    const tracks = new Tracks(stretches.filter(({ gutter }) => gutter === column));
    const labeled = runs.filter(run => run.labelColumn === column).map(({ link }) => link.label.width);
    const isEmpty = column === 0 && tracks.count === 0;
    gutters.push({ left: x + (column === 0 ? 0 : BESIDE), tracks });
    if (!isEmpty) x += (column === 0 ? 0 : BESIDE) + (tracks.count - 1) * PITCH + BESIDE;
    labels.push(x);
    if (!isEmpty) x += Math.max(0, ...labeled) + ARROW;
    const width = Math.max(0, ...blocks.filter(block => block.column === column).map(own => own.width));
    middles.push(x + width / 2);
    x += width;
  }
  const trackOf = (gutter: number, net: string) => {
    const { left = 0, tracks } = gutters[gutter] ?? {};
    // The first track, that of the shortest, is the one nearest to the labels.
    return left + ((tracks?.count ?? 1) - 1 - (tracks?.of(net) ?? 0)) * PITCH;
  };
  return { middles, labels, trackOf, width: x + MARGIN };
}

/** A stretch of a line, up and down a gutter, or along a gap between two rows. */
interface Stretch {
  readonly net: string;
  readonly from: number;
  readonly to: number;
}

/** Lines beside each other: nets whose stretches overlap have different tracks, counted from 0. */
class Tracks {
  readonly #tracks = new Map<string, number>();
  readonly count: number;

  constructor(stretches: readonly Stretch[]) {
    const nets = [...new Set(stretches.map(({ net }) => net))].map(net => {
      const ends = stretches.filter(own => own.net === net).flatMap(({ from, to }) => [from, to]);
      return { net, low: Math.min(...ends), high: Math.max(...ends) };
    });
    const occupied: { low: number; high: number }[][] = [];
    // The shortest ones are the innermost.
    for (const { net, low, high } of nets.toSorted((a, b) => a.high - a.low - (b.high - b.low))) {
      const isFree = (track: readonly { low: number; high: number }[]) =>
        track.every(other => other.high + APART < low || high + APART < other.low);
      const found = occupied.findIndex(isFree);
      const index = found < 0 ? occupied.push([]) - 1 : found;
      occupied[index]?.push({ low, high });
      this.#tracks.set(net, index);
    }
    this.count = occupied.length;
  }

  /** The track of a net; the first one for a net that is not here. */
  of(net: string): number {
    return this.#tracks.get(net) ?? 0;
  }
}

const APART = 4;
