/** A definition, as far as it is drawn. */
export interface DrawnDefinition {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, DrawnState>>;
}

interface DrawnState {
  readonly Type: string;
  readonly Next?: string;
  readonly End?: boolean;
  readonly Default?: string;
  readonly Choices?: readonly { readonly Next: string; readonly Comment?: string }[];
  readonly Catch?: readonly { readonly Next: string; readonly ErrorEquals: readonly string[] }[];
}

/** A state of the diagram. */
export interface Node {
  readonly name: string;
  /** The state's type in the States Language. */
  readonly type: string;
  readonly group: Group;
  /** True where an execution ends with a result. */
  readonly isEnd: boolean;
}

/** A way from one state to another; all transitions and all catchers between two states are one way each. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** The rules, or the errors, that lead this way; none where there is no other way. */
  readonly labels: readonly string[];
  readonly isCatch: boolean;
}

/** The two flows of the workflow. */
export type Group = 'First delivery' | 'Duplicate';

/** The diagram of a definition. */
export interface Graph {
  readonly start: string;
  /** In the order of the definition. */
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
}

/** The state with which the second flow begins: it reads the record that refused the claim. */
const DUPLICATE_BEGINS = 'Read record';

/** The graph of a definition: all of its states, transitions and catchers. Retries stay within their state. */
export function graphOf(definition: DrawnDefinition): Graph {
  const edges = Object.entries(definition.States).flatMap(([name, state]) => edgesOf(name, state));
  const first = reachable(definition.StartAt, edges);
  const nodes = Object.entries(definition.States).map(([name, { Type, End = false }]): Node => {
    return { name, type: Type, group: first.has(name) ? 'First delivery' : 'Duplicate', isEnd: End };
  });
  return { start: definition.StartAt, nodes, edges };
}

function edgesOf(from: string, { Next, Default, Choices = [], Catch = [] }: DrawnState): Edge[] {
  const rules = Choices.map(rule => ({ to: rule.Next, label: rule.Comment ?? '' }));
  if (Default !== undefined) rules.push({ to: Default, label: 'Otherwise' });
  if (Next !== undefined) rules.push({ to: Next, label: '' });
  const catchers = Catch.map(catcher => ({ to: catcher.Next, label: errorsInWords(catcher.ErrorEquals) }));
  return [...merged(from, rules, false), ...merged(from, catchers, true)];
}

function merged(
  from: string,
  ways: readonly { readonly to: string; readonly label: string }[],
  isCatch: boolean,
): Edge[] {
  return [...new Set(ways.map(({ to }) => to))].map(to => {
    const labels = ways.filter(way => way.to === to && way.label !== '').map(({ label }) => label);
    return { from, to, labels, isCatch };
  });
}

/** `DynamoDB.ConditionalCheckFailedException` is drawn as `ConditionalCheckFailed`, many errors as their number. */
function errorsInWords(errors: readonly string[]): string {
  if (errors.includes('States.ALL')) return 'any other error';
  const names = [
    ...new Set(errors.map(error => error.slice(error.indexOf('.') + 1).replace(/Exception$/, ''))),
  ];
  return names.length <= 2 ? names.join(', ') : `${names[0]} and ${names.length - 1} more`;
}

/** The states that are reached without the one with which the second flow begins. */
function reachable(start: string, edges: readonly Edge[]): ReadonlySet<string> {
  const found = new Set([start]);
  for (const name of found) {
    for (const { from, to } of edges) if (from === name && to !== DUPLICATE_BEGINS) found.add(to);
  }
  return found;
}
