import { isJsonObject, type Json } from '../json/json';
import { isList } from './intrinsics/intrinsic';
import { SUB_VARIABLE } from './intrinsics/sub';
import type { Problem } from './problem';
import type { Stack } from './stack';
import type { TemplateResource } from './template';

/**
 * Problems for resources that need each other, as CloudFormation does not create them; of circles that
 * share a resource, one is named.
 *
 * Such a template would run locally, where names are known before anything exists, and then fail at
 * deployment. Only properties are followed; both branches of an `Fn::If` count.
 */
export function findCycles(stack: Stack): Problem[] {
  const { resources } = stack.template;
  const references = new Map([...resources].map(([id, resource]) => [id, referencesOf(resource, stack)]));
  const problems: Problem[] = [];
  const finished = new Set<string>();
  for (const start of resources.keys()) {
    const circle = circleFrom(start, references, finished);
    if (circle === undefined) continue;
    const [first = start, second = start] = circle;
    const where = references.get(first)?.get(second) ?? `Resources.${first}`;
    const message = `is part of a circle of references, which AWS rejects: ${circle.join(' -> ')}; break it`;
    problems.push({ where: `${stack.templateFile}: ${where}`, message });
  }
  return problems;
}

/** The logical ids a resource refers to, each with the path of the first reference. */
type References = ReadonlyMap<string, string>;

/**
 * The first circle that can be reached, first id repeated at the end. Adds to `finished` what it is done
 * with.
 */
function circleFrom(
  start: string,
  references: ReadonlyMap<string, References>,
  finished: Set<string>,
): string[] | undefined {
  // The open resources are in a list: a chain of references may be longer than the call stack.
  const open = [{ id: start, next: [...(references.get(start)?.keys() ?? [])] }];
  const openAt = new Map([[start, 0]]);
  while (!finished.has(start)) {
    const top = open.at(-1);
    if (top === undefined) break;
    const next = top.next.pop();
    if (next === undefined) {
      finished.add(top.id);
      openAt.delete(top.id);
      open.pop();
      continue;
    }
    const opened = openAt.get(next);
    if (opened !== undefined) {
      const circle = [...open.slice(opened).map(({ id }) => id), next];
      for (const { id } of open) finished.add(id);
      return circle;
    }
    if (finished.has(next)) continue;
    openAt.set(next, open.length);
    open.push({ id: next, next: [...(references.get(next)?.keys() ?? [])] });
  }
  return undefined;
}

function referencesOf(resource: TemplateResource, stack: Stack): References {
  const found = new Map<string, string>();
  const note = (name: string | undefined, path: string): void => {
    if (name !== undefined && stack.template.resources.has(name) && !found.has(name)) found.set(name, path);
  };
  const walk = (value: Json | undefined, path: string): void => {
    if (isList(value)) for (const [index, item] of value.entries()) walk(item, `${path}[${index}]`);
    if (!isJsonObject(value)) return;
    for (const [name, argument] of Object.entries(value)) {
      for (const target of targets(name, argument)) note(target, `${path}.${name}`);
      walk(argument, `${path}.${name}`);
    }
  };
  walk(resource.properties, `Resources.${resource.logicalId}.Properties`);
  return found;
}

/** The names a reference function mentions; names of parameters and the like are sorted out by the caller. */
function targets(name: string, argument: Json): string[] {
  const head = isList(argument) ? argument[0] : argument;
  if (typeof head !== 'string') return [];
  if (name === 'Ref') return [head];
  if (name === 'Fn::GetAtt') return [head.split('.')[0] ?? ''];
  if (name !== 'Fn::Sub') return [];
  return [...head.matchAll(SUB_VARIABLE)].map(([, variable = '']) => variable.split('.')[0] ?? '');
}
