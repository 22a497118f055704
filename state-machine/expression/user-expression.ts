import { KNOWN_FUNCTIONS } from '../../packages/local/language/jsonata/known-functions';
import { describeValue } from '../words/describe-value';
import { requireQuotedNames } from './member-names';
import { type MemberPath, type Reads, readsOf } from './reads';
import { type AstNode, nodesOf, withinDepth, written, writtenName } from './syntax';

/** An expression of a team, parsed once. */
export interface UserExpression {
  /** As the team has written it, in `{% %}`. */
  readonly text: string;
  /** Without `{% %}`. */
  readonly jsonata: string;
  /** All nodes of its syntax tree, its root first. */
  readonly nodes: readonly [AstNode, ...AstNode[]];
  /** What its value depends on. */
  readonly reads: Reads;
}

/** The positions at which an expression reads `$states`. */
export function readingStates(nodes: readonly AstNode[]): ReadonlySet<number | undefined> {
  const reads = nodes.filter(({ type, value }) => type === 'variable' && value === 'states');
  return new Set(reads.map(({ position }) => position));
}

/** What must not stand anywhere in an expression, and why. */
export interface Rule {
  forbids(expression: Pick<UserExpression, 'nodes' | 'reads'>): string | undefined;
  readonly because: string;
}

/**
 * The function of an expression whose value hangs on the time, on chance or on a text of the input, as `$name`;
 * undefined if there is none. `$toMillis` takes from the clock what its picture leaves out.
 */
export function changingCall(nodes: readonly AstNode[]): string | undefined {
  const isHarmless = ({ type, arguments: given = [] }: AstNode) => type === 'function' && given.length < 2;
  const chained = new Set(
    nodes.flatMap(({ type, rhs }) => (type === 'apply' && rhs?.arguments?.length ? [rhs.procedure] : [])),
  );
  const harmless = new Set(
    nodes.flatMap(({ type, rhs, ...node }) => {
      if (type === 'apply') return rhs?.type === 'variable' ? [rhs] : [];
      return isHarmless({ type, ...node }) && !chained.has(node.procedure) ? [node.procedure] : [];
    }),
  );
  const found = nodes.find(node => {
    const facts = node.type === 'variable' ? KNOWN_FUNCTIONS.get(String(node.value)) : undefined;
    return facts?.draws && !(facts.drawsWithPicture && harmless.has(node));
  });
  return found && `$${found.value}`;
}

const SAME = 'must have the same value for every delivery of an event';

/** Of the context, only what the caller may have given. */
export const OF_THE_EXECUTION: Rule = { forbids: ({ reads }) => contextIn(reads), because: SAME };

/** What differs between two evaluations must not stand in an expression. */
export const STABLE: Rule = {
  forbids: ({ nodes, reads }) => changingCall(nodes) ?? contextIn(reads),
  because: SAME,
};

/** Nothing but the input may. */
export const OF_THE_INPUT: Rule = {
  forbids: resultIn,
  because: 'can read only the input of the execution',
};

/** A function that is another than JSONata's could not be judged by its name. */
export const NOT_REBOUND: Rule = {
  forbids: ({ nodes }) => {
    const name = boundIn(nodes).find(bound => KNOWN_FUNCTIONS.has(bound));
    return name && `$${name}`;
  },
  because: 'must not give a function of JSONata another meaning',
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

/** The expression that a text without `{% %}` stands for: JSONata already, in `{{ }}`, or a path as in JSONPath. */
function meantBy(text: string): string | undefined {
  const source = /^\s*\{\{(.*)\}\}\s*$/s.exec(text)?.[1]?.trim() ?? text;
  if (/^\$states\.[\w.]+$/.test(source)) return `{% ${source} %}`;
  const path = /^(?:\$\.?)?((?:[\w-]+|\['[^']+'\])(?:\.[\w-]+|\[\d+\]|\['[^']+'\])*)$/.exec(source)?.[1];
  if (path === undefined) return undefined;
  const names = path.match(/\[\d+\]|(?<=\[')[^']+|[\w-]+/g) ?? [];
  const steps = names.map(name => (name.startsWith('[') ? name : `.${writtenName(name)}`));
  return `{% $states.input${steps.join('')} %}`;
}

/** An expression without its `{% %}`. @throws Error where it is none, reads what there is not, or breaks a rule */
export function checked(text: unknown, checks: Checks): string {
  return expressionIn(text, checks).jsonata;
}

/** An expression, parsed. @throws Error where it is none, reads what there is not, or breaks a rule */
export function expressionIn(text: unknown, checks: Checks): UserExpression {
  const { prop, rules, example, variables = [], remedyFor } = checks;
  const jsonata = typeof text === 'string' ? /^\s*\{%([\s\S]*)%\}\s*$/.exec(text)?.[1]?.trim() : undefined;
  if (!jsonata) {
    const given = typeof text === 'string' ? text : describeValue(text);
    const must = `must be a JSONata expression in {% %}`;
    const meant = typeof text === 'string' ? meantBy(text) : undefined;
    // A path or an expression has one translation. Any other text might mean something else.
    if (meant !== undefined && /^\s*(?:\$|\{\{)/.test(given))
      throw new Error(`\`${prop}\` ${must}, got ${given}. Write ${meant}`);
    const such = meant ?? example ?? EXAMPLE;
    if (text === undefined)
      throw new Error(`\`${prop}\` is required: a JSONata expression in {% %}, such as ${such}`);
    throw new Error(`\`${prop}\` ${must}, such as ${such}; got ${given}`);
  }
  const nodes = nodesOf(jsonata, prop);
  const reads = withinDepth(prop, () => readsOf(nodes[0]));
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
    const found = rule.forbids({ nodes, reads });
    if (found === undefined) continue;
    const remedy = remedyFor?.(rule) ?? `Leave ${found} out`;
    throw new Error(`\`${prop}\` ${rule.because}; it uses ${found}: ${text}. ${remedy}`);
  }
  requireMembersOfStates(reads, nodes, prop, text as string);
  return { text: text as string, jsonata, nodes, reads };
}

/** Rejects what reads nothing, and what could read any member. @throws Error with the remedy */
function requireMembersOfStates(
  { problems }: Reads,
  nodes: readonly AstNode[],
  prop: string,
  text: string,
): void {
  if (problems.some(({ kind }) => kind === 'states')) {
    throw new Error(
      `\`${prop}\` must read members of $states by their names, as one path such as $states.input.detail, and without ` +
        `the operator %; got ${text}`,
    );
  }
  const read = problems.find(({ kind }) => kind === 'nothing')?.found;
  if (read === undefined) return;
  const name = nodes.map(hyphenated).find(path => path !== undefined);
  const path =
    name ?? (/^(?:[$*%]|States$)/.test(read) ? '$states.input' : `$states.input.${writtenName(read)}`);
  const because = name
    ? 'because - is the operator minus. Put the name into quotes'
    : read === 'States'
      ? 'and intrinsic functions are of JSONPath. Use a part of the key for each value, or the functions of JSONata'
      : 'because an expression of Step Functions has no context. For the event';
  throw new Error(
    `\`${prop}\` reads ${read}, which is always nothing, ${because}, write ${path}; got ${text}`,
  );
}

/** The path with a quoted name that was meant by `a.order-id`; undefined for any other node. */
function hyphenated({ type, value, lhs, rhs }: AstNode): string | undefined {
  const [first, ...others] = rhs?.steps ?? [];
  const left = lhs as AstNode;
  const before =
    type === 'binary' && value === '-' && first?.type === 'name'
      ? (hyphenated(left) ?? written(left))
      : undefined;
  const [, path, quoted, plain] = /^(\$.*\.)(?:"(.*)"|(\w+))$/s.exec(before ?? '') ?? [];
  return (
    path && [`${path}${writtenName(`${quoted ?? plain}-${first?.value}`)}`, ...others.map(written)].join('.')
  );
}

/** All places that an expression reads. */
export function memberPathsIn({ given, tested }: Reads): readonly MemberPath[] {
  return [...given, ...tested];
}

// What the context tells is the execution's, not the event's; only its name and input may be given by the caller.
function contextIn(reads: Reads): string | undefined {
  const isOwn = ([states, execution, member = '']: MemberPath) =>
    states === 'context' && !(execution === 'Execution' && /^(?:Name|Input)$/.test(member));
  return memberPathsIn(reads).some(isOwn) ? '$states.context' : undefined;
}

/** A member of `$states` that there is not before the step has run; undefined for an expression without one. */
export function resultIn({ reads }: Pick<UserExpression, 'reads'>): string | undefined {
  const found = memberPathsIn(reads).find(([member = 'input']) => !/^(?:input|context)$/.test(member));
  return found && `$states.${found[0]}`;
}

/** A variable that is neither JSONata's, nor the States Language's, nor given, nor bound by the expression itself. */
function unknownName(nodes: readonly AstNode[], given: readonly string[]): string | undefined {
  const known = new Set([...KNOWN_FUNCTIONS.keys(), ...boundIn(nodes), ...given, 'states', '', '$']);
  const used = nodes.filter(({ type }) => type === 'variable').map(({ value }) => String(value));
  return used.find(name => !known.has(name));
}

function boundIn(nodes: readonly AstNode[]): readonly string[] {
  return nodes.flatMap(node => {
    if (node.type === 'bind') return [String((node.lhs as AstNode).value)];
    if (node.type === 'lambda') return (node.arguments ?? []).map(({ value }) => String(value));
    return [node.focus, node.index].filter(name => typeof name === 'string');
  });
}
