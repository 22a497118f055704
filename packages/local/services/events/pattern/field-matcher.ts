import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { cidrTest, sameAddress } from './match-address';
import { anythingButTest } from './match-anything-but';
import { numericTest } from './match-number';
import { ignoreCaseTest, prefixTest, suffixTest } from './match-text';
import { wildcardTest } from './match-wildcard';
import type { PatternPosition, ValueTest } from './position';

/** What one element of a pattern's value array asks of a field: a value that passes, or that there is none. */
export type FieldMatcher = { readonly kind: 'value'; readonly test: ValueTest } | { readonly kind: 'absent' };

/** The matcher of one element of a value array: a literal, or an object with one operator. */
export function fieldMatcher(element: Json, position: PatternPosition): FieldMatcher | undefined {
  if (isJsonObject(element)) return operatorMatcher(element, position);
  if (Array.isArray(element))
    return position.problem('Match value must be String, number, true, false, or null');
  // An address in a pattern stands for all its spellings: ::1 is 0:0:0:0:0:0:0:1.
  const address = typeof element === 'string' ? sameAddress(element) : undefined;
  return { kind: 'value', test: address ?? (value => value === element) };
}

type Operator = (operand: Json, position: PatternPosition) => ValueTest | undefined;

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['prefix', prefixTest],
  ['suffix', suffixTest],
  ['equals-ignore-case', ignoreCaseTest],
  ['wildcard', wildcardTest],
  ['anything-but', anythingButTest],
  ['numeric', numericTest],
  ['cidr', cidrTest],
  ['exactly', exactTest],
]);

function operatorMatcher(expression: JsonObject, position: PatternPosition): FieldMatcher | undefined {
  const [first, ...others] = Object.entries(expression);
  if (first === undefined) return position.problem('Match expression name not found');
  const [name, operand] = first;
  const operator = OPERATORS.get(name);
  if (operator === undefined && name !== 'exists') return position.problem(`Unrecognized match type ${name}`);
  if (others.length > 0) return position.problem('Only one key allowed in match expression');

  const inner = position.inside(name);
  if (operator === undefined) return existence(operand, inner);
  const test = operator(operand, inner);
  return test && { kind: 'value', test };
}

function existence(operand: Json, position: PatternPosition): FieldMatcher | undefined {
  if (operand === true) return { kind: 'value', test: () => true };
  if (operand === false) return { kind: 'absent' };
  return position.problem('exists match pattern must be either true or false.');
}

/** `{"exactly": "a"}`: the long form of a literal, in the open-source matcher though not in the user guide. */
function exactTest(operand: Json, position: PatternPosition): ValueTest | undefined {
  if (typeof operand !== 'string') return position.problem('exact match pattern must be a string');
  return value => value === operand;
}
