import { Graph as Dagre, type EdgeLabel, type GraphLabel, layout, type NodeLabel } from '@dagrejs/dagre';
import type { Graph, GraphEdge, GraphNode } from './graph';

/** Where something is drawn: its middle and its size. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A graph with a place for everything in it. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Those that hold others first. */
  readonly nodes: readonly (GraphNode &
    Box & { readonly lines: readonly string[]; readonly hasInner: boolean })[];
  /** With the path that an edge is drawn as. */
  readonly edges: readonly (GraphEdge & { readonly path: string })[];
}

const CHARACTER = 7.2;
const LINE = 16;
const LONGEST = 20;
/** The name of a state that holds others stands above them. */
const TITLE = 26;

/** Places a graph, from top to bottom. The same graph is always placed alike. */
export function layoutOf({ nodes, edges }: Graph): Layout {
  const dagre = new Dagre<GraphLabel, NodeLabel, EdgeLabel>({ compound: true, multigraph: true });
  dagre.setGraph({ rankdir: 'TB', nodesep: 22, ranksep: 34, edgesep: 10, marginx: 10, marginy: 10 });
  const holders = new Set(nodes.flatMap(({ parent }) => parent ?? []));
  const lines = new Map(nodes.map(({ name }) => [name, wrapped(name)]));
  for (const { name } of nodes) {
    const text = lines.get(name) ?? [];
    const longest = Math.max(...text.map(({ length }) => length), 4);
    dagre.setNode(
      placeOf(name),
      holders.has(name)
        ? { width: 0, height: 0 }
        : { width: longest * CHARACTER + 44, height: text.length * LINE + 16 },
    );
  }
  for (const { name, parent } of nodes) {
    if (parent !== undefined) dagre.setParent(placeOf(name), placeOf(parent));
  }
  for (const edge of edges) {
    // What holds others has no place of its own in the ranks: the edge goes from and to one of them.
    const [from, to] = [lastWithin(nodes, edge.from, holders), firstWithin(nodes, edge.to, holders)];
    dagre.setEdge(placeOf(from), placeOf(to), { width: 0, height: 0 }, idOf(edge));
  }
  layout(dagre);
  const { width = 0, height = 0 } = dagre.graph();
  const placed = nodes.map(node => {
    const { x = 0, y = 0, width: wide = 0, height: high = 0 } = dagre.node(placeOf(node.name));
    return {
      ...node,
      x,
      y,
      width: wide,
      height: high,
      lines: lines.get(node.name) ?? [],
      hasInner: holders.has(node.name),
    };
  });
  placed.sort((one, other) => Number(other.hasInner) - Number(one.hasInner));
  const drawn = edges.map(edge => {
    const [from, to] = [lastWithin(nodes, edge.from, holders), firstWithin(nodes, edge.to, holders)];
    const { points = [] } = dagre.edge(placeOf(from), placeOf(to), idOf(edge)) ?? {};
    return { ...edge, path: pathOf(points) };
  });
  return { width: width + 20, height: height + TITLE, nodes: placed, edges: drawn };
}

/** The library keeps nodes in plain objects, where a state named `__proto__` has no place, and wants a name. */
function placeOf(name: string): string {
  return `state ${name}`;
}

function idOf({ from, to, isCatch }: GraphEdge): string {
  return `${isCatch ? 'catch' : 'way'} ${from} ${to}`;
}

function firstWithin(nodes: readonly GraphNode[], name: string, holders: ReadonlySet<string>): string {
  if (!holders.has(name)) return name;
  const first =
    nodes.find(({ parent, isStart }) => parent === name && isStart) ??
    nodes.find(({ parent }) => parent === name);
  return first === undefined ? name : firstWithin(nodes, first.name, holders);
}

function lastWithin(nodes: readonly GraphNode[], name: string, holders: ReadonlySet<string>): string {
  if (!holders.has(name)) return name;
  const last =
    nodes.findLast(({ parent, isEnd }) => parent === name && isEnd) ??
    nodes.findLast(({ parent }) => parent === name);
  return last === undefined ? name : lastWithin(nodes, last.name, holders);
}

function wrapped(name: string): readonly string[] {
  const lines: string[] = [];
  for (const word of name.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < LONGEST)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.length > 2 * LONGEST ? `${word.slice(0, 2 * LONGEST - 1)}…` : word);
  }
  return lines;
}

function pathOf(points: readonly { readonly x: number; readonly y: number }[]): string {
  const [first = { x: 0, y: 0 }, ...corners] = points;
  const last = corners.pop() ?? first;
  const at = ({ x, y }: { readonly x: number; readonly y: number }) =>
    `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
  const bends = corners.map((corner, index) => {
    const next = corners[index + 1] ?? last;
    return `Q${at(corner)} ${at({ x: (corner.x + next.x) / 2, y: (corner.y + next.y) / 2 })}`;
  });
  return [`M${at(first)}`, ...bends, `L${at(last)}`].join(' ');
}
