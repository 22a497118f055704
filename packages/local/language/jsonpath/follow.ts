import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { javaText } from './java-text';
import { normalizedPath, type Step, stepText } from './syntax';

/** What a path leads to, or why to nothing, in the words of the service ("No results for path: $['a']"). */
export type Selected =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'missing'; readonly reason: string };

/** Follows the steps of a definite path. */
export function follow(steps: readonly Step[], root: Json): Selected {
  let value: Json = root;
  for (const [index, step] of steps.entries()) {
    const found = stepInto(value, step, steps, index);
    if (found.kind === 'missing') return found;
    value = found.value;
  }
  return { kind: 'value', value };
}

function stepInto(value: Json, step: Step, steps: readonly Step[], index: number): Selected {
  const isLast = index === steps.length - 1;
  if (step.kind === 'item') {
    if (value === null) return missing(`The path ${normalizedPath(steps.slice(0, index))} is null`);
    if (!Array.isArray(value)) {
      return missingBecause(() => {
        const current = `Current context is: ${javaText(value)}`;
        return `Filter: ${stepText(step)} can only be applied to arrays. ${current}`;
      });
    }
    const item = value.at(step.index);
    return item === undefined ? noResults(steps) : { kind: 'value', value: item };
  }
  if (!isJsonObject(value)) return missingBecause(() => noObject(value, steps, index));
  if (step.kind === 'members') return { kind: 'value', value: pick(value, step.names) };
  if (step.kind !== 'member') throw new Error(`a definite path has no step '${step.kind}'`);
  if (Object.hasOwn(value, step.name)) return { kind: 'value', value: value[step.name] ?? null };
  return isLast
    ? noResults(steps)
    : missingBecause(() => `Missing property in path ${normalizedPath(steps.slice(0, index + 1))}`);
}

/** The members of these names that an object has. */
export function pick(value: JsonObject, names: readonly string[]): JsonObject {
  const present = names.filter(name => Object.hasOwn(value, name));
  return Object.fromEntries(present.map(name => [name, value[name] ?? null]));
}

function noResults(steps: readonly Step[]): Selected {
  return missingBecause(() => `No results for path: ${normalizedPath(steps)}`);
}

/** Nothing, and why. */
export function missing(reason: string): Selected {
  return { kind: 'missing', reason };
}

/** The same where the reason takes long to put into words: filters look in vain very often, and never read it. */
function missingBecause(reason: () => string): Selected {
  return {
    kind: 'missing',
    get reason() {
      return reason();
    },
  };
}

function noObject(value: Json, steps: readonly Step[], index: number): string {
  const before = normalizedPath(steps.slice(0, index));
  const name = steps[index] === undefined ? '' : stepText(steps[index]);
  return (
    `Expected to find an object with property ${name} in path ${before} but found '${javaClass(value)}'. ` +
    "This is not a json object according to the JsonProvider: 'com.jayway.jsonpath.spi.json.JacksonJsonProvider'."
  );
}

function javaClass(value: Json): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'java.lang.String';
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'java.lang.Integer' : 'java.lang.Double';
  return 'java.util.ArrayList';
}
