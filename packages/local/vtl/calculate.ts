import { TemplateError } from './template-error';
import type { Usage } from './usage';
import { areEqual, textOf, type Value } from './value';

/**
 * What an operator of VTL makes of two values: whole numbers stay whole, and where one side is text `+` joins. Null
 * where it makes nothing, as of a division by zero.
 *
 * @throws TemplateError for an operator that is none
 */
export function calculate(operator: string, left: Value, right: Value, usage: Usage): Value {
  switch (operator) {
    case '==':
      return areEqual(left, right, usage);
    case '!=':
      return !areEqual(left, right, usage);
    case '+':
      if (typeof left === 'string' || typeof right === 'string') {
        return joined(textOf(left, usage), textOf(right, usage), usage);
      }
      return ofNumbers(left, right, (one, other) => one + other);
    case '-':
      return ofNumbers(left, right, (one, other) => one - other);
    case '*':
      return ofNumbers(left, right, (one, other) => one * other);
    case '/':
      return ofNumbers(left, right, quotient);
    case '%':
      return ofNumbers(left, right, (one, other) => (other === 0 ? null : one % other));
    default:
      return compare(operator, left, right);
  }
}

/** Two texts as one. @throws TemplateError where that would be too long */
export function joined(one: string, other: string, usage: Usage): string {
  usage.make(one.length + other.length, other.length);
  return one + other;
}

function quotient(one: number, other: number): number | null {
  if (other === 0) return null;
  return Number.isInteger(one) && Number.isInteger(other) ? Math.trunc(one / other) : one / other;
}

function ofNumbers(left: Value, right: Value, make: (one: number, other: number) => Value): Value {
  return typeof left === 'number' && typeof right === 'number' ? make(left, right) : null;
}

function compare(operator: string, left: Value, right: Value): Value {
  if (typeof left !== 'number' || typeof right !== 'number') return false;
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      throw new TemplateError(`there is no operator ${operator}`);
  }
}
