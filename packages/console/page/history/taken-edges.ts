import type { GraphEdge } from '../graph/graph';
import type { ExecutionSnapshot } from './visits';

/** Tells whether an execution has gone from one state to another: by a catcher, where the edge is one. */
export function takenIn({ visits }: Pick<ExecutionSnapshot, 'visits'>): (edge: GraphEdge) => boolean {
  const ends = new Map(visits.map(({ id, status }) => [id, status]));
  const taken = new Set(
    visits.map(({ from, name }) => JSON.stringify([from?.name, name, ends.get(from?.id ?? 0) === 'caught'])),
  );
  return ({ from, to, isCatch }) => taken.has(JSON.stringify([from, to, isCatch]));
}
