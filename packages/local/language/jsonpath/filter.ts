import { isJsonObject, type Json } from '../../json/json';
import type { Selected } from './follow';
import { javaNumber } from './java-text';
import type { Condition, Operand, Operator } from './syntax';

/** Told how much was compared: values and, of a text that is searched, characters. */
export type Spend = (work: number) => void;

/** Whether a condition of a filter holds; `operandOf` tells what an operand leads to. */
export function satisfies(
  condition: Condition,
  operandOf: (operand: Operand) => Selected,
  spend: Spend,
): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.every(each => satisfies(each, operandOf, spend));
    case 'or':
      return condition.conditions.some(each => satisfies(each, operandOf, spend));
    case 'not':
      return !satisfies(condition.condition, operandOf, spend);
    case 'exists':
      return exists(operandOf(condition.operand), condition.operand.path.isDefinite);
    case 'comparison': {
      const [left, right] = [operandOf(condition.left), operandOf(condition.right)];
      // A value that is missing is unequal to all, and no other comparison with it holds.
      if (left.kind === 'missing' || right.kind === 'missing') return condition.operator === '!=';
      return compare(left.value, condition.operator, right.value, spend);
    }
    default:
      return condition satisfies never;
  }
}

function exists(found: Selected, isDefinite: boolean): boolean {
  if (found.kind === 'missing') return false;
  return isDefinite || (Array.isArray(found.value) && found.value.length > 0);
}

function compare(left: Json, operator: Operator, right: Json, spend: Spend): boolean {
  spend(1);
  switch (operator) {
    case '==':
      return isEqual(left, right, spend);
    case '!=':
      return !isEqual(left, right, spend);
    case '<':
      return orderOf(left, right) === -1;
    case '>':
      return orderOf(left, right) === 1;
    case '<=':
      return [-1, 0].includes(orderOf(left, right) ?? Number.NaN);
    case '>=':
      return [0, 1].includes(orderOf(left, right) ?? Number.NaN);
    case 'in':
      return contains(right, left, spend);
    case 'nin':
      return Array.isArray(right) && !contains(right, left, spend);
    case 'contains':
      if (typeof left !== 'string') return contains(left, right, spend);
      spend(left.length);
      return typeof right === 'string' && left.includes(right);
    case 'size':
      return (typeof left === 'string' || Array.isArray(left)) && left.length === right;
    case 'empty':
      return (typeof left === 'string' || Array.isArray(left)) && (left.length === 0) === right;
    default:
      return operator satisfies never;
  }
}

function contains(list: Json, value: Json, spend: Spend): boolean {
  return Array.isArray(list) && list.some(item => isEqual(item, value, spend));
}

/** Equality as Jayway has it: a number equals its text, everything else only its like. */
function isEqual(left: Json, right: Json, spend: Spend): boolean {
  if (typeof left === 'number' && typeof right === 'string') return right !== '' && left === Number(right);
  if (typeof left === 'string' && typeof right === 'number') return left === javaNumber(right);
  return isSame(left, right, spend);
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
export function isSame(left: Json, right: Json, spend: Spend = () => undefined): boolean {
  spend(1);
  if (Array.isArray(left) && Array.isArray(right)) {
    return (
      left.length === right.length && left.every((item, index) => isSame(item, right[index] ?? null, spend))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return left === right;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(name => Object.hasOwn(right, name) && isSame(left[name] ?? null, right[name] ?? null, spend))
  );
}
