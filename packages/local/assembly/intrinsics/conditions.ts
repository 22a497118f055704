import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type Json } from '../../json/json';
import { into, report, visit } from '../reading';
import { member } from '../template';
import type { Reading, Resolve } from '../types';
import { isList } from './intrinsic';

/** Fn::If: resolves the branch the condition selects, and only that one. */
export function resolveIf(argument: Json, reading: Reading, resolve: Resolve): Json | undefined {
  const [name, whenTrue, whenFalse] = isList(argument) ? argument : [];
  if (typeof name !== 'string' || whenTrue === undefined || whenFalse === undefined) {
    return report(reading, 'must be [condition, value if true, value if false]');
  }
  const holds = conditionHolds(name, reading, resolve);
  if (holds === undefined) return undefined;
  return holds ? resolve(whenTrue, into(reading, 1)) : resolve(whenFalse, into(reading, 2));
}

/** Whether a named condition of the template holds; `undefined` after a noted problem. */
export function conditionHolds(name: string, reading: Reading, resolve: Resolve): boolean | undefined {
  const condition = member(reading.stack.template.conditions, name);
  if (condition === undefined)
    return report(reading, `names the condition \`${name}\`, which is not defined`);
  const target = { stack: reading.stack, path: `Conditions.${name}` };
  return visit(reading, target, inner => evaluate(condition, inner, resolve));
}

function evaluate(condition: Json, reading: Reading, resolve: Resolve): boolean | undefined {
  const [name = '', argument] = isJsonObject(condition) ? (Object.entries(condition)[0] ?? []) : [];
  const inner = into(reading, name);
  if (name === 'Condition' && typeof argument === 'string') return conditionHolds(argument, inner, resolve);
  if (!isList(argument)) return report(reading, 'must be Fn::Equals, Fn::And, Fn::Or, Fn::Not or Condition');
  switch (name) {
    case 'Fn::Equals':
      return equals(argument, inner, resolve);
    case 'Fn::Not':
      return negated(evaluateAll(argument, inner, resolve));
    case 'Fn::And':
      return evaluateAll(argument, inner, resolve)?.every(Boolean);
    case 'Fn::Or':
      return evaluateAll(argument, inner, resolve)?.some(Boolean);
    default:
      return report(
        reading,
        `uses ${name}, which is not evaluated locally; use Fn::Equals, Fn::And, Fn::Or, Fn::Not`,
      );
  }
}

function equals(operands: readonly Json[], reading: Reading, resolve: Resolve): boolean | undefined {
  const noted = reading.problems.length;
  const [left, right] = operands.map((operand, index) => resolve(operand, into(reading, index)));
  if (reading.problems.length > noted) return undefined;
  // Parameters are text whatever their declared type, so 1 and "1" are equal here.
  const isScalar = (value: Json | undefined) => typeof value !== 'object';
  return isScalar(left) && isScalar(right) ? String(left) === String(right) : isDeepStrictEqual(left, right);
}

function evaluateAll(operands: readonly Json[], reading: Reading, resolve: Resolve): boolean[] | undefined {
  const results = operands.map((operand, index) => evaluate(operand, into(reading, index), resolve));
  const known = results.filter(result => result !== undefined);
  return known.length === results.length && known.length > 0 ? known : undefined;
}

function negated(operands: readonly boolean[] | undefined): boolean | undefined {
  return operands && operands.length === 1 ? !operands[0] : undefined;
}
