import type { Node } from '../ast';
import { LIST_ITEMS_MAX } from '../limits';
import { call, callableIn, Handed, isCallable, Lambda, Pattern, TailCall } from './callables';
import { sizeOf } from './natives';
import { endsInCall, LEAVES, part, refuseBinds, refuseExtras, UNSUPPORTED } from './node-checks';
import { isTrue, OPERATORS, takeCompared } from './operators';
import { applyFilter, type Filter, nameCode, pathCode, type Step } from './path';
import { type Code, Frame, GIVE_UP, unwrapped } from './run';

/**
 * An expression as code of our own, or undefined when something in it is left to the interpreter: sorting, grouping,
 * kept arrays, parents, wildcards, partial application, transforms, signatures, `$$`.
 */
export function compileTree(tree: Node): Code | undefined {
  try {
    return codeOf(tree);
  } catch (reason) {
    if (reason === UNSUPPORTED) return undefined;
    throw reason;
  }
}

function codeOf(node: Node, isStep = false): Code {
  refuseExtras(node, isStep);
  const code = plainCode(node);
  const filters = filtersOf(node.predicate);
  // The interpreter would filter the call that is still to be made, and not its value.
  if (filters.length > 0 && endsInCall(node)) throw UNSUPPORTED;
  if (LEAVES.has(node.type) && filters.length === 0) return code;
  return (input, frame) => {
    const { run } = frame;
    run.enter();
    let value = code(input, frame);
    for (const filter of filters) value = applyFilter(filter, value, frame);
    run.depth -= 1;
    return unwrapped(value);
  };
}

function plainCode(node: Node): Code {
  switch (node.type) {
    case 'string':
    case 'number':
    case 'value': {
      const { value } = node;
      return () => value;
    }
    case 'regex': {
      const pattern = new Pattern(node.value as RegExp);
      return () => pattern;
    }
    case 'name':
      return nameCode(String(node.value));
    case 'variable':
      return variableCode(String(node.value));
    case 'path':
      return pathCode((node.steps ?? []).map(stepOf));
    case 'binary':
      return binaryCode(node);
    case 'unary':
      return unaryCode(node);
    case 'condition':
      return conditionCode(node);
    case 'block':
      return blockCode(part(node, 'expressions') as Node[]);
    case 'bind':
      return bindCode(node);
    case 'function':
      return functionCode(node);
    case 'lambda':
      return lambdaCode(node);
    case 'apply':
      return applyCode(node);
    default:
      throw UNSUPPORTED;
  }
}

function variableCode(name: string): Code {
  if (name === '$') throw UNSUPPORTED;
  return name === '' ? input => input : (_, frame) => frame.lookup(name);
}

function stepOf(node: Node): Step {
  return { code: codeOf(node, true), filters: filtersOf(node.stages), isVariable: node.type === 'variable' };
}

function filtersOf(predicates: Node['predicate']): Filter[] {
  return (predicates ?? []).map(({ expr }) =>
    expr.type === 'number'
      ? { kind: 'index', index: Math.floor(Number(expr.value)) }
      : { kind: 'condition', code: codeOf(expr) },
  );
}

function binaryCode(node: Node): Code {
  const lhs = codeOf(part(node, 'lhs') as Node);
  const rhs = codeOf(part(node, 'rhs') as Node);
  if (node.value === 'and') return (input, frame) => isTrue(lhs(input, frame)) && isTrue(rhs(input, frame));
  if (node.value === 'or') return (input, frame) => isTrue(lhs(input, frame)) || isTrue(rhs(input, frame));
  const operator = OPERATORS.get(String(node.value));
  if (!operator) throw UNSUPPORTED;
  return (input, frame) => {
    const [a, b] = [lhs(input, frame), rhs(input, frame)];
    const value = operator(a, b);
    // Most operands are scalars, and their work is that of the node.
    if (typeof a === 'object' || typeof b === 'object') frame.run.spend(takeCompared() + sizeOf(b));
    if (typeof value === 'string') frame.run.usage.add(Math.min(lengthOf(a), lengthOf(b)));
    return value;
  };
}

/** Characters of a text; of anything else next to none. */
function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 1;
}

function unaryCode(node: Node): Code {
  if (node.value === '[') return arrayCode(part(node, 'expressions') as Node[]);
  if (node.value === '{') return objectCode(part(node, 'lhs') as [Node, Node][]);
  if (node.value !== '-') throw UNSUPPORTED;
  const operand = codeOf(part(node, 'expression') as Node);
  return (input, frame) => {
    const value = operand(input, frame);
    if (value !== undefined && !Number.isFinite(value)) throw GIVE_UP;
    return value === undefined ? undefined : -(value as number);
  };
}

function arrayCode(nodes: readonly Node[]): Code {
  refuseBinds(nodes);
  const items = nodes.map(node => ({
    code: codeOf(node),
    isArray: node.type === 'unary' && node.value === '[',
  }));
  return (input, frame) => {
    const values: unknown[] = [];
    for (const { code, isArray } of items) {
      const value = code(input, frame);
      if (value === undefined) continue;
      if (Array.isArray(value) && !isArray) for (const item of value) values.push(item);
      else values.push(value);
      if (values.length > LIST_ITEMS_MAX) throw GIVE_UP;
    }
    frame.run.spend(values.length);
    return values;
  };
}

/** Only in front of one context: the interpreter groups the items of a list by what the keys are for each. */
function objectCode(pairs: readonly (readonly [key: Node, value: Node])[]): Code {
  refuseBinds(pairs);
  const members = pairs.map(([key, value]) => [codeOf(key), codeOf(value)] as const);
  return (input, frame) => {
    if (Array.isArray(input)) throw GIVE_UP;
    const entries: [string, unknown][] = [];
    for (const [key, value] of members) {
      const name = key(input, frame);
      if (name === undefined) continue;
      const isTaken = entries.some(([known]) => known === name);
      if (typeof name !== 'string' || isTaken || name.startsWith('_jsonata_')) throw GIVE_UP;
      entries.push([name, value]);
    }
    const values = entries.map(([name, code]) => [name, (code as Code)(input, frame)] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  };
}

function conditionCode(node: Node): Code {
  const condition = codeOf(part(node, 'condition') as Node);
  const then = codeOf(part(node, 'then') as Node);
  const otherwise = node['else'] === undefined ? undefined : codeOf(node['else'] as Node);
  return (input, frame) => (isTrue(condition(input, frame)) ? then(input, frame) : otherwise?.(input, frame));
}

function blockCode(nodes: readonly Node[]): Code {
  const codes = nodes.map(node => codeOf(node));
  return (input, frame) => {
    const inner = new Frame(frame.run, frame);
    let value: unknown;
    for (const code of codes) value = code(input, inner);
    return value;
  };
}

function bindCode(node: Node): Code {
  const name = String((part(node, 'lhs') as Node).value);
  const rhs = codeOf(part(node, 'rhs') as Node);
  return (input, frame) => {
    const value = rhs(input, frame);
    frame.bind(name, value);
    return value;
  };
}

function functionCode(node: Node, isTail = false): Code {
  const { procedure } = node;
  if (procedure?.type !== 'variable' || procedure.value === '') throw UNSUPPORTED;
  const callee = codeOf(procedure);
  const args = (node.arguments ?? []).map(argument => codeOf(argument));
  return (input, frame) => {
    const callable = callableIn(callee(input, frame));
    const values = args.map(argument => {
      const value = argument(input, frame);
      // The interpreter hands a built-in function on as it is here, and cannot call it then.
      if (isTail && isCallable(value) && !(value instanceof Lambda)) throw GIVE_UP;
      if (!isTail) return handed(value);
      // The caller gets it as it is.
      return value instanceof Lambda && !(callable instanceof Lambda) ? value.handedAtEnd() : value;
    });
    if (!isTail) return call(callable, values, input, frame);
    return new TailCall(callable, values, frame);
  };
}

/** `lhs ~> $f` and `lhs ~> $f(more)`: the left side is the first argument. */
function applyCode(node: Node): Code {
  const rhs = part(node, 'rhs') as Node;
  const first = codeOf(part(node, 'lhs') as Node);
  const isCall = rhs.type === 'function';
  if (isCall && (rhs.procedure?.type !== 'variable' || rhs.predicate)) throw UNSUPPORTED;
  const callee = codeOf(isCall ? (rhs.procedure as Node) : rhs);
  const more = isCall ? (rhs.arguments ?? []).map(argument => codeOf(argument)) : [];
  return (input, frame) => {
    const value = first(input, frame);
    const callable = callableIn(callee(input, frame));
    // Two functions make a third one, which is the interpreter's to build.
    if (isCallable(value)) throw GIVE_UP;
    const values = [value, ...more.map(argument => handed(argument(input, frame)))];
    return call(callable, values, isCall ? input : null, frame);
  };
}

function lambdaCode(node: Node): Code {
  if (node['thunk'] === true) return tailCode(node.body as Node);
  const parameters = (node.arguments ?? []).map(parameter => String(parameter.value));
  const definition = { parameters, body: codeOf(node.body as Node) };
  return (input, frame) => new Lambda(definition, input, frame);
}

/**
 * A call at the end of a function. Its arguments are evaluated here, the call is the caller's: what a built-in function
 * selects then stays a sequence, because no node stands in between.
 */
function tailCode(body: Node): Code {
  if (body.type !== 'function' || body.predicate) throw UNSUPPORTED;
  return functionCode(body, true);
}

/** A function among the arguments is always called without a context. */
function handed(value: unknown): unknown {
  return isCallable(value) && !(value instanceof Handed) ? new Handed(value, null) : value;
}
