import { numbered } from '../../packages/local/explore/kernel/index';
import type { Violation } from './invariants/invariants';
import type { TraceStep } from './trace';

/** Lanes in the order in which they are drawn, behind those of the executions. */
const OTHERS = ['front door', 'dispatcher', 'record', 'step', 'Step Functions', 'time'];
const GAP = 3;

/** A schedule as a sequence diagram in text: who acts on whom, what happened, and the record where it has changed. */
export function renderDiagram(trace: readonly TraceStep[], violation: Violation | undefined): string {
  const lanes = lanesIn(trace);
  const at = new Map<string, number>();
  let width = 0;
  for (const lane of lanes) {
    at.set(lane, width + Math.floor(lane.length / 2));
    width += lane.length + GAP;
  }
  const steps = trace.map(({ lanes: [from, to], description, record }, index) => {
    const picture = arrow(at, width, at.get(from) ?? 0, at.get(to) ?? 0);
    const isChanged = record !== (trace[index - 1]?.record ?? 'absent');
    return [`${picture}${description}`, ...(isChanged ? [`${arrow(at, width)}  record: ${record}`] : [])];
  });
  const head = `     ${lanes.map(lane => lane + ' '.repeat(GAP)).join('')}`.trimEnd();
  return `${[head, ...numbered(steps)].join('\n')}\n\n${endOf(violation)}\n`;
}

/** The same as a Mermaid sequence diagram. */
export function renderMermaid(trace: readonly TraceStep[], violation: Violation | undefined): string {
  const participants = lanesIn(trace).map(lane => `  participant ${nameOf(lane)} as ${lane}`);
  const steps = trace.flatMap(({ lanes: [from, to], description, record }, index) => {
    const text = description.replaceAll(/[;#]/g, ',');
    const line =
      from === to ? `  Note over ${nameOf(from)}: ${text}` : `  ${nameOf(from)}->>${nameOf(to)}: ${text}`;
    const isChanged = record !== (trace[index - 1]?.record ?? 'absent');
    return isChanged
      ? [line, `  Note right of ${nameOf('record')}: ${record.replaceAll(/[;#]/g, ',')}`]
      : [line];
  });
  const end = violation ? [`  Note over ${nameOf('record')}: ${violation.invariant}, ${violation.seen}`] : [];
  return `${['sequenceDiagram', ...participants, ...steps, ...end].join('\n')}\n`;
}

/** Who acts in a schedule: the executions first. */
export function lanesIn(trace: readonly TraceStep[]): readonly string[] {
  const used = new Set([...trace.flatMap(({ lanes }) => lanes), 'record']);
  const executions = [...used].filter(lane => !OTHERS.includes(lane)).sort();
  return [...executions, ...OTHERS.filter(lane => used.has(lane))];
}

/** One line of the picture: each lane's life, and the arrow from one place to another; without places no arrow. */
function arrow(at: ReadonlyMap<string, number>, width: number, from?: number, to?: number): string {
  const cells = Array.from({ length: width }, () => ' ');
  for (const place of at.values()) cells[place] = '│';
  if (from === undefined || to === undefined) return cells.join('');
  for (let place = Math.min(from, to); place < Math.max(from, to); place += 1) cells[place] = '─';
  cells[to] = to < from ? '◀' : '▶';
  cells[from] = '●';
  return cells.join('');
}

function nameOf(lane: string): string {
  return lane.replaceAll(' ', '');
}

/** What a schedule comes to. */
export function endOf(violation: Violation | undefined): string {
  return violation
    ? `VIOLATION of ${violation.invariant}: ${violation.seen}\n  ${violation.says}`
    : 'no violation';
}
