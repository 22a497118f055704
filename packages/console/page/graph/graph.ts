import { type RawScope, type RawState, rawMachine } from '../../../local/asl/raw';
import { isJsonObject, type JsonObject } from '../../../local/json/json';
import { parsed } from './definition-file';

/** A state of a definition, wherever in it it stands. */
export interface GraphNode {
  readonly name: string;
  readonly type: string;
  /** The Map or Parallel state around it. */
  readonly parent: string | undefined;
  readonly isStart: boolean;
  readonly isEnd: boolean;
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

/** The graph of a definition's text; undefined where it is none. What is no state in it is left out. */
export function graphOf(definition: string): Graph | undefined {
  const machine = parsed(definition);
  const [outermost] = isJsonObject(machine) ? rawMachine(machine).scopes : [];
  const nodes = new Map<string, GraphNode>();
  const edges: GraphEdge[] = [];
  if (outermost) collect(outermost, undefined, nodes, edges);
  return nodes.size === 0 ? undefined : { nodes: [...nodes.values()], edges };
}

function collect(
  { fields: machine, states }: RawScope,
  parent: string | undefined,
  nodes: Map<string, GraphNode>,
  edges: GraphEdge[],
): void {
  const names = new Set(states.map(({ name }) => name));
  for (const state of states) {
    const { name, fields, type = '', inner } = state;
    // A name that is there already is against the States Language: the first one is drawn.
    if (nodes.has(name)) continue;
    const isEnd = fields['End'] === true || type === 'Succeed';
    nodes.set(name, { name, type, parent, isStart: name === machine['StartAt'], isEnd });
    edges.push(...edgesOf(state).filter(({ to }) => names.has(to)));
    for (const scope of inner) collect(scope, name, nodes, edges);
  }
}

function edgesOf({ name: from, fields, items }: RawState): GraphEdge[] {
  const targetsOf = (ways: readonly { readonly fields: JsonObject }[]) => {
    const targets = ways.flatMap(way => [way.fields['Default'], way.fields['Next']]);
    return [...new Set(targets)].filter(to => typeof to === 'string');
  };
  return [
    ...targetsOf([...items.Choices, { fields }]).map(to => ({ from, to, isCatch: false })),
    ...targetsOf(items.Catch).map(to => ({ from, to, isCatch: true })),
  ];
}
