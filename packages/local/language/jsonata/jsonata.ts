import type { Json, JsonObject } from '../../json/json';
import { compile, type Expression } from './compile';
import type { Time } from './evaluator/run';
import { MEMORY_PROBLEM, STACK_PROBLEM, TIMEOUT_PROBLEM } from './limits';
import { plainJson } from './result';
import type { Scope } from './scope';

/** The value of an expression, or why it has none. */
export type ExpressionResult =
  | { readonly kind: 'value'; readonly value: Json }
  /** `problem` continues the sentence "The JSONata expression '...' specified for the field '...'". */
  | { readonly kind: 'failed'; readonly problem: string };

/**
 * The value of the inside of `{% %}` if it is available in some ten milliseconds, for which this thread may block.
 * Undefined if only `evaluate` has it: the evaluation takes longer, or its time is unknown.
 *
 * Whether the value is available at once depends on the expression and its scope alone, and not on the time it takes.
 * The scope is never changed, and the value shares structure with it only where it is part of it.
 */
export function evaluateAtOnce(source: string, scope: Scope): ExpressionResult | undefined {
  const expression = compile(source);
  if (expression.kind === 'invalid') return rejectionOf(expression.problem);
  return answered(expression, scope, 'shared');
}

/**
 * Evaluates the inside of `{% %}` as the service does: JSONata 2.0.6, six more functions, no `$eval`, one second,
 * depth 100. One evaluation at a time, or each would be charged with the time of all.
 *
 * For a thread of its own, without other work. What ends an evaluation that runs within a regular expression for ever
 * is the end of the thread.
 */
export async function evaluate(source: string, scope: Scope): Promise<ExpressionResult> {
  const expression = compile(source);
  if (expression.kind === 'invalid') return rejectionOf(expression.problem);
  const known = answered(expression, scope, 'own');
  return known ?? expression.interpret(scope).then(resultOf, failureOf);
}

/** The variables of these that an expression mentions. */
export function variablesIn(source: string, variables: JsonObject): JsonObject {
  const expression = compile(source);
  const isSeen = (name: string) => expression.kind === 'expression' && expression.variableNames.has(name);
  return Object.fromEntries(Object.entries(variables).filter(([name]) => isSeen(name)));
}

function answered(expression: Expression, scope: Scope, time: Time): ExpressionResult | undefined {
  const found = expression.readPath(scope);
  if (found.kind === 'absent') return UNDEFINED;
  if (found.kind === 'value') return found;
  const { input } = scope.states;
  const isShared = isObject(input) && expression.dependsOnInputAlone(scope.variables);
  const known = isShared ? knownOf(input, expression) : undefined;
  if (known) return known;
  const computed = expression.compute(scope, time);
  if (computed.kind === 'value') {
    const result = resultOf(computed.value);
    if (isShared && result.kind === 'value') remember(input, expression, result);
    return result;
  }
  return computed.kind === 'outOfTime' ? failureOf({ code: 'D1012' }) : undefined;
}

/** Values that were worked out before, for as long as there is the input that they depend on. */
const KNOWN = new WeakMap<object, [Expression, ExpressionResult][]>();

function knownOf(input: object, expression: Expression): ExpressionResult | undefined {
  for (const [known, result] of KNOWN.get(input) ?? []) if (known === expression) return result;
  return undefined;
}

function remember(input: object, expression: Expression, result: ExpressionResult): void {
  const known = KNOWN.get(input);
  if (known) known.push([expression, result]);
  else KNOWN.set(input, [[expression, result]]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function rejectionOf(problem: string): ExpressionResult {
  return { kind: 'failed', problem: `threw an error during evaluation${problem}` };
}

const UNDEFINED: ExpressionResult = { kind: 'failed', problem: 'returned nothing (undefined).' };

function resultOf(result: unknown): ExpressionResult {
  if (result === undefined) return UNDEFINED;
  let value: Json | undefined;
  try {
    value = plainJson(result);
  } catch (error) {
    return failureOf(error);
  }
  if (value === undefined) return { kind: 'failed', problem: 'returned an unsupported result type.' };
  return { kind: 'value', value };
}

function failureOf(error: unknown): ExpressionResult {
  return rejectionOf(describe(error));
}

// The package throws plain objects; what a registered function throws may be an Error without a code.
function describe(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === 'D1011') return `: ${STACK_PROBLEM}`;
  if (code === 'D1012') return `: ${TIMEOUT_PROBLEM}`;
  if (code === 'D2014' || code === 'D2015') return `: ${MEMORY_PROBLEM}`;
  // A native stack overflow, e.g. in $string of a very deep value.
  if (error instanceof RangeError) return `: ${MEMORY_PROBLEM}`;
  return typeof code === 'string' ? `. ${code}: ${message}` : `: ${message}`;
}
