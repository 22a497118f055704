import type { Json } from '../json/json';
import { compile } from './compile';
import { MEMORY_PROBLEM, STACK_PROBLEM, TIMEOUT_PROBLEM } from './limits';
import { plainJson } from './result';
import type { Scope } from './scope';
import type { Soon } from './soon';

/** The value of an expression, or why it has none. */
export type ExpressionResult =
  | { readonly kind: 'value'; readonly value: Json }
  /** `problem` continues the sentence "The JSONata expression '...' specified for the field '...'". */
  | { readonly kind: 'failed'; readonly problem: string };

/**
 * Evaluates the inside of `{% %}` as the service does: JSONata 2.0.6, six more functions, no `$eval`, one
 * second, depth 100.
 *
 * The answer comes at once where our own evaluator has it (evaluator/), and as a promise otherwise. The scope is
 * never changed, and the value shares structure with it only where it is part of it.
 *
 * Not bounded: a regular expression that backtracks catastrophically, which only another thread could stop.
 */
export function evaluate(source: string, scope: Scope): Soon<ExpressionResult> {
  const expression = compile(source);
  if (expression.kind === 'invalid') {
    return { kind: 'failed', problem: `threw an error during evaluation${expression.problem}` };
  }
  const found = expression.readPath(scope);
  if (found.kind === 'absent') return UNDEFINED;
  if (found.kind === 'value') return found;
  const computed = expression.compute(scope);
  if (computed.kind === 'value') return resultOf(computed.value);
  if (computed.kind === 'outOfTime') return failureOf({ code: 'D1012' });
  return alone(() => expression.interpret(scope)).then(resultOf, failureOf);
}

// The interpreter gives way at every node. A thousand evaluations side by side would each last as long as all of
// them, and each would exceed its second.
let last: Promise<unknown> = Promise.resolve();

function alone(interpret: () => Promise<unknown>): Promise<unknown> {
  const evaluation = last.then(interpret);
  last = evaluation.catch(() => undefined);
  return evaluation;
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
  return { kind: 'failed', problem: `threw an error during evaluation${describe(error)}` };
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
