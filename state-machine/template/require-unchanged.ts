import { Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { atSynthesis } from './at-synthesis';
import { noted } from './noted';
import { renderedProperties, resourceInTemplate } from './rendered-properties';

/** The place of a property in a resource of a type, such as `['EncryptionConfiguration', 'KmsKeyId']`. */
type Places = Readonly<Record<string, readonly string[]>>;

/**
 * Ends the synthesis if the template has another value of a property than was read of the construct, and decided what
 * is built. The reason is an aspect, an override, a later line, or an import that does not say the value. A resource
 * of another app has nothing to compare.
 */
export function requireUnchanged(construct: IConstruct, places: Places, read: unknown, remedy: string): void {
  const compared = noted(construct, 'Compared', () => new Set<string>());
  const what = JSON.stringify(places);
  if (compared.has(what)) return;
  compared.add(what);
  atSynthesis(construct, () => {
    const resource = resourceInTemplate(construct, ...Object.keys(places));
    if (!resource) return;
    const path = places[resource.cfnResourceType] ?? [];
    const inTemplate = path.reduce<unknown>(memberOf, renderedProperties(resource));
    const [given, found] = [Stack.of(resource).resolve(read), inTemplate].map(written);
    const isImport = construct.node.defaultChild !== resource;
    // An import names a key in one of several ways, so it is only compared whether there is one.
    if (isImport ? (given === undefined) === (found === undefined) : given === found) return;
    const why = isImport
      ? `${construct.node.path}, an import of ${resource.node.path}, does not say it`
      : 'an aspect, an override or a later line has changed the resource';
    throw new Error(
      `${path.join('.')} is ${found ?? 'not set'} in the template, but was ${given ?? 'not set'} when the workflow read ` +
        `it: ${why}. ${remedy}, so that the workflow sees it`,
    );
  });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** A value as it is compared; undefined for one that means the same as none. */
function written(value: unknown): string | undefined {
  const isNone = value === false || value === 'STANDARD' || /^alias\/aws\//.test(String(value));
  return isNone ? undefined : JSON.stringify(value);
}
