import type { Json } from '../json/json';
import type { Evaluated, Failed, Scope } from './evaluation';
import { ARRAY_FUNCTIONS } from './intrinsics/arrays';
import { JSON_AND_MATH_FUNCTIONS } from './intrinsics/json-and-math';
import type { IntrinsicFunction } from './intrinsics/result';
import { TEXT_FUNCTIONS } from './intrinsics/texts';
import type { Argument, Intrinsic, IntrinsicName } from './parse-intrinsic';
import { select } from './path';

/** The intrinsic functions by their names. */
const FUNCTIONS: { readonly [Name in IntrinsicName]: IntrinsicFunction } = {
  ...ARRAY_FUNCTIONS,
  ...JSON_AND_MATH_FUNCTIONS,
  ...TEXT_FUNCTIONS,
};

/**
 * Calls an intrinsic function, those in its arguments before it. States.Runtime where an argument's path leads to
 * nothing, or a function does not take its arguments.
 */
export function evaluateIntrinsic(intrinsic: Intrinsic, scope: Scope): Evaluated {
  const values: Json[] = [];
  for (const [index, argument] of intrinsic.arguments.entries()) {
    const isTemplate = intrinsic.name === 'States.Format' && index === 0;
    const result = evaluateArgument(argument, isTemplate, intrinsic, scope);
    if (result.kind === 'failed') return result;
    values.push(result.value);
  }
  const result = FUNCTIONS[intrinsic.name](values, scope.randomness);
  if (result.kind === 'value') return result;
  return failed(intrinsic, result.problem ?? `Invalid arguments in ${intrinsic.name}`);
}

function evaluateArgument(argument: Argument, isTemplate: boolean, of: Intrinsic, scope: Scope): Evaluated {
  switch (argument.kind) {
    case 'literal':
      return { kind: 'value', value: isTemplate ? (argument.escaped ?? argument.value) : argument.value };
    case 'call':
      return evaluateIntrinsic(argument.intrinsic, scope);
    case 'path': {
      const found = select(argument.path, scope);
      if (found.kind === 'value') return found;
      const input = JSON.stringify(scope.input);
      return failed(
        of,
        `The JsonPath argument for the field '${argument.text}' could not be found in the input '${input}'`,
      );
    }
    default: {
      const never: never = argument;
      return never;
    }
  }
}

function failed({ text }: Intrinsic, problem: string): Failed {
  const cause = `The function '${text}' had the following error: ${problem}`;
  return { kind: 'failed', error: 'States.Runtime', cause };
}
