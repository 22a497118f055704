import type { Node } from '../ast';
import { call, callableIn, Handed, isCallable, Lambda, TailCall } from './callables';
import { FUNCTIONS } from './callbacks';
import { groupCode, listCode, plainKeysOf, recordCode } from './constructors';
import { Names } from './names';
import { sizeOf } from './natives';
import { endsInCall, LEAVES, part, rejectBinds, rejectExtras, UNSUPPORTED } from './node-checks';
import { isTrue, OPERATORS, takeCompared } from './operators';
import { applyFilter, type Filter, nameCode, pathCode, type Step } from './path';
import { Pattern } from './pattern';
import { type Code, Frame, GIVE_UP, plain, unwrapped } from './run';

/**
 * An expression as code of our own, or undefined when something in it is left to the interpreter: sorting, grouping,
 * kept arrays, parents, wildcards, partial application, transforms, signatures, `$$`.
 */
export function compileTree(tree: Node): { readonly code: Code; readonly slots: number } | undefined {
  try {
    const names = new Names([], tree);
    return { code: codeOf(tree, names), slots: names.size };
  } catch (reason) {
    if (reason === UNSUPPORTED) return undefined;
    throw reason;
  }
}

function codeOf(node: Node, names: Names, isStep = false): Code {
  rejectExtras(node, isStep);
  const code = plainCode(node, names);
  const filters = filtersOf(node.predicate, names);
  // The interpreter would filter the call that is still to be made, and not its value.
  if (filters.length > 0 && endsInCall(node)) throw UNSUPPORTED;
  if (filters.length === 0) return LEAVES.has(node.type) ? code : nested(code);
  return (input, frame) => {
    const { run } = frame;
    run.enter();
    let value = code(input, frame);
    for (const filter of filters) value = applyFilter(filter, value, frame);
    run.depth -= 1;
    return unwrapped(value);
  };
}

/** One level down, if nothing narrows the value down. */
function nested(code: Code): Code {
  return (input, frame) => {
    const { run } = frame;
    run.enter();
    const value = code(input, frame);
    run.depth -= 1;
    return unwrapped(value);
  };
}

function plainCode(node: Node, names: Names): Code {
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
      return variableCode(String(node.value), names);
    case 'path':
      return pathCode((node.steps ?? []).map(step => stepOf(step, names)));
    case 'binary':
      return binaryCode(node, names);
    case 'unary':
      return unaryCode(node, names);
    case 'condition':
      return conditionCode(node, names);
    case 'block':
      return blockCode(part(node, 'expressions') as Node[], names);
    case 'bind':
      return bindCode(node, names);
    case 'function':
      return functionCode(node, names);
    case 'lambda':
      return lambdaCode(node, names);
    case 'apply':
      return applyCode(node, names);
    default:
      throw UNSUPPORTED;
  }
}

/** The expression's own variable, else one of the scope, else a built-in function. */
function variableCode(name: string, names: Names): Code {
  if (name === '$') throw UNSUPPORTED;
  // A bound value may have been selected within something else, and stands for itself only here.
  if (name === '') return input => unwrapped(input);
  const inScope = scopeVariable(name);
  // From the outside in: what is further in hides what is further out.
  const lookup = names
    .placesOf(name)
    .reduceRight((outer, place) => frame => frame.lookup(place, outer), inScope);
  return (_, frame) => unwrapped(lookup(frame));
}

function scopeVariable(name: string): (frame: Frame) => unknown {
  if (name === 'states') return ({ run }) => run.scope.states;
  const builtIn = FUNCTIONS.get(name);
  return ({ run }) => {
    const { variables } = run.scope;
    if (builtIn && !run.hidesFunctions) return builtIn;
    return Object.hasOwn(variables, name) ? plain(variables[name]) : builtIn;
  };
}

function stepOf(node: Node, names: Names): Step {
  return {
    code: codeOf(node, names, true),
    filters: filtersOf(node.stages, names),
    isVariable: node.type === 'variable',
    name: node.type === 'name' && node.stages === undefined ? String(node.value) : undefined,
  };
}

function filtersOf(predicates: Node['predicate'], names: Names): Filter[] {
  return (predicates ?? []).map(({ expr }) =>
    expr.type === 'number'
      ? { kind: 'index', index: Math.floor(Number(expr.value)) }
      : { kind: 'condition', code: codeOf(expr, names) },
  );
}

function binaryCode(node: Node, names: Names): Code {
  const lhs = codeOf(part(node, 'lhs') as Node, names);
  const rhs = codeOf(part(node, 'rhs') as Node, names);
  if (node.value === 'and') return (input, frame) => isTrue(lhs(input, frame)) && isTrue(rhs(input, frame));
  if (node.value === 'or') return (input, frame) => isTrue(lhs(input, frame)) || isTrue(rhs(input, frame));
  const operator = OPERATORS.get(String(node.value));
  if (!operator) throw UNSUPPORTED;
  return (input, frame) => {
    const a = lhs(input, frame);
    const b = rhs(input, frame);
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

function unaryCode(node: Node, names: Names): Code {
  if (node.value === '[') return arrayCode(part(node, 'expressions') as Node[], names);
  if (node.value === '{') return objectCode(part(node, 'lhs') as [Node, Node][], names);
  if (node.value !== '-') throw UNSUPPORTED;
  const operand = codeOf(part(node, 'expression') as Node, names);
  return (input, frame) => {
    const value = operand(input, frame);
    if (value !== undefined && !Number.isFinite(value)) throw GIVE_UP;
    return value === undefined ? undefined : -(value as number);
  };
}

function arrayCode(nodes: readonly Node[], names: Names): Code {
  rejectBinds(nodes);
  return listCode(
    nodes.map(node => ({
      code: codeOf(node, names),
      isArray: node.type === 'unary' && node.value === '[',
    })),
  );
}

function objectCode(pairs: readonly (readonly [key: Node, value: Node])[], names: Names): Code {
  rejectBinds(pairs);
  const members = pairs.map(([key, value]) => [codeOf(key, names), codeOf(value, names)] as const);
  const keys = plainKeysOf(pairs.map(([key]) => key));
  if (!keys) return groupCode(members);
  return recordCode(members.map(([, value], index) => [keys[index] ?? '', value] as const));
}

function conditionCode(node: Node, names: Names): Code {
  const condition = codeOf(part(node, 'condition') as Node, names);
  const then = codeOf(part(node, 'then') as Node, names);
  const otherwise = node['else'] === undefined ? undefined : codeOf(node['else'] as Node, names);
  return (input, frame) => (isTrue(condition(input, frame)) ? then(input, frame) : otherwise?.(input, frame));
}

function blockCode(nodes: readonly Node[], outer: Names): Code {
  const names = new Names([], nodes, outer);
  const codes = nodes.map(node => codeOf(node, names));
  const { size } = names;
  return (input, frame) => {
    const inner = new Frame(frame.run, size, frame);
    let value: unknown;
    for (const code of codes) value = code(input, inner);
    return value;
  };
}

function bindCode(node: Node, names: Names): Code {
  const slot = names.slotOf(String((part(node, 'lhs') as Node).value));
  const rhs = codeOf(part(node, 'rhs') as Node, names);
  return (input, frame) => {
    const value = rhs(input, frame);
    frame.bind(slot, value);
    return value;
  };
}

function functionCode(node: Node, names: Names, isTail = false): Code {
  const { procedure } = node;
  if (procedure?.type !== 'variable' || procedure.value === '') throw UNSUPPORTED;
  const callee = codeOf(procedure, names);
  const args = (node.arguments ?? []).map(argument => codeOf(argument, names));
  return isTail ? tailCallCode(callee, args) : callCode(callee, args);
}

function callCode(callee: Code, args: readonly Code[]): Code {
  return (input, frame) => {
    const callable = callableIn(callee(input, frame));
    const values = new Array<unknown>(args.length);
    for (let index = 0; index < args.length; index += 1)
      values[index] = handed((args[index] as Code)(input, frame));
    return call(callable, values, input, frame);
  };
}

function tailCallCode(callee: Code, args: readonly Code[]): Code {
  return (input, frame) => {
    const callable = callableIn(callee(input, frame));
    const values = new Array<unknown>(args.length);
    for (let index = 0; index < args.length; index += 1) {
      const value = (args[index] as Code)(input, frame);
      // The interpreter hands a built-in function on as it is here, and cannot call it then.
      if (isCallable(value) && !(value instanceof Lambda)) throw GIVE_UP;
      // The caller gets it as it is.
      values[index] =
        value instanceof Lambda && !(callable instanceof Lambda) ? value.asTailArgument() : value;
    }
    return new TailCall(callable, values, frame);
  };
}

/** `lhs ~> $f` and `lhs ~> $f(more)`: the left side is the first argument. */
function applyCode(node: Node, names: Names): Code {
  const rhs = part(node, 'rhs') as Node;
  const first = codeOf(part(node, 'lhs') as Node, names);
  const isCall = rhs.type === 'function';
  if (isCall && (rhs.procedure?.type !== 'variable' || rhs.predicate)) throw UNSUPPORTED;
  const callee = codeOf(isCall ? (rhs.procedure as Node) : rhs, names);
  const more = isCall ? (rhs.arguments ?? []).map(argument => codeOf(argument, names)) : [];
  return (input, frame) => {
    const value = first(input, frame);
    const callable = callableIn(callee(input, frame));
    // Two functions make a third one, which is the interpreter's to build.
    if (isCallable(value)) throw GIVE_UP;
    const values = [value, ...more.map(argument => handed(argument(input, frame)))];
    return call(callable, values, isCall ? input : null, frame);
  };
}

function lambdaCode(node: Node, outer: Names): Code {
  const body = node.body as Node;
  if (node['thunk'] === true) return tailCode(body, outer);
  const parameters = (node.arguments ?? []).map(parameter => String(parameter.value));
  const names = new Names(parameters, body, outer);
  const slots = parameters.map(name => names.slotOf(name));
  const definition = { parameters: slots, slots: names.size, body: codeOf(body, names) };
  return (input, frame) => new Lambda(definition, input, frame);
}

/**
 * A call at the end of a function. Its arguments are evaluated here, the call is the caller's: what a built-in function
 * selects then stays a sequence, because no node stands in between.
 */
function tailCode(body: Node, names: Names): Code {
  if (body.type !== 'function' || body.predicate) throw UNSUPPORTED;
  return functionCode(body, names, true);
}

/** A function among the arguments is always called without a context. */
function handed(value: unknown): unknown {
  return isCallable(value) && !(value instanceof Handed) ? new Handed(value, null) : value;
}
