import { anything, type KnownValue, missing, objectOf, oneOf, union } from './known-value';
import type { AstNode, Pair } from './syntax';

/** What an expression gives, and what it reads on every way that no event has. */
export interface Reading {
  readonly value: KnownValue;
  /** The names of the path, from the input on. */
  readonly missing?: readonly string[] | undefined;
}

interface Scope {
  readonly input: KnownValue;
  readonly context: KnownValue;
  readonly variables: Map<string, KnownValue>;
}

/**
 * The facts about the value of an expression over an input about which these facts are known. What it reads only where
 * a condition holds is missing if all branches are.
 *
 * @example
 * readingOf(nodes[0], at([], objectOf({ detail: anything() }))).missing // ['body'] of $states.input.body
 */
export function readingOf(root: AstNode, input: KnownValue): Reading {
  return read(root, { input, context: missing(undefined), variables: new Map() });
}

function read(node: AstNode, scope: Scope): Reading {
  const reading = readUngrouped(node, scope);
  return node.group && reading.missing === undefined
    ? readObject(node.group.lhs, { ...scope, context: reading.value })
    : reading;
}

function readUngrouped(node: AstNode, scope: Scope): Reading {
  switch (node.type) {
    case 'path':
      return readPath(node, scope);
    case 'variable':
      return { value: variable(node, scope) };
    case 'string':
    case 'number':
    case 'value':
      return { value: anything(new Set([`constant ${JSON.stringify(node.value)}`])) };
    case 'name':
      return stepInto(scope.context, [node]);
    case 'unary':
      return readUnary(node, scope);
    case 'condition':
      return readCondition(node, scope);
    case 'block':
      return readBlock(node, scope);
    case 'bind':
      return readBind(node, scope);
    case 'apply':
      return readApply(node, scope);
    case 'function':
      return readCall(node, [], scope);
    case 'lambda':
      return readLambda(node, scope);
    default:
      return made(
        [node.lhs as AstNode | undefined, node.rhs].flatMap(side => (side ? [read(side, scope)] : [])),
      );
  }
}

/** A value that is made of others: it is none of them. */
function made(readings: readonly Reading[]): Reading {
  return {
    value: anything(union(readings.map(({ value }) => value.marks))),
    missing: firstMissing(readings),
  };
}

function firstMissing(readings: readonly Reading[]): readonly string[] | undefined {
  return readings.map(reading => reading.missing).find(path => path !== undefined);
}

function variable({ value }: AstNode, { context, variables, input }: Scope): KnownValue {
  if (value === '') return context;
  if (value === 'states') return objectOf({ input }, () => anything());
  return variables.get(String(value)) ?? anything();
}

function readPath({ steps = [] }: AstNode, scope: Scope): Reading {
  const [first, ...others] = steps;
  if (first === undefined) return { value: anything() };
  let reading = read(first, scope);
  for (const [index, step] of others.entries()) {
    if (reading.missing !== undefined) break;
    const { value } = reading;
    reading =
      step.type === 'name'
        ? stepInto(value, others.slice(index))
        : step.type === 'sort'
          ? reading
          : step.type === 'wildcard' || step.type === 'descendant' || step.type === 'parent'
            ? { value: anything(value.marks) }
            : read(step, { ...scope, context: value });
  }
  return reading;
}

/** The member that the first of these steps names. If there is none, the names behind it show what was meant. */
function stepInto(value: KnownValue, steps: readonly AstNode[]): Reading {
  const [{ value: name } = { value: '' }] = steps;
  const member = value.member(String(name));
  if (!member.isMissing) return { value: member };
  const end = steps.findIndex(step => step.type !== 'name');
  const names = steps.slice(0, end === -1 ? steps.length : end).map(step => String(step.value));
  return { value: member, missing: [...(value.path ?? []), ...names] };
}

function readUnary(node: AstNode, scope: Scope): Reading {
  if (node.value === '{') return readObject((node.lhs ?? []) as readonly Pair[], scope);
  if (node.value === '[') {
    const readings = (node.expressions ?? []).map(one => read(one, scope));
    return { value: oneOf(readings.map(({ value }) => value)), missing: firstMissing(readings) };
  }
  return made(node.expression ? [read(node.expression, scope)] : []);
}

function readObject(pairs: readonly Pair[], scope: Scope): Reading {
  const readings = pairs.map(([name, value]) => ({
    name: name.type === 'string' ? String(name.value) : undefined,
    ...read(value, scope),
  }));
  const members = Object.fromEntries(
    readings.flatMap(({ name, value }) => (name === undefined ? [] : [[name, value]])),
  );
  const computed = readings.filter(({ name }) => name === undefined).map(({ value }) => value);
  const value = computed.length === 0 ? objectOf(members) : objectOf(members, () => oneOf(computed));
  return { value, missing: firstMissing(readings) };
}

function readCondition({ condition, then: first, else: second }: AstNode, scope: Scope): Reading {
  // What a condition asks for may not be there: that is why it asks.
  if (condition) read(condition, scope);
  const readings = [first, second].flatMap(branch => (branch ? [read(branch, scope)] : []));
  const isNever = readings.every(reading => reading.missing !== undefined);
  return {
    value: oneOf(readings.map(({ value }) => value)),
    missing: isNever ? firstMissing(readings) : undefined,
  };
}

function readBlock({ expressions = [] }: AstNode, scope: Scope): Reading {
  const within = { ...scope, variables: new Map(scope.variables) };
  const readings = expressions.map(one => read(one, within));
  return { value: readings.at(-1)?.value ?? anything(), missing: firstMissing(readings) };
}

function readBind({ lhs, rhs }: AstNode, scope: Scope): Reading {
  const reading = rhs ? read(rhs, scope) : { value: anything() };
  scope.variables.set(String((lhs as AstNode | undefined)?.value), reading.value);
  return reading;
}

function readLambda({ body }: AstNode, scope: Scope): Reading {
  return body ? read(body, { ...scope, variables: new Map(scope.variables) }) : { value: anything() };
}

function readApply({ lhs, rhs }: AstNode, scope: Scope): Reading {
  const given = read(lhs as AstNode, scope);
  if (rhs?.type === 'function') return readCall(rhs, [given], scope);
  const update =
    rhs?.type === 'transform' && rhs.update ? [read(rhs.update, { ...scope, context: anything() })] : [];
  const others = rhs && rhs.type !== 'transform' ? [read(rhs, scope)] : update;
  return made([given, ...others]);
}

/** Functions whose value has the members of their first argument. */
const KEEPS_MEMBERS = new Set(['sift', 'filter', 'sort', 'reverse', 'distinct', 'single', 'clone']);

function readCall(call: AstNode, given: readonly Reading[], scope: Scope): Reading {
  const name = String(call.procedure?.value);
  const nodes = call.arguments ?? [];
  const readings = [...given, ...nodes.map(one => read(one, scope))];
  const [first = { value: anything() }] = readings;
  if (name === 'exists') return { value: anything(first.value.marks) };
  const path = firstMissing(readings);
  if (path !== undefined) return { value: missing(undefined), missing: path };
  if (name === 'lookup') {
    const literal = nodes.at(-1);
    if (literal?.type === 'string') return stepInto(first.value, [{ type: 'name', value: literal.value }]);
  }
  if (name === 'merge') return { value: merged(nodes[0], scope) ?? anything(first.value.marks) };
  if (KEEPS_MEMBERS.has(name)) return { value: first.value };
  if (name === 'parse' && first.value.isForeign)
    return { value: missing(undefined), missing: first.value.path };
  return made(readings);
}

/** What `$merge` makes of a list of objects that stands there; undefined for any other list. */
function merged(list: AstNode | undefined, scope: Scope): KnownValue | undefined {
  if (list?.type !== 'unary' || list.value !== '[') return undefined;
  const values = (list.expressions ?? []).map(one => read(one, scope).value);
  const names = values.map(one => one.names);
  return {
    ...oneOf([anything(union(values.map(({ marks }) => marks)))]),
    names: names.includes(undefined) ? undefined : [...new Set(names.flatMap(one => one ?? []))],
    member(name) {
      const last = values.findLastIndex(one => one.names?.includes(name));
      // What an object of any names has, it may have.
      return oneOf(values.slice(Math.max(last, 0)).map(one => one.member(name)));
    },
  };
}
