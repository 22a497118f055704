import { isJsonObject } from '../../../local/json/json';
import { type RawItem, type RawScope, type RawState, rawMachine } from '../../../local/language/asl/raw';
import { parsed } from './definition-file';

/** A state of a definition, wherever in it it stands. */
export interface GraphNode {
  readonly name: string;
  readonly type: string;
  /** The Map or Parallel state around it. */
  readonly parent: string | undefined;
  readonly isStart: boolean;
  /** Whether an execution, a branch or an iteration can end with a result here. */
  readonly isEnd: boolean;
  readonly hasRetry: boolean;
  /** The text below its name. */
  readonly note?: string;
}

/** A transition, or a catcher; all that join the same two states are one of each kind. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly isCatch: boolean;
  /** When an execution goes this way: the Comments of rules, the errors of catchers. Empty if it always does. */
  readonly labels: readonly string[];
  /** The errors of catchers, as the definition has them. */
  readonly errors: readonly string[];
}

/** A definition as it is drawn. Names of states are unique in it. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** The graph of a definition's text; undefined if the text is not a definition. Anything else in it is left out. */
export function graphOf(definition: string): Graph | undefined {
  const machine = parsed(definition);
  const [outermost] = isJsonObject(machine) ? rawMachine(machine).scopes : [];
  const nodes = new Map<string, GraphNode>();
  const edges: GraphEdge[] = [];
  if (outermost) collect(outermost, undefined, nodes, edges);
  return nodes.size === 0 ? undefined : { nodes: [...nodes.values()], edges };
}

/** The part of a graph that has these states: also the states around them, and the edges that `isKept` keeps. */
export function partOf(
  { nodes, edges }: Graph,
  names: ReadonlySet<string>,
  isKept: (edge: GraphEdge) => boolean = () => true,
): Graph {
  const kept = new Set<string>();
  const byName = new Map(nodes.map(node => [node.name, node]));
  for (let node of nodes) {
    if (!names.has(node.name)) continue;
    for (; !kept.has(node.name); node = byName.get(node.parent ?? '') ?? node) kept.add(node.name);
  }
  return {
    nodes: nodes.filter(({ name }) => kept.has(name)),
    edges: edges.filter(edge => kept.has(edge.from) && kept.has(edge.to) && isKept(edge)),
  };
}

function collect(
  { fields: machine, states }: RawScope,
  parent: string | undefined,
  nodes: Map<string, GraphNode>,
  edges: GraphEdge[],
): void {
  const names = new Set(states.map(({ name }) => name));
  for (const state of states) {
    const { name, fields, type = '', inner, items } = state;
    // A name that is there already is against the States Language: the first one is drawn.
    if (nodes.has(name)) continue;
    const isEnd = fields['End'] === true || type === 'Succeed';
    const isStart = name === machine['StartAt'];
    nodes.set(name, { name, type, parent, isStart, isEnd, hasRetry: items.Retry.length > 0 });
    edges.push(...edgesOf(state).filter(({ to }) => names.has(to)));
    for (const scope of inner) collect(scope, name, nodes, edges);
  }
}

/** A rule, a field or a catcher that leads to another state. */
interface Exit {
  readonly to: unknown;
  readonly label: string;
  readonly errors: readonly string[];
}

function edgesOf({ name: from, fields, items }: RawState): GraphEdge[] {
  const rules = items.Choices.map(({ fields: { Next: to, Comment } }): Exit => {
    return { to, label: typeof Comment === 'string' ? Comment : '', errors: [] };
  });
  // The rule that is none needs no words beside others with the same target.
  const isOther = rules.every(({ to }) => to !== fields['Default']);
  const named = isOther && rules.some(({ label }) => label !== '') ? 'otherwise' : '';
  const others = [
    { to: fields['Default'], label: named, errors: [] },
    { to: fields['Next'], label: '', errors: [] },
  ];
  const isOnly = items.Catch.length === 1;
  const catchers = items.Catch.map((catcher): Exit => {
    const errors = errorsOf(catcher);
    return { to: catcher.fields['Next'], label: errorsInWords(errors, isOnly), errors };
  });
  return [...merged(from, [...rules, ...others], false), ...merged(from, catchers, true)];
}

function merged(from: string, exits: readonly Exit[], isCatch: boolean): GraphEdge[] {
  const targets = [...new Set(exits.map(({ to }) => to))].filter(to => typeof to === 'string');
  return targets.map(to => {
    const own = exits.filter(exit => exit.to === to);
    const labels = [...new Set(own.map(({ label }) => label).filter(label => label !== ''))];
    return { from, to, isCatch, labels, errors: own.flatMap(({ errors }) => errors) };
  });
}

function errorsOf({ fields: { ErrorEquals } }: RawItem): readonly string[] {
  return Array.isArray(ErrorEquals) ? ErrorEquals.filter(error => typeof error === 'string') : [];
}

const WORDS: Readonly<Record<string, string>> = {
  'States.ALL': 'any other error',
  'States.DataLimitExceeded': 'too long',
  'States.QueryEvaluationError': 'evaluation error',
  'States.TaskFailed': 'task failed',
  'States.Timeout': 'timed out',
  'DynamoDB.ConditionalCheckFailedException': 'condition failed',
};

/** `Sfn.ExecutionAlreadyExistsException` is drawn as `execution already exists`, many errors as their service. */
function errorsInWords(errors: readonly string[], isOnly: boolean): string {
  if (isOnly && errors.includes('States.ALL')) return 'any error';
  const [first = '', ...others] = [...new Set(errors.map(inWords))];
  if (others.length < 2) return [first, ...others].join(', ');
  const services = new Set(errors.map(error => error.slice(0, error.indexOf('.'))));
  return services.size === 1 ? `${[...services][0]} errors` : `${first} and ${others.length} more`;
}

function inWords(error: string): string {
  const own = error.slice(error.indexOf('.') + 1).replace(/Exception$/, '');
  return WORDS[error] ?? (own.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase() || error);
}
