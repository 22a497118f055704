import type { Problem } from './assembly';
import { identify } from './identity';
import { resolve } from './intrinsics';
import { scalarText } from './intrinsics/intrinsic';
import { into, type Reading } from './reading';
import type { Identity } from './resource-type';
import { createSection, type Section } from './section';
import type { Stack } from './stack';
import { member, type TemplateResource } from './template';

/** One resource of a template: who it is, and its properties, each resolved when it is asked for. */
export interface ResourceReader extends Section {
  readonly stack: Stack;
  readonly identity: Identity;
  readonly logicalId: string;
  /** What `Fn::GetAtt` yields for this resource. */
  attribute(name: string): string;
  /** Where problems with files outside the template are noted. */
  readonly problems: Problem[];
}

/** The reader of a resource; `undefined` when its name cannot be told (a problem has been noted). */
export function createResourceReader(
  resource: TemplateResource,
  stackReading: Reading,
): ResourceReader | undefined {
  const { logicalId, properties } = resource;
  const reading = { ...stackReading, path: `Resources.${logicalId}.Properties` };
  const identity = identify(resource, reading, resolve);
  if (identity === undefined) return undefined;
  // A property may be asked for twice; resolving it once keeps its problems from being noted twice.
  const resolved = new Map<string, ReturnType<typeof resolve>>();
  const value = (name: string) => {
    const source = member(properties, name);
    if (source === undefined) return undefined;
    if (!resolved.has(name)) resolved.set(name, resolve(source, into(reading, name)));
    return resolved.get(name);
  };
  const attribute = (name: string): string => {
    const here = { ...reading, path: `Resources.${logicalId}` };
    return scalarText(resolve({ 'Fn::GetAtt': [logicalId, name] }, here)) ?? '';
  };
  const own = { stack: reading.stack, identity, logicalId, attribute, problems: reading.problems };
  return { ...createSection(value, reading), ...own };
}
