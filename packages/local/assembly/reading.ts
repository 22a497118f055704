import type { Json } from '../json/json';
import type { Problem } from './assembly';
import type { ResourceTypes } from './resource-type';
import type { Stack } from './stack';

/** The assembly as references see it. */
export interface World {
  readonly stacks: readonly Stack[];
  readonly types: ResourceTypes;
  /** Values for template parameters, by `Parameter` or `Stack:Parameter`; they win over defaults. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What stacks export: `exportKey` to the output behind it. */
  readonly exports: ReadonlyMap<string, { readonly stack: Stack; readonly output: string }>;
}

/**
 * A place in a template that is being resolved.
 *
 * Resolving never stops at a problem: it notes it and goes on with `undefined`, so one run names all of them.
 */
export interface Reading {
  readonly world: World;
  readonly stack: Stack;
  /** From the template's root, e.g. `Resources.Fn.Properties.Handler`. */
  readonly path: string;
  /** The names that are being worked out, outermost first: meeting one again is a cycle. */
  readonly visiting: readonly string[];
  readonly problems: Problem[];
}

/** The value at a place of a template; `undefined` is `AWS::NoValue`, or a problem that has been noted. */
export type Resolve = (value: Json, reading: Reading) => Json | undefined;

/** The same place, one step further in. */
export function into(reading: Reading, step: string | number): Reading {
  const path = typeof step === 'number' ? `${reading.path}[${step}]` : `${reading.path}.${step}`;
  return { ...reading, path };
}

/** Notes a problem at this place. */
export function report(reading: Reading, message: string): undefined {
  reading.problems.push({ where: `${reading.stack.templateFile}: ${reading.path}`, message });
}

/** Exports are shared by the stacks of one account and region. */
export function exportKey(stack: Stack, exportName: string): string {
  return `${stack.environment.account}/${stack.environment.region}/${exportName}`;
}

/**
 * Works out something other places refer to, in `stack` at `path`; a reference that leads back to it is a
 * problem of the place that closes the circle.
 */
export function visit<T>(
  reading: Reading,
  target: { readonly stack: Stack; readonly path: string },
  work: (inner: Reading) => T,
): T | undefined {
  const name = `${target.stack.artifactId}/${target.path}`;
  if (reading.visiting.includes(name)) {
    const circle = [...reading.visiting.slice(reading.visiting.indexOf(name)), name].join(' -> ');
    return report(reading, `refers to itself: ${circle}; break the circle`);
  }
  return work({ ...reading, ...target, visiting: [...reading.visiting, name] });
}
