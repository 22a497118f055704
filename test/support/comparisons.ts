import jsonata206 from 'jsonata206';

/** A node of JSONata's syntax tree, as far as comparisons are looked at. */
interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly lhs?: Node | readonly (readonly [Node, Node])[];
  readonly rhs?: Node;
  readonly steps?: readonly Node[];
  readonly stages?: readonly Node[];
  readonly predicate?: readonly Node[];
  readonly expr?: Node;
  readonly expressions?: readonly Node[];
  readonly expression?: Node;
  readonly condition?: Node;
  readonly then?: Node;
  readonly else?: Node;
  readonly procedure?: Node;
  readonly arguments?: readonly Node[];
  readonly body?: Node;
}

/** A comparison that an operand may be missing of, and the operand. */
export interface Finding {
  readonly comparison: string;
  readonly operand: string;
}

/** Nodes that have a value everywhere: texts of paths and variables. */
type Known = ReadonlySet<string>;

const ORDERS = ['<', '<=', '>', '>='];
const COMPARISONS = ['=', '!=', 'in', ...ORDERS];
/** Functions with a value whatever they are given. */
const TOTAL = ['exists', 'millis', 'now', 'not', 'count', 'string', 'merge', 'error', 'spread'];
/** Functions whose value is missing where that of their first argument is, and only then. */
const STRICT = [
  ...[
    'abs',
    'floor',
    'ceil',
    'power',
    'round',
    'number',
    'length',
    'substring',
    'substringBefore',
    'substringAfter',
  ],
  ...[
    'replace',
    'contains',
    'split',
    'join',
    'trim',
    'lowercase',
    'uppercase',
    'pad',
    'hash',
    'type',
    'parse',
  ],
  ...[
    'base64encode',
    'base64decode',
    'encodeUrlComponent',
    'decodeUrlComponent',
    'formatBase',
    'toMillis',
    'fromMillis',
  ],
];

/**
 * The comparisons of an expression with a meaning for a missing value. Each `!=` is false then, and each order is
 * nothing. An `=` or `in` below `$not` is true. The list also has a `$not` of a node that is not a comparison. Not
 * listed is an operand that has a value: a literal, what `$exists` or another comparison has found on the way, and
 * `given`.
 */
export function findingsIn(source: string, given: Known): readonly Finding[] {
  return findingsOf(jsonata206(source).ast() as unknown as Node, given, false);
}

function findingsOf(node: Node, known: Known, isNegated: boolean): Finding[] {
  const of = (inner: Node | undefined, more: Iterable<string> = [], negated = false) =>
    inner ? findingsOf(inner, new Set([...known, ...more]), negated) : [];
  const { type, condition } = node;
  const operator = String(node.value);
  if (type === 'binary' && (operator === 'and' || operator === 'or')) {
    const [lhs, rhs] = operands(node);
    const seen = operator === 'and' ? whenTrue(lhs) : whenFalse(lhs);
    return [...of(lhs, [], isNegated), ...of(rhs, seen, isNegated)];
  }
  if (type === 'binary' && COMPARISONS.includes(operator)) {
    return operands(node).flatMap(operand => {
      const tells = operator === '!=' || ORDERS.includes(operator) || isNegated;
      const isFound = tells && (operator === '!=' || !hasValue(operand, known));
      return [...(isFound ? [finding(node, operand, known)] : []), ...of(operand)];
    });
  }
  if (type === 'condition' && condition) {
    const [then, otherwise] = [
      of(node.then, whenTrue(condition), isNegated),
      of(node.else, whenFalse(condition), isNegated),
    ];
    return [...of(condition, [], isNegated), ...then, ...otherwise];
  }
  if (type === 'block') {
    let bound: Known = known;
    return (node.expressions ?? []).flatMap((one, index, all) => {
      const found = findingsOf(one, bound, isNegated && index === all.length - 1);
      bound = new Set([...bound, ...boundBy(one, bound)]);
      return found;
    });
  }
  if (isCall(node, 'not')) {
    const [inner] = node.arguments ?? [];
    const isFound = inner && !isBoolean(inner) && !hasValue(inner, known);
    return [...(isFound ? [finding(node, inner, known)] : []), ...of(inner, [], !isNegated)];
  }
  if (type === 'lambda') return of(node.body, (node.arguments ?? []).map(written));
  return childrenOf(node).flatMap(child => of(child));
}

function finding(comparison: Node, operand: Node, known: Known): Finding {
  return { comparison: written(comparison), operand: missingIn(operand, known) };
}

/** What certainly has a value where the node is true. */
function whenTrue(node: Node): string[] {
  if (node.type === 'block')
    return node.expressions?.length === 1 ? whenTrue(node.expressions[0] as Node) : [];
  if (node.type === 'binary') {
    if (node.value === 'and') return operands(node).flatMap(whenTrue);
    if (COMPARISONS.includes(String(node.value))) return operands(node).flatMap(needs);
  }
  if (isCall(node, 'exists')) return (node.arguments ?? []).flatMap(needs);
  if (isCall(node, 'not')) return (node.arguments ?? []).flatMap(whenFalse);
  if (isCall(node, 'contains')) return (node.arguments ?? []).slice(0, 1).flatMap(needs);
  return [];
}

/** The same where it is false. */
function whenFalse(node: Node): string[] {
  if (node.type === 'block')
    return node.expressions?.length === 1 ? whenFalse(node.expressions[0] as Node) : [];
  if (node.type === 'binary' && node.value === 'or') return operands(node).flatMap(whenFalse);
  if (isCall(node, 'not')) return (node.arguments ?? []).flatMap(whenTrue);
  return [];
}

/** What must have a value for the node to have one; of a path also its beginnings, and an attribute of its type. */
function needs(node: Node): string[] {
  if (node.type === 'variable') return [written(node)];
  if (node.type === 'path') {
    const steps = node.steps ?? [];
    return steps.map((_, end) =>
      steps
        .slice(0, end + 1)
        .map(written)
        .join('.'),
    );
  }
  if (node.type === 'function' && STRICT.includes(String(node.procedure?.value))) {
    return (node.arguments ?? []).slice(0, 1).flatMap(needs);
  }
  if (node.type === 'binary' && ['+', '-', '*', '/', '%'].includes(String(node.value))) {
    return operands(node).flatMap(needs);
  }
  return [];
}

/** Whether the node certainly has a value. */
function hasValue(node: Node, known: Known): boolean {
  const text = written(node);
  // A table's attribute is an object of its type and its value, which the workflow has written.
  if (known.has(text) || known.has(text.replace(/\.[SN]$/, ''))) return true;
  const all = (nodes: readonly Node[]) => nodes.every(one => hasValue(one, known));
  switch (node.type) {
    case 'string':
    case 'number':
    case 'value':
    case 'regex':
    case 'lambda':
      return true;
    case 'unary':
      return node.value !== '-' || all([node.expression as Node]);
    case 'binary':
      return ['&', 'and', 'or', '=', 'in', '!='].includes(String(node.value)) || all(operands(node));
    case 'condition':
      return (
        node.then !== undefined &&
        node.else !== undefined &&
        hasValue(node.then, new Set([...known, ...whenTrue(node.condition as Node)])) &&
        hasValue(node.else, new Set([...known, ...whenFalse(node.condition as Node)]))
      );
    case 'block': {
      let bound = new Set(known);
      for (const one of node.expressions ?? []) bound = new Set([...bound, ...boundBy(one, bound)]);
      const last = node.expressions?.at(-1);
      return last !== undefined && hasValue(last, bound);
    }
    case 'function': {
      const name = String(node.procedure?.value);
      const [first] = node.arguments ?? [];
      if (TOTAL.includes(name)) return true;
      if (['max', 'min'].includes(name)) {
        return first?.type === 'unary' && (first.expressions ?? []).some(one => hasValue(one, known));
      }
      return STRICT.includes(name) && first !== undefined && all([first]);
    }
    default:
      return false;
  }
}

/** What may be missing so that the operand is. */
function missingIn(operand: Node, known: Known): string {
  const inner = [...(operand.arguments ?? []), ...(operand.type === 'binary' ? operands(operand) : [])];
  const missing = inner.find(one => !hasValue(one, known));
  const isStrict = operand.type === 'binary' || STRICT.includes(String(operand.procedure?.value));
  return isStrict && missing ? missingIn(missing, known) : written(operand);
}

function boundBy(node: Node, known: Known): string[] {
  if (node.type !== 'bind') return [];
  return hasValue(node.rhs as Node, known) ? [written(node.lhs as Node)] : [];
}

function isBoolean(node: Node): boolean {
  if (node.type === 'binary') return ['and', 'or', ...COMPARISONS].includes(String(node.value));
  if (node.type === 'block') return isBoolean(node.expressions?.at(-1) as Node);
  return isCall(node, 'exists') || isCall(node, 'not');
}

function operands(node: Node): [Node, Node] {
  return [node.lhs as Node, node.rhs as Node];
}

function isCall(node: Node, name: string): boolean {
  return node.type === 'function' && node.procedure?.value === name;
}

function childrenOf(node: Node): readonly Node[] {
  const one = [
    node.rhs,
    node.expr,
    node.expression,
    node.procedure,
    node.body,
    node.condition,
    node.then,
    node.else,
  ];
  const lhs = Array.isArray(node.lhs) ? node.lhs.flat() : [node.lhs as Node | undefined];
  const many = [node.steps, node.stages, node.predicate, node.expressions, node.arguments].flatMap(
    nodes => nodes ?? [],
  );
  return [...one, ...lhs, ...many].filter((child): child is Node => typeof child?.type === 'string');
}

/** The node as text, the same for the same meaning. */
function written(node: Node): string {
  const list = (nodes: readonly Node[] = []) => nodes.map(written).join(', ');
  const filters = [...(node.stages ?? []), ...(node.predicate ?? [])].map(
    ({ expr }) => `[${expr ? written(expr) : ''}]`,
  );
  return `${bare()}${filters.join('')}`;

  function bare(): string {
    switch (node.type) {
      case 'path':
        return (node.steps ?? []).map(written).join('.');
      case 'variable':
        return `$${String(node.value)}`;
      case 'string':
        return `'${String(node.value)}'`;
      case 'binary':
        return operands(node)
          .map(written)
          .join(` ${String(node.value)} `);
      case 'bind':
        return `${written(node.lhs as Node)} := ${written(node.rhs as Node)}`;
      case 'unary':
        return node.value === '-'
          ? `-${written(node.expression as Node)}`
          : `${String(node.value)}${list(node.expressions)}`;
      case 'function':
        return `${written(node.procedure as Node)}(${list(node.arguments)})`;
      case 'lambda':
        return `function(${list(node.arguments)}) ${written(node.body as Node)}`;
      case 'block':
        return `(${(node.expressions ?? []).map(written).join('; ')})`;
      case 'condition':
        return [node.condition, node.then, node.else].map(one => (one ? written(one) : '')).join(' ? ');
      default:
        return String(node.value);
    }
  }
}
