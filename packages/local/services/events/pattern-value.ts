import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { cidrTest, sameAddress } from './match-address';
import { anythingButTest } from './match-anything-but';
import { numericTest } from './match-number';
import { ignoreCaseTest, prefixTest, suffixTest } from './match-text';
import { wildcardTest } from './match-wildcard';
import type { PatternPlace, ValueTest } from './pattern-place';

/** What one element of a pattern's value array asks of a field: a value that passes, or that there is none. */
export type FieldMatcher = { readonly kind: 'value'; readonly test: ValueTest } | { readonly kind: 'absent' };

/** The matcher of one element of a value array: a literal, or an object with one operator. */
export function fieldMatcher(element: Json, place: PatternPlace): FieldMatcher | undefined {
  if (isJsonObject(element)) return operatorMatcher(element, place);
  if (Array.isArray(element))
    return place.problem('Match value must be String, number, true, false, or null');
  // An address in a pattern stands for all its spellings: ::1 is 0:0:0:0:0:0:0:1.
  const address = typeof element === 'string' ? sameAddress(element) : undefined;
  return { kind: 'value', test: address ?? (value => value === element) };
}

type Operator = (operand: Json, place: PatternPlace) => ValueTest | undefined;

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

function operatorMatcher(expression: JsonObject, place: PatternPlace): FieldMatcher | undefined {
  const [first, ...others] = Object.entries(expression);
  if (first === undefined) return place.problem('Match expression name not found');
  const [name, operand] = first;
  const operator = OPERATORS.get(name);
  if (operator === undefined && name !== 'exists') return place.problem(`Unrecognized match type ${name}`);
  if (others.length > 0) return place.problem('Only one key allowed in match expression');

  const inner = place.inside(name);
  if (operator === undefined) return existence(operand, inner);
  const test = operator(operand, inner);
  return test && { kind: 'value', test };
}

function existence(operand: Json, place: PatternPlace): FieldMatcher | undefined {
  if (operand === true) return { kind: 'value', test: () => true };
  if (operand === false) return { kind: 'absent' };
  return place.problem('exists match pattern must be either true or false.');
}

/** `{"exactly": "a"}`: the long form of a literal, in the open-source matcher though not in the user guide. */
function exactTest(operand: Json, place: PatternPlace): ValueTest | undefined {
  if (typeof operand !== 'string') return place.problem('exact match pattern must be a string');
  return value => value === operand;
}
