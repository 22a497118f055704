import { CfnResource, Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { atSynthesis } from './at-synthesis';
import { noted } from './noted';
import { renderedProperties } from './rendered-properties';

/**
 * Ends the synthesis if the template has another value of a property than was read of the construct, and decided what
 * is built: by an aspect, an override or a later line. `path` is where the template has it, such as
 * `['EncryptionConfiguration', 'KmsKeyId']`. A construct that the app does not define has nothing to compare.
 */
export function requireUnchanged(
  { node: { defaultChild: resource } }: Pick<IConstruct, 'node'>,
  path: readonly [string, ...string[]],
  read: unknown,
  remedy: string,
): void {
  if (!resource || !CfnResource.isCfnResource(resource)) return;
  const name = path.join('.');
  const compared = noted(resource, 'Compared', () => new Set<string>());
  if (compared.has(name)) return;
  compared.add(name);
  atSynthesis(resource, () => {
    const inTemplate = path.reduce<unknown>(memberOf, renderedProperties(resource));
    const [given, found] = [Stack.of(resource).resolve(read), inTemplate].map(written);
    if (given === found) return;
    throw new Error(
      `${name} is ${found ?? 'not set'} in the template, but was ${given ?? 'not set'} when the workflow read it: an ` +
        `aspect, an override or a later line has changed the resource. ${remedy}, so that the workflow sees it`,
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
