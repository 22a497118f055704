import type { Json } from '../json/json';
import { physicalName } from './names';
import { report, visit } from './reading';
import { member, type TemplateResource } from './template';
import type { Identity, Reading, Resolve } from './types';

/**
 * The identity of a resource, seen from a position that refers to it: its physical name as the template gives
 * it, else one made from stack and logical id. `undefined` after a noted problem.
 */
export function identify(
  resource: TemplateResource,
  reading: Reading,
  resolve: Resolve,
): Identity | undefined {
  const { stack, scope } = reading;
  const { logicalId } = resource;
  const path = `Resources.${logicalId}.Properties`;
  const noted = reading.problems.length;
  const read = <T>(name: string, as: (resolved: Json | undefined, inner: Reading) => T): T | undefined => {
    const value = member(resource.properties, name);
    if (value === undefined) return undefined;
    return visit(reading, { stack, path: `${path}.${name}` }, inner => as(resolve(value, inner), inner));
  };
  const property = (name: string): string | undefined =>
    read(name, (resolved, inner) =>
      resolved === undefined || typeof resolved === 'string' ? resolved : report(inner, 'must be text'),
    );
  const ordinal = (name: string): number => {
    const textOf = ({ properties }: TemplateResource) => JSON.stringify(member(properties, name));
    const same = [...stack.template.resources.values()].filter(
      other => other.type === resource.type && textOf(other) === textOf(resource),
    );
    return same.findIndex(other => other.logicalId === logicalId) + 1;
  };
  const type = scope.types.get(resource.type);
  const explicit = type?.nameProperty && property(type.nameProperty);
  if (reading.problems.length > noted) return undefined;
  const suffix = type?.nameSuffix?.(name => member(resource.properties, name));
  const name = explicit || physicalName(stack.name, logicalId, type?.nameLimit, suffix);
  const value = (of: string) => read(of, resolved => resolved);
  return { logicalId, name, environment: stack.environment, property, value, ordinal };
}
