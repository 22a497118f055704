import { type Graph, type GraphEdge, partOf } from '../../packages/console/page/graph/graph';
import { STATE } from '../../state-machine/contract/state-names';

/**
 * The part of the workflow's graph that is about deliveries. Retries are left out, and so are states that only an error
 * of a service reaches: a lost answer, a rejected request, an oversized result.
 */
export function withoutServiceErrors(graph: Graph): Graph {
  const isKept = (edge: GraphEdge) => !edge.isCatch || isOfDelivery(edge);
  const edges = graph.edges.filter(isKept);
  const reached = new Set(graph.nodes.flatMap(({ name, isStart }) => (isStart ? [name] : [])));
  for (const name of reached) for (const { from, to } of edges) if (from === name) reached.add(to);
  const nodes = graph.nodes.map(node => ({ ...node, hasRetry: false }));
  return partOf({ nodes, edges: graph.edges.map(inShort) }, reached, isKept);
}

/** However the business step fails: the workflow goes one way. */
function inShort(edge: GraphEdge): GraphEdge {
  return edge.isCatch && edge.from === STATE.step ? { ...edge, labels: ['it fails'] } : edge;
}

/** Conditions and expressions are the workflow's own. Of the business step's errors the step's own one is left. */
function isOfDelivery({ from, errors }: GraphEdge): boolean {
  if (from === STATE.step) return errors.includes('States.ALL');
  return errors.some(error => /ConditionalCheckFailed|QueryEvaluationError/.test(error));
}
