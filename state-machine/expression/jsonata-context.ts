/** The members of a syntax tree's node that say what it reads. */
interface Node {
  readonly type?: string;
  readonly value?: unknown;
  readonly position?: number;
  readonly steps?: readonly Node[];
}

/** What a path's value is the context of, and what is no part of the expression's text. */
const WITH_A_CONTEXT = new Set(['predicate', 'stages', 'group', 'terms', 'value', 'signature']);

/**
 * What an expression reads of a context, such as `detail` in `detail.id`: Step Functions gives it none, so that this is
 * nothing for every event. Undefined where it reads none; within a path, a predicate or a group there is one.
 */
export function contextRead(node: unknown): string | undefined {
  if (Array.isArray(node)) return node.map(contextRead).find(found => found !== undefined);
  if (typeof node !== 'object' || node === null) return undefined;
  const { type, value, steps = [] } = node as Node;
  switch (type) {
    case 'path':
      return contextRead(steps[0]);
    case 'name':
      return String(value);
    case 'wildcard':
    case 'descendant':
    case 'parent':
      return type === 'wildcard' ? '*' : type === 'parent' ? '%' : '**';
    case 'variable':
      return value === '' || value === '$' ? `$${value}` : undefined;
    case 'transform':
      return undefined;
    default: {
      const others = Object.entries(node).filter(([member]) => !WITH_A_CONTEXT.has(member));
      return contextRead(others.map(([, below]) => below));
    }
  }
}

/**
 * Whether every `$states` of an expression is the beginning of a path with a member's name, such as `$states.input`,
 * and no step leads back to it. The rules about members see no other way to them.
 */
export function readsStatesByName(nodes: readonly Node[]): boolean {
  const isStates = ({ type, value }: Node) => type === 'variable' && value === 'states';
  const named = nodes.filter(({ type, steps: [states, member] = [] }) => {
    return type === 'path' && states !== undefined && isStates(states) && member?.type === 'name';
  });
  const positions = new Set(named.map(({ steps }) => steps?.[0]?.position));
  return nodes.every(node => node.type !== 'parent' && (!isStates(node) || positions.has(node.position)));
}
