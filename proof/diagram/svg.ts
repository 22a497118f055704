import { Graph as Dagre, type EdgeLabel, type GraphLabel, layout, type NodeLabel } from '@dagrejs/dagre';
import type { Edge, Graph, Node } from './graph';

/** Sizes in user units, for a font of 12 and labels of 10.5. */
const NODE = { character: 6.8, line: 15, longest: 16 };
const LABEL = { character: 5.6, line: 13, longest: 22 };
const STYLE = [
  'text{font:12px system-ui,sans-serif;text-anchor:middle;fill:#1f2328}',
  '.label text{font-size:10.5px;fill:#57606a;stroke:#f6f8fa;stroke-width:3px;paint-order:stroke}',
  '.group rect{fill:#f6f8fa;stroke:#d0d7de}.group text{text-anchor:start;font-weight:600;fill:#57606a}',
  '.node rect,.node polygon{fill:#fff;stroke:#57606a}.choice polygon{stroke:#0969da}.fail rect{stroke:#cf222e}',
  '.start rect{stroke-width:2.5}.end rect{stroke:#1a7f37;stroke-width:2}',
  'path{fill:none;stroke:#8c959f}.catch{stroke-dasharray:4 3}.head{fill:#8c959f;stroke:none}',
  '@media (prefers-color-scheme:dark){text{fill:#e6edf3}.group text{fill:#9198a1}',
  '.label text{fill:#9198a1;stroke:#151b23}.group rect{fill:#151b23;stroke:#3d444d}',
  '.node rect,.node polygon{fill:#0d1117;stroke:#9198a1}.choice polygon{stroke:#4493f8}.fail rect{stroke:#f85149}',
  '.end rect{stroke:#3fb950}path{stroke:#656c76}.head{fill:#656c76}}',
].join('');

/** The graph as a picture of its own, for light and dark pages. The same graph always gives the same text. */
export function svgOf(graph: Graph): string {
  const placed = place(graph);
  const { width = 0, height = 0 } = placed.graph();
  const groups = [...new Set(graph.nodes.map(({ group }) => group))];
  const lines = graph.edges.map(edge => ({ ...edge, ...placed.edge(edge.from, edge.to, idOf(edge)) }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" role="img">`,
    '<title>The workflow: first delivery and duplicate</title>',
    `<style>${STYLE}</style>`,
    '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">',
    '<path class="head" d="M0 0 L8 4 L0 8 z"/></marker>',
    ...groups.map(group => groupOf(group, placed.node(group))),
    ...lines.map(lineOf),
    ...graph.nodes.map(node => nodeOf(node, placed.node(node.name), node.name === graph.start)),
    ...lines.filter(({ labels }) => labels.length > 0).map(labelOf),
    '</svg>',
    '',
  ].join('\n');
}

function place({ nodes, edges }: Graph): Dagre<GraphLabel, NodeLabel, EdgeLabel> {
  const dagre = new Dagre<GraphLabel, NodeLabel, EdgeLabel>({ compound: true, multigraph: true });
  dagre.setGraph({ rankdir: 'TB', nodesep: 14, ranksep: 30, edgesep: 8, marginx: 8, marginy: 8 });
  for (const { name, type, group } of nodes) {
    const { width, height } = sizeOf(wrapped([name], NODE.longest), NODE);
    dagre.setNode(group, {});
    dagre.setNode(name, { width: width + (type === 'Choice' ? 40 : 20), height: height + 14 });
    dagre.setParent(name, group);
  }
  for (const edge of edges) {
    const size = sizeOf(wrapped(edge.labels, LABEL.longest), LABEL);
    dagre.setEdge(edge.from, edge.to, { ...size, labelpos: 'c' }, idOf(edge));
  }
  layout(dagre);
  return dagre;
}

// A transition and a catcher may join the same two states.
function idOf({ isCatch }: Edge): string {
  return isCatch ? 'catch' : 'transition';
}

function sizeOf(lines: readonly string[], { character, line }: typeof NODE) {
  const longest = Math.max(0, ...lines.map(({ length }) => length));
  return { width: longest * character, height: lines.length * line };
}

/** The texts, each in lines of at most about so many characters. */
function wrapped(texts: readonly string[], longest: number): readonly string[] {
  return texts.flatMap(text => {
    const lines: string[] = [];
    for (const word of text.split(' ')) {
      const last = lines.at(-1);
      if (last !== undefined && last.length + word.length < longest)
        lines[lines.length - 1] = `${last} ${word}`;
      else lines.push(word);
    }
    return lines;
  });
}

function nodeOf({ name, type, isEnd }: Node, label: NodeLabel, isStart: boolean): string {
  const { x = 0, y = 0, width = 0, height = 0 } = label;
  const [left, top, right, bottom] = [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
  const corners = [
    { x: left, y },
    { x: left + 14, y: top },
    { x: right - 14, y: top },
    { x: right, y },
    { x: right - 14, y: bottom },
    { x: left + 14, y: bottom },
  ];
  const shape =
    type === 'Choice'
      ? `<polygon points="${corners.map(at).join(' ')}"/>`
      : rectangle(left, top, width, height, type === 'Fail' ? 16 : 4);
  const kinds = ['node', type.toLowerCase(), ...(isStart ? ['start'] : []), ...(isEnd ? ['end'] : [])];
  return `<g class="${kinds.join(' ')}">${shape}${textAt(x, y, wrapped([name], NODE.longest), NODE.line)}</g>`;
}

function groupOf(name: string, { x = 0, y = 0, width = 0, height = 0 }: NodeLabel): string {
  const [left, top] = [x - width / 2, y - height / 2];
  const title = `<text x="${round(left + 12)}" y="${round(top + 20)}">${escaped(name)}</text>`;
  return `<g class="group">${rectangle(left, top, width, height, 8)}${title}</g>`;
}

interface Position {
  readonly x: number;
  readonly y: number;
}

// Straight to the middle between two corners, and bent at each.
function lineOf({ isCatch, points = [] }: Edge & { readonly points?: readonly Position[] }): string {
  const [first = { x: 0, y: 0 }, ...corners] = points;
  const last = corners.pop() ?? first;
  const bends = corners.map((corner, index) => {
    const next = corners[index + 1] ?? last;
    return `Q${at(corner)} ${at({ x: (corner.x + next.x) / 2, y: (corner.y + next.y) / 2 })}`;
  });
  const path = [`M${at(first)}`, ...bends, `L${at(last)}`].join(' ');
  return `<path${isCatch ? ' class="catch"' : ''} d="${path}" marker-end="url(#head)"/>`;
}

function labelOf({ labels, x = 0, y = 0 }: Edge & { readonly x?: number; readonly y?: number }): string {
  return `<g class="label">${textAt(x, y, wrapped(labels, LABEL.longest), LABEL.line)}</g>`;
}

function rectangle(left: number, top: number, width: number, height: number, radius: number): string {
  const size = `width="${round(width)}" height="${round(height)}"`;
  return `<rect x="${round(left)}" y="${round(top)}" ${size} rx="${radius}"/>`;
}

function textAt(x: number, y: number, lines: readonly string[], height: number): string {
  const top = y - ((lines.length - 1) * height) / 2 + 4;
  return lines
    .map((line, index) => `<text x="${round(x)}" y="${round(top + index * height)}">${escaped(line)}</text>`)
    .join('');
}

function at({ x, y }: Position): string {
  return `${round(x)},${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
