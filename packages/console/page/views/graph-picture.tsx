import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Layout } from '../graph/layout';
import type { ExecutionSnapshot, Visit } from '../history/visits';
import { signOf } from './status';

interface Drawn {
  readonly layout: Layout;
  readonly snapshot: ExecutionSnapshot;
  /** The name of a state. */
  readonly chosen: string | undefined;
  readonly choose: (id: number) => void;
}

/** The definition as a picture, with the way the execution has gone so far: the chosen state in view, or all of it. */
export function GraphPicture(props: Drawn) {
  const { layout, chosen } = props;
  const isWhole = useSignal(false);
  const picture = useRef<HTMLElement>(null);
  useEffect(() => {
    const box = picture.current;
    const node = layout.nodes.find(({ name }) => name === chosen);
    if (box === null || node === undefined || isWhole.value) return;
    box.scrollTo({ left: node.x - box.clientWidth / 2, top: node.y - box.clientHeight / 2 });
  }, [chosen, layout, isWhole.value]);
  return (
    <div>
      <label>
        <input
          type="checkbox"
          checked={isWhole.value}
          onChange={({ currentTarget }) => {
            isWhole.value = currentTarget.checked;
          }}
        />{' '}
        Whole graph
      </label>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section class="graph" ref={picture} aria-label="Graph of the definition" tabIndex={0}>
        <Drawing {...props} width={isWhole.value ? '100%' : `${layout.width}px`} />
      </section>
    </div>
  );
}

function Drawing({ layout, snapshot, chosen, choose, width }: Drawn & { readonly width: string }) {
  const visitsOf = Map.groupBy(snapshot.visits, ({ name }) => name);
  const taken = new Set(snapshot.visits.map(({ from, name }) => `${from?.name}\n${name}`));
  const drawn = layout.nodes.map(node => {
    const visits = visitsOf.get(node.name) ?? [];
    const isChosen = chosen === node.name;
    return {
      hasInner: node.hasInner,
      element: <Node key={node.name} node={node} visits={visits} isChosen={isChosen} choose={choose} />,
    };
  });
  return (
    <svg viewBox={`0 0 ${layout.width} ${layout.height}`} style={{ width }}>
      <title>The way that this execution went</title>
      <defs>
        <marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">
          <path d="M0 0 L8 4 L0 8 z" />
        </marker>
      </defs>
      {drawn.flatMap(({ hasInner, element }) => (hasInner ? [element] : []))}
      {layout.edges.map(({ from, to, isCatch, path }) => (
        <path
          key={`${from} ${to} ${isCatch}`}
          class={`edge ${isCatch ? 'catch' : ''} ${taken.has(`${from}\n${to}`) ? 'taken' : ''}`}
          d={path}
          marker-end="url(#head)"
        />
      ))}
      {drawn.flatMap(({ hasInner, element }) => (hasInner ? [] : [element]))}
    </svg>
  );
}

function Node(props: {
  readonly node: Layout['nodes'][number];
  readonly visits: readonly Visit[];
  readonly isChosen: boolean;
  readonly choose: (id: number) => void;
}) {
  const { node, visits, isChosen, choose } = props;
  const { name, type, x, y, width, height, lines, hasInner } = node;
  const last = visits.at(-1);
  const { sign, tone } = last === undefined ? { sign: '', tone: 'unvisited' } : signOf(last.status);
  const calls = visits.reduce((sum, visit) => sum + Math.max(1, visit.calls), 0);
  const select = () => {
    if (last) choose(last.id);
  };
  const words =
    last === undefined
      ? 'not visited'
      : `${last.status}${visits.length > 1 ? `, ${visits.length} times` : ''}`;
  const top = hasInner ? y - height / 2 + 16 : y - ((lines.length - 1) * 16) / 2 + 4;
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
          <text key={line} x={x} y={top + index * 16}>
            {line}{' '}
          </text>
        ))}
      </g>
      <g class={`node marks ${tone}`}>
        {sign && (
          <text class="sign" x={x - width / 2 + 12} y={y - height / 2 + 15}>
            {sign}
          </text>
        )}
        {calls > 1 && (
          <text class="calls" x={x + width / 2 - 12} y={y - height / 2 + 14}>
            ×{calls}
          </text>
        )}
      </g>
    </>
  );
}
