// Why this evaluator exists: the engine makes a transition synchronously, but the interpreter of the `jsonata` package
// only returns promises. Most expressions of a workflow are simple, and this evaluator computes them in the transition.
// For everything else it returns `unknown`, and a thread runs the interpreter.

import type { JsonObject } from '../../../json/json';
import type { Node } from '../ast';
import type { Scope } from '../scope';
import { FUNCTIONS } from './callbacks';
import { compileTree } from './compile';
import { Frame, OUT_OF_TIME, Run, type Time } from './run';

/** The outcome of an evaluation. */
export type Computed =
  /** `value` is the raw result, `undefined` for none. */
  | { readonly kind: 'value'; readonly value: unknown }
  /** Only the interpreter has the answer, or it takes longer than a shared thread has time for. */
  | { readonly kind: 'unknown' }
  /** It takes longer than an expression may. */
  | { readonly kind: 'outOfTime' };

/**
 * An evaluator for an expression that returns at once, or undefined when the expression is the interpreter's.
 *
 * It gives the interpreter's result, or `unknown` if that is not a success: errors, their texts and all
 * limits except the time stay the interpreter's.
 */
export function evaluatorFor(tree: Node): ((scope: Scope, time: Time) => Computed) | undefined {
  const compiled = compileTree(tree);
  if (!compiled) return undefined;
  const { code, slots } = compiled;
  return (scope, time) => {
    try {
      const run = new Run(scope, time, hidesFunctions(scope.variables));
      return { kind: 'value', value: code(undefined, new Frame(run, slots)) };
    } catch (reason) {
      if (reason === OUT_OF_TIME) return OUT_OF_TIME;
      // Given up, or an error that the interpreter will find, too, and describe.
      return UNKNOWN;
    }
  };
}

const UNKNOWN: Computed = { kind: 'unknown' };

function hidesFunctions(variables: JsonObject): boolean {
  for (const name in variables) if (FUNCTIONS.has(name)) return true;
  return false;
}
