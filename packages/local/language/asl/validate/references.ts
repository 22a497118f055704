import type { Node } from '../../jsonata/ast';

/** Something an expression refers to by name. */
export interface Reference {
  /** `$$`; a name looked up in the input document; a member of `$states`. */
  readonly kind: 'document' | 'name' | 'states';
  readonly name: string;
}

/**
 * What an expression refers to at its top level, and which members of `$states` it reads anywhere.
 *
 * There is no input document in the States Language, so a path has to start from a variable. Only its first
 * step counts: in later steps, predicates, sort terms and groupings names belong to what the path has found.
 * A lambda's body stays at the level where it stands.
 */
export function referencesOf(tree: Node): Reference[] {
  const found: Reference[] = [];
  visit(tree, true, found);
  return found;
}

function visit(part: unknown, isTop: boolean, found: Reference[]): void {
  if (typeof part !== 'object' || part === null || part instanceof RegExp) return;
  if (Array.isArray(part)) {
    for (const item of part) visit(item, isTop, found);
    return;
  }
  const node = part as Node;
  note(node, isTop, found);
  for (const field of Object.keys(node)) {
    const child = (node as Readonly<Record<string, unknown>>)[field];
    // Most members are no nodes.
    if (typeof child !== 'object') continue;
    if (field === 'steps') visitSteps(child as Node[], isTop, found);
    else visit(child, isTop && !INNER_FIELDS.has(field), found);
  }
}

/**
 * Where names belong to what has been found so far. A transform's three parts look at the value it
 * transforms.
 */
const INNER_FIELDS = new Set(['predicate', 'stages', 'group', 'pattern', 'update', 'delete']);

function visitSteps([first, ...rest]: readonly Node[], isTop: boolean, found: Reference[]): void {
  visit(first, isTop, found);
  for (const step of rest) visit(step, false, found);
}

function note(node: Node, isTop: boolean, found: Reference[]): void {
  if (node.type === 'variable' && node.value === '$') found.push({ kind: 'document', name: '$$' });
  if (node.type === 'name' && isTop) found.push({ kind: 'name', name: String(node.value) });
  const [first, second] = node.type === 'path' ? (node.steps ?? []) : [];
  if (first?.type === 'variable' && first.value === 'states' && second?.type === 'name') {
    found.push({ kind: 'states', name: String(second.value) });
  }
}
