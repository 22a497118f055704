import jsonata from 'jsonata';
import type { Json, JsonObject } from '../../json/json';
import { type Node, nodesOf } from './ast';
import { type Computed, evaluatorFor } from './evaluator/evaluate';
import type { Time } from './evaluator/run';
import { type EvaluationState, registerFunctions, STATE } from './functions';
import { DRAWING_FUNCTIONS } from './known-functions';
import {
  boundDepth,
  Depth,
  EVALUATION_DEPTH_MAX,
  EVALUATION_MS_MAX,
  LIST_ITEMS_MAX,
  STACK_PROBLEM,
  Usage,
} from './limits';
import { type PathResult, readPath } from './path';
import { roundConcatenations } from './rewrite';
import type { Scope } from './scope';

/** An expression, or why it cannot be evaluated. */
export type Compiled =
  | Expression
  /** `problem` continues "threw an error during evaluation". */
  | { readonly kind: 'invalid'; readonly problem: string };

/** An expression ready to be evaluated any number of times, also side by side. */
export interface Expression {
  readonly kind: 'expression';
  /** The names of the variables that it mentions; it can see no others. */
  readonly variableNames: ReadonlySet<string>;
  /**
   * Whether the value depends on the state's input and nothing else, beside these variables of the scope. Only said of
   * what takes long enough to be worth remembering.
   */
  dependsOnInputAlone(variables: JsonObject): boolean;
  /** The value of a plain path without the interpreter; `unknown` when only the interpreter has the answer. */
  readPath(scope: Scope): PathResult;
  /** The raw result without the interpreter, within `time`; `unknown` when only the interpreter has the answer. */
  compute(scope: Scope, time: Time): Computed;
  /** The interpreter's raw result. Rejects with what the expression throws. */
  interpret(scope: Scope): Promise<unknown>;
}

/** The compiled form of an expression; the same text is compiled once. */
export function compile(source: string): Compiled {
  const known = CACHE.get(source);
  if (known) return known;
  if (CACHE.size >= CACHED_EXPRESSIONS_MAX) CACHE.clear();
  const compiled = compileNew(source);
  CACHE.set(source, compiled);
  return compiled;
}

// Expressions come from definitions, so there are few; the bound is for processes that see very many
// definitions.
const CACHED_EXPRESSIONS_MAX = 10_000;
const CACHE = new Map<string, Compiled>();

function compileNew(source: string): Compiled {
  const parsed = parse(source);
  if (parsed.kind === 'invalid') return parsed;
  const { expression } = parsed;
  const tree = expression.ast() as unknown as Node;
  const nodes = [...nodesOf(tree)];
  const names = nodes.flatMap(([{ type, value }]) => (type === 'variable' ? [String(value)] : []));
  const variableNames = new Set(names);
  const isOfInput = nodes.length >= REMEMBERED_NODES_MIN && readsInputAlone(nodes, variableNames);
  let interpret: Expression['interpret'] | undefined;
  return {
    kind: 'expression',
    variableNames,
    dependsOnInputAlone: variables => isOfInput && !seesAny(variables, variableNames),
    readPath: readPath(tree),
    compute: evaluatorFor(tree) ?? (() => UNKNOWN),
    // The interpreter is hardly ever asked, and never in the thread that others wait for.
    interpret(scope) {
      interpret ??= interpreterFor(expression, nodes);
      return interpret(scope);
    },
  };
}

/** Nodes of an expression whose value is remembered: a smaller one is worked out in no more time. */
const REMEMBERED_NODES_MIN = 100;

/** Whether the expression reads `$states` only for its input, and no function reads another source. */
function readsInputAlone(
  nodes: readonly (readonly [Node, number])[],
  variableNames: ReadonlySet<string>,
): boolean {
  if (DRAWING_FUNCTIONS.some(name => variableNames.has(name)) || variableNames.has('$')) return false;
  const isStates = ({ type, value }: Node) => type === 'variable' && value === 'states';
  const read = nodes.filter(([node]) => isStates(node)).length;
  const ofInput = nodes.filter(([{ type, steps = [] }]) => {
    const [first, second] = steps;
    // A predicate of `$states` itself may read any member.
    if (type !== 'path' || !first || !isStates(first) || first.predicate !== undefined) return false;
    return second?.type === 'name' && second.value === 'input';
  });
  return ofInput.length === read;
}

function seesAny(variables: JsonObject, names: ReadonlySet<string>): boolean {
  for (const name in variables) if (names.has(name)) return true;
  return false;
}

const UNKNOWN: Computed = { kind: 'unknown' };

/** Makes the interpreter's expression the service's. The tree is changed, which our evaluator was made from before. */
function interpreterFor(
  expression: jsonata.Expression,
  nodes: readonly (readonly [Node, number])[],
): Expression['interpret'] {
  const called = new Set(nodes.flatMap(([node]) => calledVariable(node)));
  const isRisky = nodes.some(
    ([node]) => mayChangeInput(node) || boundToData(node).some(name => called.has(name)),
  );
  if (mayBeDeep(nodes)) boundDepth(expression, STATE);
  roundConcatenations(nodes.map(([node]) => node));
  registerFunctions(expression);

  return scope => {
    const callsData = Object.keys(scope.variables).some(name => called.has(name));
    const variables = isRisky || callsData ? copied(scope.variables) : scope.variables;
    const states = isRisky ? copied(scope.states) : scope.states;
    const state: EvaluationState = {
      evaluationContext: scope.evaluationContext,
      depth: new Depth(),
      usage: new Usage(),
    };
    return expression.evaluate(undefined, { ...variables, states, [STATE]: state });
  };
}

type Parsed =
  | { readonly kind: 'parsed'; readonly expression: jsonata.Expression }
  | { readonly kind: 'invalid'; readonly problem: string };

function parse(source: string): Parsed {
  try {
    return {
      kind: 'parsed',
      expression: jsonata(source, { timeout: EVALUATION_MS_MAX, sequence: LIST_ITEMS_MAX }),
    };
  } catch (error) {
    // Thousands of nested terms are too much for the parser itself.
    if (error instanceof RangeError) return { kind: 'invalid', problem: `: ${STACK_PROBLEM}` };
    const { code, message } = error as jsonata.JsonataError;
    return { kind: 'invalid', problem: `. ${code}: ${message}` };
  }
}

/**
 * True for nodes with which the package writes into its arguments. Grouping and object constructors add to an empty
 * array to which they are applied. `[]` marks the array that it keeps. A transform's pattern may point outside its
 * copy. A call labels its callee, function or not.
 */
function mayChangeInput(node: Node): boolean {
  if (node.group !== undefined || node.keepSingletonArray || node.type === 'transform') return true;
  if (node.type === 'function') return node.procedure?.type !== 'variable';
  const applied = [node.steps?.slice(1), node.predicate, node.stages];
  return [...nodesOf(applied)].some(([part]) => part.type === 'unary' && part.value === '{');
}

/** The variables a node calls: if one of them is the author's, it may hold data and must not be labelled. */
function calledVariable(node: Node): string[] {
  const procedure = node.type === 'function' ? node.procedure : undefined;
  return procedure?.type === 'variable' ? [String(procedure.value)] : [];
}

/** The variables a node binds to what may be data: parameters, and values that are not plainly a function. */
function boundToData(node: Node): string[] {
  if (node.type === 'lambda') return (node.arguments ?? []).map(parameter => String(parameter.value));
  if (node.type !== 'bind' || (node.rhs as Node).type === 'lambda') return [];
  return [String((node.lhs as Node).value)];
}

// Counting costs a microtask per node; without functions of its own an expression is as deep as its tree.
function mayBeDeep(nodes: readonly (readonly [Node, number])[]): boolean {
  const recursive = ['lambda', 'transform', 'partial', 'apply'];
  return nodes.some(([node, above]) => above >= EVALUATION_DEPTH_MAX || recursive.includes(node.type));
}

function copied<Value extends Json | JsonObject>(value: Value): Value {
  return copy(value) as Value;
}

function copy(value: Json): Json {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
}
