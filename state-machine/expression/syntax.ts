import jsonata from 'jsonata206';

/** The members of a syntax tree's node that are read here; `position` is where its last token ends in the text. */
export interface AstNode {
  readonly type?: string;
  readonly value?: unknown;
  readonly position?: number;
  readonly steps?: readonly AstNode[];
  readonly expressions?: readonly AstNode[];
  /** Of an object: its members, each a pair of name and value. */
  readonly lhs?: AstNode | readonly Pair[];
  readonly rhs?: AstNode;
  readonly condition?: AstNode;
  readonly then?: AstNode;
  readonly else?: AstNode;
  /** What a call calls. */
  readonly procedure?: AstNode;
  readonly arguments?: readonly AstNode[];
  readonly body?: AstNode;
  /** Of a lambda: JSONata has put it around a call in the last place. */
  readonly thunk?: boolean;
  readonly pattern?: AstNode;
  readonly update?: AstNode;
  readonly delete?: AstNode;
  readonly expression?: AstNode;
  readonly expr?: AstNode;
  readonly terms?: readonly { readonly expression: AstNode }[];
  /** Filters and indexes: `stages` of a step, `predicate` of anything else. */
  readonly predicate?: readonly AstNode[];
  readonly stages?: readonly AstNode[];
  readonly group?: { readonly lhs: readonly Pair[] };
  readonly keepArray?: boolean;
  /** Of a step: the variables that `@` and `#` bind. */
  readonly focus?: unknown;
  readonly index?: unknown;
}

/** A member of an object. */
export type Pair = readonly [name: AstNode, value: AstNode];

/**
 * The syntax tree of an expression, all its nodes in one list, its root first. @throws Error for a text that is not
 * JSONata
 */
export function nodesOf(text: string, prop: string): readonly [AstNode, ...AstNode[]] {
  const root = parsed(text, prop) as AstNode;
  return withinDepth(prop, () => {
    const [, ...others] = nodesIn(root);
    return [root, ...others];
  });
}

/** What `read` gives. @throws Error with a sentence for an expression that is too deep for it */
export function withinDepth<Result>(prop: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Error(
      `\`${prop}\` is nested too deeply, or has too many operators, to be read. Make it shorter`,
    );
  }
}

function parsed(text: string, prop: string): unknown {
  return withinDepth(prop, () => {
    try {
      return jsonata(text).ast();
    } catch (error) {
      if (error instanceof RangeError) throw error;
      const { message, position } = error as { message?: string; position?: number };
      const at = position === undefined ? '' : ` (at ${position})`;
      throw new Error(
        `\`${prop}\` is not valid JSONata 2.0.6: ${message}${at}: ${text}${newerOperator(text)}`,
      );
    }
  });
}

/** What to write for operators that people know from JavaScript, and from later versions. */
function newerOperator(source: string): string {
  if (/\w\?\.\w/.test(source))
    return `. JSONata has no ?.: a missing member is nothing. Write ${source.replaceAll('?.', '.')}`;
  const found = /^(.*?)\s*(\?\?|\?:|\|\|)\s*(.*)$/s.exec(source);
  if (found === null) return '';
  const [, value = '', operator, otherwise] = found;
  return `. Step Functions has no ${operator}: write $exists(${value}) ? ${value} : ${otherwise}`;
}

function nodesIn(node: unknown): AstNode[] {
  if (Array.isArray(node)) return node.flatMap(nodesIn);
  if (typeof node !== 'object' || node === null) return [];
  return [node as AstNode, ...Object.values(node).flatMap(nodesIn)];
}

/** The name of the function that a node calls; undefined for any other node, and for a function of the expression. */
export function calledName({ type, procedure }: AstNode): string | undefined {
  return type === 'function' && procedure?.type === 'variable' ? String(procedure.value) : undefined;
}

/** Whether filters, indexes, groups or variables stand behind a node, which make something else of it. */
export function isChanged({ predicate, stages, group, focus, index, keepArray }: AstNode): boolean {
  return [predicate, stages, group, focus, index, keepArray].some(one => one !== undefined);
}

/**
 * The same node as a call and without the parentheses around it: `x ~> $f(1)` is `$f(x, 1)`. Parentheses with a filter
 * behind them stay.
 */
export function plain(node: AstNode): AstNode {
  const { type, lhs, rhs, expressions = [] } = node;
  const [only, ...others] = expressions;
  if (isChanged(node)) return node;
  if (type === 'block' && only && others.length === 0) return plain(only);
  if (type !== 'apply' || !lhs || !rhs) return node;
  const first = lhs as AstNode;
  if (rhs.type === 'variable' && !isChanged(rhs))
    return { type: 'function', procedure: rhs, arguments: [first] };
  return rhs.type === 'function' ? { ...rhs, arguments: [first, ...(rhs.arguments ?? [])] } : node;
}

/** JSONata of a node: of paths, constants, calls, operators and conditions; undefined with anything else in it. */
export function written(given: AstNode): string | undefined {
  const node = plain(given);
  if (node.group || node.focus !== undefined || node.index !== undefined) return undefined;
  const text = withoutFilters(node);
  const filters = [...(node.predicate ?? []), ...(node.stages ?? [])].map(({ expr = {} }) => written(expr));
  if (text === undefined || filters.includes(undefined)) return undefined;
  return `${text}${filters.map(filter => `[${filter}]`).join('')}${node.keepArray ? '[]' : ''}`;
}

function withoutFilters({ type, value, lhs, rhs = {}, ...node }: AstNode): string | undefined {
  switch (type) {
    case 'path':
      return joined(node.steps?.map(written), '.');
    case 'name':
      return writtenName(String(value));
    case 'variable':
      return `$${value}`;
    case 'string':
      return writtenText(String(value));
    case 'number':
    case 'value':
      return String(value);
    case 'block':
      return joined([joined(node.expressions?.map(written), '; ')], '', '(', ')');
    case 'binary':
      return joined([operand(lhs as AstNode), operand(rhs)], ` ${value} `);
    case 'function':
      return joined(
        [written(node.procedure ?? {}), joined(node.arguments?.map(written), ', ', '(', ')')],
        '',
      );
    case 'condition': {
      const branches = [node.then ?? {}, ...(node.else === undefined ? [] : [node.else])].map(operand);
      return joined([operand(node.condition ?? {}), joined(branches, ' : ')], ' ? ');
    }
    default:
      return undefined;
  }
}

function joined(texts: readonly (string | undefined)[] = [], separator: string, before = '', behind = '') {
  return texts.includes(undefined) ? undefined : before + texts.join(separator) + behind;
}

function operand(node: AstNode): string | undefined {
  const { type = '' } = plain(node);
  return /^(?:binary|condition)$/.test(type) ? joined([written(node)], '', '(', ')') : written(node);
}

/** A text as a constant of an expression. */
export function writtenText(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A member's name as an expression has it: in quotes if it needs them. */
export function writtenName(name: string): string {
  const isPlain = /^[A-Za-z_]\w*$/.test(name) && !/^(?:and|or|in|true|false|null|function)$/.test(name);
  return isPlain ? name : `"${JSON.stringify(name).slice(1, -1)}"`;
}

/** Whether a node is a text, a number, a boolean or null. */
export function isConstant({ type = '' }: AstNode): boolean {
  return /^(?:string|number|value)$/.test(type);
}

/** Whether a node is a list in brackets. */
export function isListWritten({ type, value, predicate, group }: AstNode): boolean {
  return type === 'unary' && value === '[' && !predicate && !group;
}

/** Whether an item of a list gives one value and no list for every event, so that it leaves no gap. */
export function isOneValue({ type, value, predicate, group, ...node }: AstNode): boolean {
  if (predicate || group) return false;
  if (type === 'condition') return [node.then, node.else].every(branch => branch && isOneValue(branch));
  return isConstant({ type: type ?? '' }) || (type === 'unary' && /^[[{]$/.test(String(value)));
}
