import type { Resource } from '../../asl/definition';
import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { responseShape } from './responses';
import type { Part, Shape } from './shape';

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
  const shape = mode === 'NONE' || pattern === 'callback' ? undefined : responseShape(integration);
  if (!shape) return undefined;
  if (!isJsonObject(result)) return 'Mocked result must be a JSON object.';
  const problem = problemInMembers(result, shape, mode === 'STRICT');
  return problem && `Mock result schema validation error: ${problem}`;
}

function problemInMembers(
  given: JsonObject,
  { members, required }: Shape & { readonly kind: 'structure' },
  isStrict: boolean,
): string | undefined {
  const missing = isStrict ? required.find(name => !Object.hasOwn(given, name)) : undefined;
  if (missing !== undefined) return `Required field '${missing}' is missing`;
  return firstOf(Object.entries(given), ([name, value]) => {
    const part = Object.hasOwn(members, name) ? members[name] : undefined;
    return part && problemIn(value, part, name, isStrict);
  });
}

function problemIn(value: Json, part: Part, name: string, isStrict: boolean): string | undefined {
  const shape = typeof part === 'function' ? part() : part;
  const mustBe = (what: string) => `Field '${name}' must be ${what}`;
  switch (shape.kind) {
    case 'structure':
      return isJsonObject(value) ? problemInMembers(value, shape, isStrict) : mustBe('an object');
    case 'map':
      if (!isJsonObject(value)) return mustBe('an object');
      return firstOf(Object.values(value), item => problemIn(item, shape.value, name, isStrict));
    case 'list':
      if (!Array.isArray(value)) return mustBe('an array');
      return firstOf(value, item => problemIn(item, shape.item, name, isStrict));
    case 'text':
      return typeof value === 'string' ? problemInText(value, shape, name) : mustBe('a string');
    case 'number':
      return typeof value === 'number' ? problemInNumber(value, shape, name) : mustBe('a number');
    case 'boolean':
      return typeof value === 'boolean' ? undefined : mustBe('a boolean');
    default: {
      const never: never = shape;
      return never;
    }
  }
}

function problemInText(
  value: string,
  { values, min, max }: Shape & { readonly kind: 'text' },
  name: string,
): string | undefined {
  if (values && !values.includes(value)) return `Field '${name}' is not an expected value`;
  if (min !== undefined && value.length < min) return `Field '${name}' is smaller than the minimum length`;
  if (max !== undefined && value.length > max) return `Field '${name}' exceeds the maximum length`;
  return undefined;
}

function problemInNumber(
  value: number,
  { min, max }: Shape & { readonly kind: 'number' },
  name: string,
): string | undefined {
  if (min !== undefined && value < min) return `Field '${name}' is less than the minimum value`;
  if (max !== undefined && value > max) return `Field '${name}' exceeds the maximum value`;
  return undefined;
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
