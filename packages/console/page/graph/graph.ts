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

interface Machine {
  readonly StartAt?: unknown;
  readonly States?: Readonly<Record<string, RawState>>;
}

interface RawState {
  readonly Type?: string;
  readonly Next?: string;
  readonly End?: boolean;
  readonly Default?: string;
  readonly Choices?: readonly { readonly Next?: string }[];
  readonly Catch?: readonly { readonly Next?: string }[];
  readonly Branches?: readonly Machine[];
  readonly ItemProcessor?: Machine;
  readonly Iterator?: Machine;
}

/** The graph of a definition's text; undefined where it is none. */
export function graphOf(definition: string): Graph | undefined {
  let machine: Machine;
  try {
    machine = JSON.parse(definition);
  } catch {
    return undefined;
  }
  if (typeof machine?.States !== 'object' || machine.States === null) return undefined;
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  collect(machine, undefined, nodes, edges);
  return { nodes, edges };
}

function collect(machine: Machine, parent: string | undefined, nodes: GraphNode[], edges: GraphEdge[]): void {
  const states = machine.States ?? {};
  for (const [name, state] of Object.entries(states)) {
    const { Branches, ItemProcessor, Iterator: iterator, ...definition } = state;
    const { Type = '', End = false } = definition;
    const isEnd = End || Type === 'Succeed';
    nodes.push({ name, type: Type, parent, isStart: name === machine.StartAt, isEnd, definition });
    edges.push(...edgesOf(name, definition).filter(({ to }) => Object.hasOwn(states, to)));
    for (const inner of [...(Branches ?? []), ItemProcessor, iterator]) {
      if (inner !== undefined) collect(inner, name, nodes, edges);
    }
  }
}

function edgesOf(from: string, { Next, Default, Choices = [], Catch = [] }: RawState): GraphEdge[] {
  const ways = new Set([...Choices.map(rule => rule.Next), Default, Next].filter(to => to !== undefined));
  const catchers = new Set(Catch.map(catcher => catcher.Next).filter(to => to !== undefined));
  return [
    ...[...ways].map(to => ({ from, to, isCatch: false })),
    ...[...catchers].map(to => ({ from, to, isCatch: true })),
  ];
}
