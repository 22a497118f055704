import type { Json } from '../../json/json';
import { type Failed, type PathResult, type Scope, TOO_LARGE } from './evaluation';
import { ARRAY_FUNCTIONS } from './intrinsics/arrays';
import { JSON_AND_MATH_FUNCTIONS } from './intrinsics/json-and-math';
import type { IntrinsicFunction } from './intrinsics/result';
import { TEXT_FUNCTIONS } from './intrinsics/texts';
import type { Argument, Intrinsic, IntrinsicName } from './parse-intrinsic';
import { select } from './path';
import { isTooLong } from './size';

/** Arguments that each function takes: at least, and at most. */
const ARGUMENTS: { readonly [Name in IntrinsicName]: readonly [least: number, most: number] } = {
  'States.Array': [0, Number.POSITIVE_INFINITY],
  'States.ArrayContains': [2, 2],
  'States.ArrayGetItem': [2, 2],
  'States.ArrayLength': [1, 1],
  'States.ArrayPartition': [2, 2],
  'States.ArrayRange': [3, 3],
  'States.ArrayUnique': [1, 1],
  'States.Base64Decode': [1, 1],
  'States.Base64Encode': [1, 1],
  'States.Format': [1, Number.POSITIVE_INFINITY],
  'States.Hash': [2, 2],
  'States.JsonMerge': [3, 3],
  'States.JsonToString': [1, 1],
  'States.MathAdd': [2, 2],
  'States.MathRandom': [2, 3],
  'States.StringSplit': [2, 2],
  'States.StringToJson': [1, 1],
  'States.UUID': [0, 0],
};

/** The intrinsic functions by their names. */
const FUNCTIONS: { readonly [Name in IntrinsicName]: IntrinsicFunction } = {
  ...ARRAY_FUNCTIONS,
  ...JSON_AND_MATH_FUNCTIONS,
  ...TEXT_FUNCTIONS,
};

/**
 * Calls an intrinsic function, those in its arguments before it. States.Runtime where an argument's path leads to
 * nothing, or a function does not take its arguments; States.DataLimitExceeded where these are beyond all bounds.
 */
export function evaluateIntrinsic(intrinsic: Intrinsic, scope: Scope): PathResult {
  const [least, most] = ARGUMENTS[intrinsic.name];
  const { length } = intrinsic.arguments;
  if (length < least || length > most) return failed(intrinsic, `Invalid arguments in ${intrinsic.name}`);
  const values: Json[] = [];
  for (const [index, argument] of intrinsic.arguments.entries()) {
    const isTemplate = intrinsic.name === 'States.Format' && index === 0;
    const result = evaluateArgument(argument, isTemplate, intrinsic, scope);
    if (result.kind === 'failed') return result;
    values.push(result.value);
  }
  if (isTooLong(values)) return TOO_LARGE;
  const result = FUNCTIONS[intrinsic.name](values, scope.randomness);
  if (result.kind === 'value') return result;
  return failed(intrinsic, result.problem ?? `Invalid arguments in ${intrinsic.name}`);
}

function evaluateArgument(argument: Argument, isTemplate: boolean, of: Intrinsic, scope: Scope): PathResult {
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
    default:
      return argument satisfies never;
  }
}

function failed({ text }: Intrinsic, problem: string): Failed {
  const cause = `The function '${text}' had the following error: ${problem}`;
  return { kind: 'failed', error: 'States.Runtime', cause };
}
