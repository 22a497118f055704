import type { Node } from '../ast';

// What of the interpreter's language is left to it. It says in its tree what hangs on a node.

/** Thrown while compiling what is not covered. */
export const UNSUPPORTED = { kind: 'unsupported' } as const;

/** What may hang on a node of each type; anything else changes its meaning. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  string: ['value'],
  number: ['value'],
  value: ['value'],
  regex: ['value'],
  name: ['value'],
  variable: ['value', 'predicate'],
  path: ['steps', 'predicate'],
  binary: ['value', 'lhs', 'rhs', 'predicate'],
  unary: ['value', 'expression', 'expressions', 'lhs', 'predicate'],
  condition: ['condition', 'then', 'else', 'predicate'],
  block: ['expressions', 'predicate'],
  bind: ['value', 'lhs', 'rhs'],
  function: ['value', 'arguments', 'procedure', 'predicate'],
  lambda: ['arguments', 'body', 'thunk'],
  apply: ['value', 'lhs', 'rhs', 'predicate'],
};

/** Nodes whose value is there at once. */
export const LEAVES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'value',
  'regex',
  'variable',
  'lambda',
]);

/** Rejects a node with something on it that changes its meaning. Predicates of a step in a path are its stages. */
export function rejectExtras(node: Node, isStep: boolean): void {
  const fields = FIELDS[node.type];
  const isKnown = (field: string) =>
    fields?.includes(field) || field === 'type' || field === 'position' || (isStep && field === 'stages');
  const isBare = Object.keys(node).every(field => isKnown(field) || node[field] === undefined);
  if (!fields || !isBare) throw UNSUPPORTED;
}

/** Whether the last thing a node does is a call that the interpreter puts off. */
export function endsInCall(node: Node | undefined): boolean {
  if (node?.type === 'lambda') return node['thunk'] === true;
  if (node?.type === 'block') return endsInCall((part(node, 'expressions') as Node[]).at(-1));
  if (node?.type !== 'condition') return false;
  return endsInCall(part(node, 'then') as Node) || endsInCall(node['else'] as Node | undefined);
}

/**
 * Parts of a constructor are evaluated side by side: what one binds, another may see or not. Blocks and functions keep
 * what they bind to themselves.
 */
export function rejectBinds(part: unknown): void {
  if (typeof part !== 'object' || part === null || part instanceof RegExp) return;
  const { type } = part as Partial<Node>;
  if (type === 'bind') throw UNSUPPORTED;
  if (type === 'block' || type === 'lambda') return;
  for (const child of Object.values(part)) rejectBinds(child);
}

/** A part that a node of its type must have. */
export function part(node: Node, field: string): unknown {
  const value = node[field];
  if (value === undefined) throw UNSUPPORTED;
  return value;
}
