import type { Json, JsonObject } from '../../../json/json';
import { type ExpressionResult, evaluate } from '../../../language/jsonata/jsonata';
import type { Scope } from '../../../language/jsonata/scope';

/** 2023-11-14T22:13:20.123Z */
const NOW = 1_700_000_000_123;

/** A scope with a state's input, frozen to the bottom: whatever writes into it throws. */
export function scopeOf(input: Json, variables: JsonObject = {}, random = 0.5): Scope {
  const evaluationContext = {
    now: NOW,
    random: () => random,
    uuid: () => 'c0ffee00-0000-4000-8000-000000000000',
  };
  return { states: frozen({ input, context: {} }), variables: frozen(variables), evaluationContext };
}

/** The outcome of an expression in one line: its value as JSON, or the end of its failure. */
export async function outcome(source: string, scope: Scope): Promise<string> {
  const result: ExpressionResult = await evaluate(source, scope);
  return result.kind === 'value' ? JSON.stringify(result.value) : `! ${result.problem}`;
}

function frozen<Value extends Json | JsonObject>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) frozen(member);
    Object.freeze(value);
  }
  return value;
}
