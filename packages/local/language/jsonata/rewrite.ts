import type { Node } from './ast';
import { UNCOUNTED } from './limits';

/** The name under which our own concatenation is registered; no expression can spell it. */
export const CONCATENATE = '&';

/**
 * Turns `a & b` into a call of our own concatenation wherever an operand may hold a number.
 *
 * The service (JSONata 2.0.6) rounds every number to 15 significant digits on its way into a text, the
 * package rounds fractions only, and its operator cannot be replaced. The call takes the node's place, so
 * depth and order stay.
 */
export function roundConcatenations(nodes: readonly Node[]): void {
  for (const node of nodes) {
    if (node.type !== 'binary' || node.value !== '&') continue;
    if (isText(node.lhs as Node) && isText(node.rhs as Node)) continue;
    const procedure: Node = { type: 'variable', value: CONCATENATE, position: node.position };
    UNCOUNTED.add(procedure);
    Object.assign(node, { type: 'function', value: '(', procedure, arguments: [node.lhs, node.rhs] });
    delete node.lhs;
    delete node.rhs;
  }
}

function isText(node: Node): boolean {
  return node.type === 'string' && node.predicate === undefined;
}
