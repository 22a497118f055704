import { cellsOf } from './cells';
import type { Graph, GraphEdge, GraphNode } from './graph';
import { type Point, type Route, routed } from './routes';
import type { Link } from './runs';

/** Where something is drawn: its middle and its size. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** A state with its place. */
export interface PositionedNode extends GraphNode, Box {
  readonly lines: readonly string[];
  readonly hasInner: boolean;
}

/** Lines of text: `x` is where they begin, or their middle; `y` is the middle of all of them. */
export interface Label extends Box {
  readonly lines: readonly string[];
  readonly isCentered: boolean;
}

/** An edge with its corners, from its first state to the other one. */
export interface PositionedEdge extends GraphEdge {
  readonly points: readonly Point[];
  /** Undefined where there is nothing to say. */
  readonly label: Label | undefined;
}

/** A graph with a place for everything in it. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Those that hold others first. */
  readonly nodes: readonly PositionedNode[];
  readonly edges: readonly PositionedEdge[];
}

/** Of the text, which is set in 12 pixels. */
const [CHARACTER, LINE] = [6.4, 15];
const [LONGEST_NAME, LONGEST_LABEL] = [19, 17];
const PADDING = { x: 20, y: 15 };
/** The name of a state that holds others stands above them. */
const TITLE = 22;

/** Between the middles of two lines of a text. */
export const LINE_HEIGHT = LINE;

/** Places a graph: columns from top to bottom, as `cellsOf` says. The same graph is always placed alike. */
export function layoutOf(graph: Graph): Layout {
  const { width, height, nodes, edges } = scopeOf(graph, undefined);
  return { width, height, nodes: nodes.toSorted((a, b) => Number(b.hasInner) - Number(a.hasInner)), edges };
}

/** The states that one Map or Parallel state holds, or those that none does, with all that they hold. */
function scopeOf(graph: Graph, parent: string | undefined): Layout {
  const nodes = graph.nodes.filter(node => node.parent === parent);
  const names = new Set(nodes.map(({ name }) => name));
  const edges = graph.edges.filter(({ from }) => names.has(from));
  const cells = cellsOf(nodes, edges);
  const texts = new Map(
    nodes.map(({ name, note = '' }) => [name, [name, note].flatMap(text => wrapped(text, LONGEST_NAME))]),
  );
  // A label below a state is not wider than the state.
  const labels = edges.map(edge => widthOf(linesOf(edge)));
  const simple = Math.max(...[...texts.values()].map(widthOf), ...labels) + PADDING.x;
  const holders = new Set(graph.nodes.flatMap(node => node.parent ?? []));
  const inner = new Map(
    nodes.flatMap(({ name }) => (holders.has(name) ? [[name, scopeOf(graph, name)]] : [])),
  );
  const blocks = nodes.map(({ name }) => {
    const held = inner.get(name);
    const lines = texts.get(name) ?? [];
    return {
      name,
      column: cells.get(name)?.column ?? 0,
      row: cells.get(name)?.row ?? 0,
      width: held ? Math.max(held.width, simple) : simple,
      height: held ? held.height + TITLE : lines.length * LINE + PADDING.y,
    };
  });
  const links = linksOf(edges);
  const { width, height, blocks: places, routes } = routed(blocks, [...links.keys()]);
  const placed = nodes.map((node, index): PositionedNode => {
    const { x = 0, y = 0, height: high = 0 } = places.get(node.name) ?? {};
    const lines = texts.get(node.name) ?? [];
    return {
      ...node,
      x,
      y,
      width: blocks[index]?.width ?? 0,
      height: high,
      lines,
      hasInner: inner.has(node.name),
    };
  });
  const drawn = drawnEdges(links, routes);
  const held = placed.flatMap(({ name, x, y, width: wide, height: high }) => {
    const within = inner.get(name);
    return within ? [moved(within, { x: x - wide / 2, y: y - high / 2 + TITLE })] : [];
  });
  return {
    width,
    height,
    nodes: [...placed, ...held.flatMap(layout => layout.nodes)],
    edges: [...drawn, ...held.flatMap(layout => layout.edges)],
  };
}

type LabeledEdge = { readonly edge: GraphEdge; readonly lines: readonly string[] };

function linksOf(edges: readonly GraphEdge[]): ReadonlyMap<Link, LabeledEdge> {
  const links = new Map<Link, LabeledEdge>();
  // Transitions come first: of two edges between the same states they are the straight one.
  for (const edge of edges.toSorted((a, b) => Number(a.isCatch) - Number(b.isCatch))) {
    const lines = linesOf(edge);
    const label = { width: widthOf(lines), height: lines.length * LINE };
    links.set({ from: edge.from, to: edge.to, isCatch: edge.isCatch, label }, { edge, lines });
  }
  return links;
}

function drawnEdges(
  links: ReadonlyMap<Link, LabeledEdge>,
  routes: ReadonlyMap<Link, Route>,
): PositionedEdge[] {
  return [...links].map(([link, { edge, lines }]) => {
    const found = routes.get(link);
    const label = found && lines.length > 0 ? { ...found.label, ...link.label, lines } : undefined;
    return { ...edge, points: found?.points ?? [], label };
  });
}

function moved({ nodes, edges, ...size }: Layout, by: Point): Layout {
  const move = <P extends Point>(point: P): P => ({ ...point, x: point.x + by.x, y: point.y + by.y });
  return {
    ...size,
    nodes: nodes.map(move),
    edges: edges.map(edge => ({
      ...edge,
      points: edge.points.map(move),
      label: edge.label && move(edge.label),
    })),
  };
}

/** The path of a line with these corners, each a little round. */
export function pathOf(points: readonly Point[]): string {
  const corners: Point[] = [];
  for (const point of points) {
    const [before, last] = corners.slice(-2);
    // A point on a straight line is not a corner.
    if (before && last && isBetween(last, before, point)) corners.pop();
    corners.push(point);
  }
  const [first = { x: 0, y: 0 }, ...others] = corners;
  const last = others.at(-1) ?? first;
  const bends = others.slice(0, -1).map((corner, index) => {
    const [before = first, after = last] = [corners[index], corners[index + 2]];
    return `L${at(towards(corner, before))} Q${at(corner)} ${at(towards(corner, after))}`;
  });
  return [`M${at(first)}`, ...bends, `L${at(last)}`].join(' ');
}

function isBetween({ x, y }: Point, before: Point, after: Point): boolean {
  return (near(x, before.x) && near(x, after.x)) || (near(y, before.y) && near(y, after.y));
}

function near(one: number, other: number): boolean {
  return Math.abs(one - other) < 0.5;
}

/** The point on the way from a corner at which its rounding ends. */
function towards({ x, y }: Point, other: Point): Point {
  const [dx, dy] = [other.x - x, other.y - y];
  const share = Math.min(0.5, RADIUS / Math.max(Math.hypot(dx, dy), 1));
  return { x: x + dx * share, y: y + dy * share };
}

const RADIUS = 6;

function at({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
}

function linesOf({ labels }: GraphEdge): readonly string[] {
  const dot = labels.length > 1 ? '· ' : '';
  return labels.flatMap(label => wrapped(dot + label, LONGEST_LABEL));
}

function widthOf(lines: readonly string[]): number {
  return Math.max(0, ...lines.map(({ length }) => length)) * CHARACTER;
}

/** The text in lines of at most about so many characters. */
function wrapped(text: string, longest: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text === '' ? [] : text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < longest)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.length > 2 * longest ? `${word.slice(0, 2 * longest - 1)}…` : word);
  }
  return lines;
}
