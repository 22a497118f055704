import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import type { Resource } from '../../language/index';
import { type Bounds, responseOf, type Shape, type Structure } from './responses';

/**
 * Why a task could not have this result, or undefined where it could, or where nothing is known of what its resource
 * answers. STRICT asks for required members, PRESENT checks those that are there, NONE nothing. Members that an answer
 * does not have are ignored.
 */
export function mockProblem(
  { integration, pattern }: Resource,
  result: Json,
  mode: 'STRICT' | 'PRESENT' | 'NONE',
): string | undefined {
  // The result of a callback is whatever its token comes back with.
  const shape = mode === 'NONE' || pattern === 'callback' ? undefined : responseOf(integration);
  if (!shape) return undefined;
  if (!isJsonObject(result)) return 'Mocked result must be a JSON object.';
  const problem = problemInMembers(result, shape, mode === 'STRICT');
  return problem && `Mock result schema validation error: ${problem}`;
}

function problemInMembers(
  given: JsonObject,
  { members, required = [] }: Structure,
  isStrict: boolean,
): string | undefined {
  const missing = isStrict ? required.find(name => !Object.hasOwn(given, name)) : undefined;
  if (missing !== undefined) return `Required field '${missing}' is missing`;
  return firstOf(Object.entries(given), ([name, value]) => {
    const shape = Object.hasOwn(members, name) ? members[name] : undefined;
    return shape && problemIn(value, shape, name, isStrict);
  });
}

function problemIn(value: Json, shape: Shape, name: string, isStrict: boolean): string | undefined {
  const mustBe = (what: string) => `Field '${name}' must be ${what}`;
  if (shape === 'boolean') return typeof value === 'boolean' ? undefined : mustBe('a boolean');
  if (shape === 'number' || (typeof shape === 'object' && 'number' in shape)) {
    if (typeof value !== 'number') return mustBe('a number');
    return shape === 'number' ? undefined : problemInNumber(value, shape.number, name);
  }
  if (shape === 'text' || 'text' in shape || 'oneOf' in shape) {
    if (typeof value !== 'string') return mustBe('a string');
    if (shape === 'text') return undefined;
    if ('text' in shape) return problemInText(value, shape.text, name);
    return shape.oneOf.includes(value) ? undefined : `Field '${name}' is not an expected value`;
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) return mustBe('an array');
    return firstOf(value, item => problemIn(item, shape.list, name, isStrict));
  }
  if (!isJsonObject(value)) return mustBe('an object');
  if ('members' in shape) return problemInMembers(value, shape, isStrict);
  return firstOf(Object.values(value), item => problemIn(item, shape.map, name, isStrict));
}

function problemInText(value: string, { min = 0, max = Infinity }: Bounds, name: string): string | undefined {
  if (value.length < min) return `Field '${name}' is smaller than the minimum length`;
  return value.length > max ? `Field '${name}' exceeds the maximum length` : undefined;
}

function problemInNumber(
  value: number,
  { min = -Infinity, max = Infinity }: Bounds,
  name: string,
): string | undefined {
  if (value < min) return `Field '${name}' is less than the minimum value`;
  return value > max ? `Field '${name}' exceeds the maximum value` : undefined;
}

function firstOf<Item>(
  items: readonly Item[],
  problem: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const found = problem(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
