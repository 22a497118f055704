import { requireMemory, TEXT_CHARACTERS_MAX } from '../limits';
import { toText } from '../texts';
import { NATIVES } from './natives';
import { GIVE_UP } from './run';

/** Binary operators whose both sides are always evaluated. What the interpreter rejects is given up on. */
export const OPERATORS: ReadonlyMap<string, (lhs: unknown, rhs: unknown) => unknown> = new Map(
  Object.entries({
    '+': arithmetic((a, b) => a + b),
    '-': arithmetic((a, b) => a - b),
    '*': arithmetic((a, b) => a * b),
    '/': arithmetic((a, b) => a / b),
    '%': arithmetic((a, b) => a % b),
    '=': (a: unknown, b: unknown) => a !== undefined && b !== undefined && isDeepEqual(a, b),
    '!=': (a: unknown, b: unknown) => a !== undefined && b !== undefined && !isDeepEqual(a, b),
    '<': comparison((a, b) => a < b),
    '<=': comparison((a, b) => a <= b),
    '>': comparison((a, b) => a > b),
    '>=': comparison((a, b) => a >= b),
    in: (a: unknown, b: unknown) =>
      a !== undefined && b !== undefined && (Array.isArray(b) ? b : [b]).some(item => item === a),
    '&': (a: unknown, b: unknown) => {
      const [left, right] = [textOf(a), textOf(b)];
      requireMemory(left.length + right.length, TEXT_CHARACTERS_MAX);
      return left + right;
    },
  }),
);

const BOOLEAN = NATIVES.get('boolean');

/** The interpreter's notion of true. */
export function isTrue(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  return BOOLEAN?.implementation(value) === true;
}

function arithmetic(operate: (a: number, b: number) => number) {
  return (a: unknown, b: unknown): unknown => {
    const isUsable = (side: unknown) =>
      side === undefined || (typeof side === 'number' && Number.isFinite(side));
    if (!isUsable(a) || !isUsable(b)) throw GIVE_UP;
    return a === undefined || b === undefined ? undefined : operate(a as number, b as number);
  };
}

function comparison(compare: (a: string, b: string) => boolean) {
  return (a: unknown, b: unknown): unknown => {
    const isUsable = (side: unknown) =>
      side === undefined || typeof side === 'string' || typeof side === 'number';
    if (!isUsable(a) || !isUsable(b)) throw GIVE_UP;
    if (a === undefined || b === undefined) return undefined;
    if (typeof a !== typeof b) throw GIVE_UP;
    return compare(a as string, b as string);
  };
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  return toText(value) ?? '';
}

let compared = 0;

/** How many values have been compared since this was asked last. */
export function takeCompared(): number {
  const count = compared;
  compared = 0;
  return count;
}

function isDeepEqual(a: unknown, b: unknown): boolean {
  compared += 1;
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isDeepEqual(item, b[index]));
  }
  // An array against an object: the interpreter compares their property names, marks of its own included.
  if (Array.isArray(a) || Array.isArray(b)) throw GIVE_UP;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(name => Object.hasOwn(right, name) && isDeepEqual(left[name], right[name]))
  );
}
