import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type Graph, type GraphEdge, partOf } from '../graph/graph';
import {
  type Layout,
  LINE_HEIGHT,
  layoutOf,
  type PositionedEdge,
  type PositionedNode,
  pathOf,
} from '../graph/layout';
import { takenIn } from '../history/taken-edges';
import type { ExecutionSnapshot, Visit } from '../history/visits';
import { appearanceOf } from './status';

interface Drawn {
  readonly snapshot: ExecutionSnapshot;
  /** The name of a state. */
  readonly chosen: string | undefined;
  readonly choose: (id: number) => void;
}

/** One step of the zoom, and how large a graph is at most where it fits its pane: small ones need not fill it. */
const [STEP, FIT_MAX] = [1.25, 1.2];
/** In pixels: what is larger can be read in no pane, and opens with the states that were visited. */
const LEGIBLE_MAX = 1200;

/** The definition as a picture, with the way the execution has gone so far: at first all of it fits the pane. */
export function GraphPicture({ graph, ...drawn }: Drawn & { readonly graph: Graph }) {
  const { snapshot, chosen } = drawn;
  const whole = useMemo(() => layoutOf(graph), [graph]);
  const isVisitedOnly = useSignal(Math.max(whole.width, whole.height) > LEGIBLE_MAX);
  const scale = useSignal<number | undefined>(undefined);
  const pane = useRef<HTMLElement>(null);
  const isTaken = takenIn(snapshot);
  const visited = new Set(snapshot.visits.map(({ name }) => name));
  const layout = isVisitedOnly.value ? layoutOf(partOf(graph, visited, isTaken)) : whole;
  const zoom = (by: number) => {
    const { clientWidth = 1, clientHeight = 1 } = pane.current ?? {};
    const fit = Math.min(clientWidth / layout.width, clientHeight / layout.height, FIT_MAX);
    scale.value = Math.min(4, Math.max(0.2, (scale.value ?? fit) * by));
  };
  useEffect(() => {
    const node = layout.nodes.find(({ name }) => name === chosen);
    const box = pane.current;
    if (box === null || node === undefined || scale.value === undefined) return;
    const [x, y] = [node.x * scale.value, node.y * scale.value];
    box.scrollTo({ left: x - box.clientWidth / 2, top: y - box.clientHeight / 2 });
  }, [chosen, layout, scale.value]);
  return (
    <div>
      <div class="zoom">
        <button type="button" onClick={() => zoom(1 / STEP)} aria-label="Smaller">
          −
        </button>
        <button type="button" onClick={() => zoom(STEP)} aria-label="Larger">
          +
        </button>
        <button
          type="button"
          onClick={() => {
            scale.value = undefined;
          }}
          disabled={scale.value === undefined}
        >
          Fit
        </button>
        <label>
          <input
            type="checkbox"
            checked={isVisitedOnly.value}
            onChange={({ currentTarget }) => {
              isVisitedOnly.value = currentTarget.checked;
            }}
          />{' '}
          Visited only
        </label>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section class="graph" ref={pane} aria-label="Graph of the definition" tabIndex={0}>
        <Drawing {...drawn} layout={layout} scale={scale.value} isTaken={isTaken} />
      </section>
    </div>
  );
}

function Drawing({
  layout: { width, height, nodes, edges },
  scale,
  isTaken,
  snapshot,
  chosen,
  choose,
}: Drawn & {
  readonly layout: Layout;
  /** Undefined: as large as the pane lets it be. */
  readonly scale: number | undefined;
  readonly isTaken: (edge: GraphEdge) => boolean;
}) {
  const drawn = (node: PositionedNode) => {
    const visits = snapshot.visits.filter(({ name }) => name === node.name);
    return (
      <Node key={node.name} node={node} visits={visits} isChosen={chosen === node.name} choose={choose} />
    );
  };
  const style =
    scale === undefined
      ? {
          width: '100%',
          height: '100%',
          maxWidth: `${width * FIT_MAX}px`,
          maxHeight: `${height * FIT_MAX}px`,
        }
      : { width: `${width * scale}px` };
  // Visited states lie above the others.
  const inOrder = edges.toSorted((one, other) => Number(isTaken(one)) - Number(isTaken(other)));
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="xMidYMin" style={style}>
      <title>The path of this execution</title>
      <defs>
        {['head', 'head-taken'].map(id => (
          <marker
            key={id}
            id={id}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 0 L8 4 L0 8 z" />
          </marker>
        ))}
      </defs>
      {nodes.filter(({ hasInner }) => hasInner).map(drawn)}
      {inOrder.map(edge => (
        <Edge key={`${edge.from} ${edge.to} ${edge.isCatch}`} edge={edge} isTaken={isTaken(edge)} />
      ))}
      {nodes.filter(({ hasInner }) => !hasInner).map(drawn)}
    </svg>
  );
}

function Edge({ edge, isTaken }: { readonly edge: PositionedEdge; readonly isTaken: boolean }) {
  const { isCatch, points, label } = edge;
  const kinds = `${isCatch ? 'catch' : ''} ${isTaken ? 'taken' : ''}`;
  return (
    <>
      <path class={`edge ${kinds}`} d={pathOf(points)} marker-end={`url(#head${isTaken ? '-taken' : ''})`} />
      {label && (
        <rect
          class="ground"
          x={label.isCentered ? label.x - label.width / 2 : label.x - 2}
          y={label.y - label.height / 2}
          width={label.width + 6}
          height={label.height}
        />
      )}
      {label?.lines.map((line, index) => (
        <text
          key={line}
          class={`label ${label.isCentered ? '' : 'aside'} ${kinds}`}
          x={label.x}
          y={label.y + (index - (label.lines.length - 1) / 2) * LINE_HEIGHT + 4}
        >
          {line}{' '}
        </text>
      ))}
    </>
  );
}

function Node(props: {
  readonly node: PositionedNode;
  readonly visits: readonly Visit[];
  readonly isChosen: boolean;
  readonly choose: (id: number) => void;
}) {
  const { node, visits, isChosen, choose } = props;
  const { name, type, x, y, width, height, lines, hasInner } = node;
  const last = visits.at(-1);
  const { sign, tone } = last === undefined ? { sign: '', tone: 'unvisited' } : appearanceOf(last.status);
  const calls = visits.reduce((sum, visit) => sum + Math.max(1, visit.calls), 0);
  const isRedriven = visits.some(({ redrives }) => redrives > 0);
  const select = () => {
    if (last) choose(last.id);
  };
  const words =
    last === undefined
      ? 'not visited'
      : `${last.status}${visits.length > 1 ? `, ${visits.length} times` : ''}${isRedriven ? ', redriven' : ''}`;
  const top = hasInner ? y - height / 2 + 16 : y - ((lines.length - 1) * LINE_HEIGHT) / 2 + 4;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a button cannot stand in an SVG */}
      <g
        class={`node ${tone} ${isChosen ? 'chosen' : ''} ${hasInner ? 'holder' : ''}`}
        role="button"
        tabIndex={last === undefined ? -1 : 0}
        aria-label={`${name}, ${type}, ${words}`}
        onClick={select}
        onKeyDown={event => {
          if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            select();
          }
        }}
      >
        <rect
          x={x - width / 2}
          y={y - height / 2}
          width={width}
          height={height}
          rx={type === 'Choice' ? 16 : 5}
        />
        {lines.map((line, index) => (
          <text key={line} x={x} y={top + index * LINE_HEIGHT}>
            {line}{' '}
          </text>
        ))}
      </g>
      {sign && <Badge sign={sign} tone={tone} x={x + width / 2} y={y - height / 2} />}
      {calls > 1 && (
        <Badge sign={isRedriven ? '↻' : `×${calls}`} tone={tone} x={x + width / 2} y={y + height / 2} />
      )}
    </>
  );
}

/** On a corner that covers no name. */
function Badge({
  sign,
  tone,
  x,
  y,
}: Readonly<Record<'sign' | 'tone', string>> & Readonly<Record<'x' | 'y', number>>) {
  const width = Math.max(16, sign.length * 8 + 2);
  return (
    <g class={`mark ${tone}`}>
      <rect x={x - width / 2} y={y - 8} width={width} height={16} rx={8} />
      <text x={x} y={y + 4}>
        {sign}
      </text>
    </g>
  );
}
