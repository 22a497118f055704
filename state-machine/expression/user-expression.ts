import jsonata from 'jsonata206';
import { describeValue } from '../contract/describe-value';
import { contextRead, readsStatesByName } from './jsonata-context';
import { requireQuotedNames } from './member-names';

/** An expression of a team, parsed once. */
export interface UserExpression {
  /** As the team has written it, in `{% %}`. */
  readonly text: string;
  /** Without `{% %}`. */
  readonly jsonata: string;
  /** All nodes of its syntax tree, its root first. */
  readonly nodes: readonly [AstNode, ...AstNode[]];
}

/** Where an expression reads `$states`, by position. */
export function readingStates(nodes: readonly AstNode[]): ReadonlySet<number | undefined> {
  const reads = nodes.filter(({ type, value }) => type === 'variable' && value === 'states');
  return new Set(reads.map(({ position }) => position));
}

/** What must not stand anywhere in an expression, and why. */
export interface Rule {
  forbids(node: AstNode): string | undefined;
  readonly because: string;
}

/** The members of a node that the rules look at; `position` is where its last token ends in the text. */
export interface AstNode {
  readonly type?: string;
  readonly value?: unknown;
  readonly position?: number;
  readonly steps?: readonly AstNode[];
  readonly lhs?: AstNode;
  /** Of a step: the variables that `@` and `#` bind. */
  readonly focus?: unknown;
  readonly index?: unknown;
  /** What a call calls. */
  readonly procedure?: AstNode;
  readonly arguments?: readonly AstNode[];
}

/** A call that gives another value each time; undefined where a node is none. */
export function changingCall(node: AstNode): string | undefined {
  return called(node, ['now', 'millis', 'random', 'uuid', 'shuffle', 'eval']);
}

/** What differs between two evaluations must not stand in an expression. */
export const STABLE: Rule = {
  forbids: node => changingCall(node) ?? contextIn(node),
  because: 'must have the same value for every delivery of an event',
};

/** Nothing but the input may. */
export const OF_THE_INPUT: Rule = {
  forbids: resultIn,
  because: 'can read only the input of the execution',
};

/** How an option's expression is checked. */
export interface Checks {
  /** The option, as messages name it. */
  readonly prop: string;
  readonly rules: readonly Rule[];
  /** @default {@link EXAMPLE} */
  readonly example?: string;
  /** What to do in place of what a rule forbids. @default - leave it out */
  readonly remedyFor?: (rule: Rule) => string | undefined;
  /** Variables of the workflow that the expression may read: those, and no others. */
  readonly variables?: readonly string[];
}

const EXAMPLE = '{% $states.input.detail.orderId %}';

/** The expression that a text without `{% %}` stands for: JSONata already, or a path as in JSONPath. */
function meantBy(text: string): string | undefined {
  if (/^\$states\.[\w.]+$/.test(text)) return `{% ${text} %}`;
  const path = /^\$\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)$/.exec(text)?.[1];
  return path && `{% $states.input.${path} %}`;
}

/** An expression without its `{% %}`. @throws Error where it is none, reads what there is not, or breaks a rule */
export function checked(text: unknown, checks: Checks): string {
  return expressionIn(text, checks).jsonata;
}

/** An expression, parsed. @throws Error where it is none, reads what there is not, or breaks a rule */
export function expressionIn(text: unknown, checks: Checks): UserExpression {
  const { prop, rules, example, variables = [], remedyFor } = checks;
  const source = typeof text === 'string' ? /^\s*\{%([\s\S]*)%\}\s*$/.exec(text)?.[1]?.trim() : undefined;
  if (!source) {
    const given = typeof text === 'string' ? text : describeValue(text);
    const meant = (typeof text === 'string' && meantBy(text)) || example || EXAMPLE;
    if (text === undefined)
      throw new Error(`\`${prop}\` is required: a JSONata expression in {% %}, such as ${meant}`);
    throw new Error(`\`${prop}\` must be a JSONata expression in {% %}, such as ${meant}; got ${given}`);
  }
  const nodes = nodesOf(source, prop);
  requireQuotedNames(nodes, prop, text as string);
  const hidden = boundIn(nodes).find(name => ['states', ...variables].includes(name));
  if (hidden !== undefined) {
    throw new Error(
      `\`${prop}\` binds $${hidden}, which already has a meaning. Use another name; got ${text}`,
    );
  }
  const unknown = unknownName(nodes, variables);
  if (unknown !== undefined) {
    const own =
      variables.length > 0
        ? `, and the variables of the workflow that it can read are $${variables.join(', $')}`
        : '';
    throw new Error(
      `\`${prop}\` uses $${unknown}, which does not exist; got ${text}. The input is $states.input${own}`,
    );
  }
  for (const rule of rules) {
    const found = nodes.flatMap(node => rule.forbids(node) ?? [])[0];
    if (found === undefined) continue;
    const remedy = remedyFor?.(rule) ?? `Leave ${found} out`;
    throw new Error(`\`${prop}\` ${rule.because}; it uses ${found}: ${text}. ${remedy}`);
  }
  requireMembersOfStates(nodes, prop, text as string);
  return { text: text as string, jsonata: source, nodes };
}

/** Rejects what reads nothing, and what could read any member. @throws Error with the remedy */
function requireMembersOfStates(nodes: readonly [AstNode, ...AstNode[]], prop: string, text: string): void {
  if (!readsStatesByName(nodes)) {
    throw new Error(
      `\`${prop}\` must read members of $states by their names, as one path such as $states.input.detail, and without ` +
        `the operator %; got ${text}`,
    );
  }
  const read = contextRead(nodes[0]);
  if (read === undefined) return;
  const [path] = /^[A-Za-z_]/.test(read) ? [`$states.input.${read}`] : ['$states.input'];
  throw new Error(
    `\`${prop}\` reads ${read}, which is always nothing, because an expression of Step Functions has no context. For the ` +
      `event, write ${path}; got ${text}`,
  );
}

/** The syntax tree of an expression, all its nodes in one list. @throws Error for what is no JSONata */
export function nodesOf(source: string, prop: string): readonly [AstNode, ...AstNode[]] {
  const root = parsed(source, prop) as AstNode;
  try {
    const [, ...others] = nodesIn(root);
    return [root, ...others];
  } catch (error) {
    throw error instanceof RangeError ? tooDeep(prop) : error;
  }
}

function tooDeep(prop: string): Error {
  return new Error(
    `\`${prop}\` is nested too deeply, or has too many operators, to be read. Make it shorter`,
  );
}

function parsed(source: string, prop: string): unknown {
  try {
    return jsonata(source).ast();
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(prop);
    const { message, position } = error as { message?: string; position?: number };
    const at = position === undefined ? '' : ` (at ${position})`;
    throw new Error(`\`${prop}\` is not valid JSONata 2.0.6: ${message}${at}: ${source}`);
  }
}

/** The function of this name that a node calls, as `$name`; undefined where it calls none of them. */
export function called(node: AstNode, names: readonly string[]): string | undefined {
  return node.type === 'variable' && names.includes(String(node.value)) ? `$${node.value}` : undefined;
}

// What the context tells is the execution's, not the event's; only its name may be given by the caller.
function contextIn({ type, steps }: AstNode): string | undefined {
  if (type !== 'path' || steps?.[0]?.value !== 'states' || steps[1]?.value !== 'context') return undefined;
  const isName =
    steps[2]?.value === 'Execution' && (steps[3]?.value === 'Name' || steps[3]?.value === 'Input');
  return isName ? undefined : '$states.context';
}

/** A member of `$states` that there is not before the step has run; undefined where a node is none. */
export function resultIn({ type, steps }: AstNode): string | undefined {
  const isNamed = type === 'path' && steps?.[0]?.value === 'states' && steps[1]?.type === 'name';
  const member = isNamed ? String(steps?.[1]?.value) : 'input';
  return member === 'input' || member === 'context' ? undefined : `$states.${member}`;
}

/** A variable that is neither JSONata's, nor the States Language's, nor given, nor bound by the expression itself. */
function unknownName(nodes: readonly AstNode[], given: readonly string[]): string | undefined {
  const known = new Set([...FUNCTIONS, ...boundIn(nodes), ...given, 'states', '', '$']);
  const used = nodes.filter(({ type }) => type === 'variable').map(({ value }) => String(value));
  return used.find(name => !known.has(name));
}

function boundIn(nodes: readonly AstNode[]): readonly string[] {
  return nodes.flatMap(node => {
    if (node.type === 'bind') return [String(node.lhs?.value)];
    if (node.type === 'name') return [node.focus, node.index].filter(name => typeof name === 'string');
    return node.type === 'lambda' ? (node.arguments ?? []).map(({ value }) => String(value)) : [];
  });
}

/** The functions of JSONata 2.0.6 and the six that Step Functions adds. */
const FUNCTIONS = (
  'abs append assert average base64decode base64encode boolean ceil clone contains count decodeUrl ' +
  'decodeUrlComponent distinct each encodeUrl encodeUrlComponent error eval exists filter floor formatBase ' +
  'formatInteger formatNumber fromMillis join keys length lookup lowercase map match max merge millis min not now ' +
  'number pad parseInteger power random reduce replace reverse round shuffle sift single sort split spread sqrt ' +
  'string substring substringAfter substringBefore sum toMillis trim type uppercase zip ' +
  'partition range hash uuid parse'
).split(' ');

function nodesIn(node: unknown): AstNode[] {
  if (Array.isArray(node)) return node.flatMap(nodesIn);
  if (typeof node !== 'object' || node === null) return [];
  return [node as AstNode, ...Object.values(node).flatMap(nodesIn)];
}
