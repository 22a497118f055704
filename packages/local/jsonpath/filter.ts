import { isJsonObject, type Json } from '../json/json';
import type { Selected } from './follow';
import { javaNumber } from './java-text';
import type { Condition, Operand, Operator } from './syntax';

/** Whether a condition of a filter holds; `operandOf` tells what an operand leads to. */
export function satisfies(condition: Condition, operandOf: (operand: Operand) => Selected): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.every(each => satisfies(each, operandOf));
    case 'or':
      return condition.conditions.some(each => satisfies(each, operandOf));
    case 'not':
      return !satisfies(condition.condition, operandOf);
    case 'exists':
      return exists(operandOf(condition.operand), condition.operand.path.isDefinite);
    case 'comparison': {
      const [left, right] = [operandOf(condition.left), operandOf(condition.right)];
      // A value that is missing is unequal to all, and no other comparison with it holds.
      if (left.kind === 'missing' || right.kind === 'missing') return condition.operator === '!=';
      return compare(left.value, condition.operator, right.value);
    }
    default: {
      const never: never = condition;
      return never;
    }
  }
}

function exists(found: Selected, isDefinite: boolean): boolean {
  if (found.kind === 'missing') return false;
  return isDefinite || (Array.isArray(found.value) && found.value.length > 0);
}

function compare(left: Json, operator: Operator, right: Json): boolean {
  switch (operator) {
    case '==':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case '<':
      return orderOf(left, right) === -1;
    case '>':
      return orderOf(left, right) === 1;
    case '<=':
      return [-1, 0].includes(orderOf(left, right) ?? Number.NaN);
    case '>=':
      return [0, 1].includes(orderOf(left, right) ?? Number.NaN);
    case 'in':
      return contains(right, left);
    case 'nin':
      return Array.isArray(right) && !contains(right, left);
    case 'contains':
      return typeof left === 'string'
        ? typeof right === 'string' && left.includes(right)
        : contains(left, right);
    case 'size':
      return (typeof left === 'string' || Array.isArray(left)) && left.length === right;
    case 'empty':
      return (typeof left === 'string' || Array.isArray(left)) && (left.length === 0) === right;
    default: {
      const never: never = operator;
      return never;
    }
  }
}

function contains(list: Json, value: Json): boolean {
  return Array.isArray(list) && list.some(item => isEqual(item, value));
}

/** Equality as Jayway has it: a number equals its text, everything else only its like. */
function isEqual(left: Json, right: Json): boolean {
  if (typeof left === 'number' && typeof right === 'string') return right !== '' && left === Number(right);
  if (typeof left === 'string' && typeof right === 'number') return left === javaNumber(right);
  return isSame(left, right);
}

/** -1, 0 or 1 for two numbers or two texts, undefined for all others, which have no order. */
export function orderOf(left: Json, right: Json): -1 | 0 | 1 | undefined {
  const isOrdered =
    (typeof left === 'number' && typeof right === 'number') ||
    (typeof left === 'string' && typeof right === 'string');
  if (!isOrdered) return undefined;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Whether two values are the same, whatever the order of members. */
export function isSame(left: Json, right: Json): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSame(item, right[index] ?? null));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return left === right;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(name => Object.hasOwn(right, name) && isSame(left[name] ?? null, right[name] ?? null))
  );
}
