/** The parts of a syntax tree's node that an object's members are read from. */
interface ObjectNode {
  readonly type?: string;
  readonly value?: unknown;
  /** Of an object: its members, each a pair of name and value. */
  readonly lhs?: unknown;
  /** Of a path that ends in an object without a dot: the same. */
  readonly group?: { readonly lhs?: unknown };
}

interface NameNode {
  readonly type?: string;
  readonly steps?: readonly { readonly type?: string; readonly value?: unknown; readonly stages?: unknown }[];
}

/**
 * Rejects an object with a member such as `{amount: total}`. In JavaScript `amount` is the member's name; in JSONata it
 * is a path, whose value is the name: the evaluation fails for almost every event. If that is meant, parentheses say
 * so.
 *
 * @throws Error with both spellings
 */
export function requireQuotedNames(nodes: readonly ObjectNode[], prop: string, text: string): void {
  const name = nodes.flatMap(membersOf).map(bareName)[0];
  if (name === undefined) return;
  throw new Error(
    `\`${prop}\` has an object with the member ${name}, which JSONata takes for a path, and its value for the ` +
      `member's name; write '${name}' in quotes, or (${name}) if its value is meant: ${text}`,
  );
}

function membersOf({ type, value, lhs, group }: ObjectNode): readonly NameNode[] {
  const pairs = type === 'unary' && value === '{' ? lhs : group?.lhs;
  const names = ((pairs ?? []) as readonly (readonly [NameNode, unknown])[]).map(([name]) => name);
  return names.filter(one => bareName(one) !== undefined);
}

function bareName({ type, steps = [] }: NameNode): string | undefined {
  const [step] = steps;
  const isBare = type === 'path' && steps.length === 1 && step?.type === 'name' && step.stages === undefined;
  return isBare ? String(step.value) : undefined;
}
