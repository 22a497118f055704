import type { Graph, GraphEdge } from '../../packages/console/page/graph/graph';
import {
  layoutOf,
  type PositionedEdge,
  type PositionedNode,
  pathOf,
} from '../../packages/console/page/graph/layout';
import { arrow, badge, ground, group, picture, rectangle, text } from './svg';

/** What a picture says beside its graph. */
export interface Caption {
  /** For who does not see the picture. */
  readonly title: string;
  /** What stands above states, by their names. */
  readonly headings: ReadonlyMap<string, string>;
}

/** The way that an execution went. */
export interface Lit {
  /** Every state that it has been in, with how that ended last. */
  readonly states: ReadonlyMap<string, 'succeeded' | 'caught' | 'failed'>;
  readonly isTaken: (edge: GraphEdge) => boolean;
}

const SIGNS = { succeeded: '✓', caught: '↷', failed: '✕' } as const;
/** What the signs of a lit picture mean. */
const LEGEND = [
  ['succeeded', 'succeeded'],
  ['caught', 'failed, and its error was caught'],
  ['failed', 'failed'],
] as const;
/** Above the first row, and below the last one. */
const [HEADING, FOOTER] = [22, 24];

/** A graph as a picture, as the console lays it out. The same graph always gives the same text. */
export function workflowPicture(graph: Graph, { title, headings }: Caption, lit?: Lit): string {
  const { width, height, nodes, edges } = layoutOf(graph);
  const kindOf = (edge: GraphEdge) => (lit === undefined ? '' : lit.isTaken(edge) ? 'taken' : 'quiet');
  // Visited states lie above the others.
  const inOrder = edges.toSorted((one, other) => kindOf(one).localeCompare(kindOf(other)));
  const node = (placed: PositionedNode) => {
    const end = lit?.states.get(placed.name);
    return nodeOf(placed, lit === undefined ? '' : (end ?? 'quiet'), end && SIGNS[end]);
  };
  const [holders, others] = [true, false].map(isHolder =>
    nodes.filter(({ hasInner }) => hasInner === isHolder),
  );
  const footer = lit === undefined ? 0 : FOOTER;
  return picture(title, { left: 0, top: -HEADING, width, height: height + HEADING + footer }, [
    ...nodes.map(({ name, x, y, height: high }) => {
      const heading = headings.get(name);
      return heading === undefined ? '' : text('heading middle', x, y - high / 2 - 16, [heading]);
    }),
    ...(holders ?? []).map(node),
    ...inOrder.map(edge => arrow(`${edge.isCatch ? 'catch ' : ''}${kindOf(edge)}`, pathOf(edge.points))),
    ...(others ?? []).map(node),
    ...edges.map(edge => labelOf(edge, kindOf(edge))),
    ...(lit === undefined ? [] : legendAt(height + FOOTER / 2 - 6)),
  ]);
}

function legendAt(y: number): readonly string[] {
  const lefts = [18, 118, 350];
  const signs = LEGEND.map(([end, words], index) => {
    const left = lefts[index] ?? 0;
    return group(end, [badge(left, y, SIGNS[end]), text('label', left + 14, y, [words])]);
  });
  return [...signs, text('label', 430, y, ['pale: not visited'])];
}

function nodeOf(node: PositionedNode, kind: string, sign: string | undefined): string {
  const { type, x, y, width, height, lines, isStart, isEnd, hasInner, hasRetry } = node;
  const area = { left: x - width / 2, top: y - height / 2, width, height };
  const kinds = ['node', type.toLowerCase(), isStart ? 'start' : '', isEnd ? 'end' : '', kind];
  return group(kinds.filter(each => each !== '').join(' '), [
    rectangle(area, type === 'Choice' ? 16 : 5),
    text('middle', x, hasInner ? area.top + 14 : y, lines),
    sign === undefined ? '' : badge(area.left + width, area.top, sign),
    hasRetry ? badge(area.left + width, area.top + height, '↻') : '',
  ]);
}

function labelOf({ label }: PositionedEdge, kind: string): string {
  if (label === undefined) return '';
  const { x, y, width, height, isCentered, lines } = label;
  const left = isCentered ? x - width / 2 : x - 2;
  const words = text(`label ${isCentered ? 'middle ' : ''}${kind}`.trim(), x, y, lines);
  return ground({ left, top: y - height / 2, width: width + 6, height }) + words;
}
