/** A node of the package's syntax tree, as far as we look at it. */
export interface Node {
  type: string;
  value?: unknown;
  steps?: Node[];
  stages?: { expr: Node }[];
  predicate?: { expr: Node }[];
  group?: unknown;
  procedure?: Node;
  arguments?: Node[];
  lhs?: unknown;
  rhs?: unknown;
  body?: Node;
  keepSingletonArray?: boolean;
  [field: string]: unknown;
}

/**
 * Everything of a tree that is a node, with the number of nodes above it. Parents come before their children.
 */
export function* nodesOf(root: unknown): Generator<readonly [node: Node, above: number]> {
  // An explicit stack: a sum of thousands of terms is a tree as deep.
  const pending: [part: unknown, above: number][] = [[root, 0]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [part, above] = next;
    if (typeof part !== 'object' || part === null || part instanceof RegExp) continue;
    const node = isNode(part);
    if (node) yield [part, above];
    for (const child of Object.values(part)) pending.push([child, node ? above + 1 : above]);
  }
}

function isNode(value: object): value is Node {
  return typeof (value as { type?: unknown }).type === 'string';
}
