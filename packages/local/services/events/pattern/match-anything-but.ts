import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { comparable } from './match-number';
import { equalsFolded, hasEdge } from './match-text';
import { wildcardTest } from './match-wildcard';
import type { PatternPosition, ValueTest } from './position';

/**
 * All values but those the operand names: a string or number, a list of either, or one of the text operators
 * (`prefix`, `suffix`, `equals-ignore-case`, `wildcard`) with a string or a list of strings.
 *
 * Values of other types match: null is "anything but" every string. A field that is absent does not match.
 */
export function anythingButTest(operand: Json, position: PatternPosition): ValueTest | undefined {
  if (isJsonObject(operand)) return negatedOperator(operand, position);
  if (typeof operand === 'string' || typeof operand === 'number') return negatedValues([operand], position);
  if (Array.isArray(operand)) return negatedValues(operand, position);
  return position.problem('Value of anything-but must be an array or single string/number value.');
}

function negatedValues(values: readonly Json[], position: PatternPosition): ValueTest | undefined {
  const types = new Set(values.map(value => typeof value));
  if (values.some(value => typeof value !== 'string' && typeof value !== 'number'))
    return position.problem('Inside anything but list, start|null|boolean is not supported.');
  if (types.size !== 1)
    return position.problem(
      'Inside anything but list, either all values are number or string, mixed type is not supported',
    );
  for (const value of values) {
    if (typeof value === 'number' && comparable(value, position) === undefined) return undefined;
  }

  const excluded = new Set<Json>(values);
  return value => !excluded.has(value);
}

type TextOperator = (operand: string, position: PatternPosition) => ValueTest | undefined;

const TEXT_OPERATORS: ReadonlyMap<string, { readonly test: TextOperator; readonly wrongType: string }> =
  new Map([
    ['prefix', { test: edge('prefix'), wrongType: 'prefix/suffix match pattern must be a string' }],
    ['suffix', { test: edge('suffix'), wrongType: 'prefix/suffix match pattern must be a string' }],
    ['wildcard', { test: wildcardTest, wrongType: 'wildcard match pattern must be a string' }],
    [
      'equals-ignore-case',
      {
        test: equalsFolded,
        wrongType: 'Inside anything-but/equals-ignore-case list, number|start|null|boolean is not supported.',
      },
    ],
  ]);

function edge(side: 'prefix' | 'suffix'): TextOperator {
  return (text, position) => {
    if (text === '') return position.problem('Null prefix/suffix not allowed');
    return hasEdge(side, text);
  };
}

function negatedOperator(expression: JsonObject, position: PatternPosition): ValueTest | undefined {
  const [first, ...others] = Object.entries(expression);
  if (first === undefined) return position.problem('Anything-But expression name not found');
  if (others.length > 0) return position.problem('Only one key allowed in match expression');
  const [name, operand] = first;
  const operator = TEXT_OPERATORS.get(name);
  if (operator === undefined) return position.problem(`Unsupported anything-but pattern: ${name}`);

  const inner = position.inside(name);
  if (operand === null || typeof operand === 'boolean' || isJsonObject(operand))
    return inner.problem('Value of anything-but must be an array or single string/number value.');
  const texts = Array.isArray(operand) ? operand : [operand];
  if (texts.length === 0) return inner.problem('Empty arrays are not allowed');
  const tests: ValueTest[] = [];
  for (const text of texts) {
    if (typeof text !== 'string') return inner.problem(operator.wrongType);
    const test = operator.test(text, inner);
    if (test === undefined) return undefined;
    tests.push(test);
  }
  return value => !tests.some(test => test(value));
}
