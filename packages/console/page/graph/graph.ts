/** A state of a definition, wherever in it it stands. */
export interface GraphNode {
  readonly name: string;
  readonly type: string;
  /** The Map or Parallel state around it. */
  readonly parent: string | undefined;
  readonly isStart: boolean;
  readonly isEnd: boolean;
  /** As the definition has it, what is within it left out. */
  readonly definition: Readonly<Record<string, unknown>>;
}

/** A way from one state to another. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly isCatch: boolean;
}

/** A definition as it is drawn. Names of states are unique in it. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

type Json = Readonly<Record<string, unknown>>;

/** The graph of a definition's text; undefined where it is none. What is no state in it is left out. */
export function graphOf(definition: string): Graph | undefined {
  let machine: unknown;
  try {
    machine = JSON.parse(definition);
  } catch {
    return undefined;
  }
  const nodes = new Map<string, GraphNode>();
  const edges: GraphEdge[] = [];
  collect(machine, undefined, nodes, edges);
  return nodes.size === 0 ? undefined : { nodes: [...nodes.values()], edges };
}

function collect(
  machine: unknown,
  parent: string | undefined,
  nodes: Map<string, GraphNode>,
  edges: GraphEdge[],
): void {
  if (!isObject(machine) || !isObject(machine['States'])) return;
  const states = machine['States'];
  for (const [name, state] of Object.entries(states)) {
    // A name that is there already is against the States Language: the first one is drawn.
    if (!isObject(state) || nodes.has(name)) continue;
    const { Branches, ItemProcessor, Iterator: iterator, ...definition } = state;
    const type = textOf(definition['Type']) ?? '';
    const isEnd = definition['End'] === true || type === 'Succeed';
    nodes.set(name, { name, type, parent, isStart: name === machine['StartAt'], isEnd, definition });
    edges.push(
      ...edgesOf(name, definition).filter(({ to }) => Object.hasOwn(states, to) && isObject(states[to])),
    );
    for (const inner of [...listOf(Branches), ItemProcessor, iterator]) collect(inner, name, nodes, edges);
  }
}

function edgesOf(from: string, { Next, Default, Choices, Catch }: Json): GraphEdge[] {
  const waysOf = (targets: readonly unknown[]) => new Set(targets.flatMap(to => textOf(to) ?? []));
  const nextsOf = (rules: unknown) => listOf(rules).map(rule => (isObject(rule) ? rule['Next'] : undefined));
  return [
    ...[...waysOf([...nextsOf(Choices), Default, Next])].map(to => ({ from, to, isCatch: false })),
    ...[...waysOf(nextsOf(Catch))].map(to => ({ from, to, isCatch: true })),
  ];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
