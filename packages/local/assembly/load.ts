import path from 'node:path';
import { assemble } from './assemble';
import type { Assembly, Problem } from './assembly';
import { findCycles } from './cycles';
import { duplicateNames } from './duplicate-names';
import { readManifest } from './manifest';
import { selectStacks } from './selection';
import { readWorld } from './world';

/** What local runs call themselves where a stack does not name its environment. */
const ACCOUNT_DEFAULT = '111111111111';
const REGION_DEFAULT = 'us-east-1';

/** How to read an assembly. */
export interface LoadOptions {
  /** For stacks synthesized without an environment. @default 111111111111 */
  readonly account?: string;
  /** For stacks synthesized without an environment. @default us-east-1 */
  readonly region?: string;
  /** Stacks to load, with what they depend on. @default - all of them */
  readonly stacks?: readonly string[];
  /** Template parameters, by `Parameter` or `Stack:Parameter`. @default - the templates' defaults */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** An assembly ready to run, or everything that keeps it from running. */
export type LoadResult =
  | { readonly kind: 'assembly'; readonly assembly: Assembly }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

/**
 * Reads a cloud assembly (the `cdk.out` that `cdk synth` writes) into what a local stack runs.
 *
 * References resolve to the names and ARNs the resources have locally, the same in every run. Never throws
 * for what is in the directory: all problems are collected, each with its place. A resource type without a
 * local counterpart is listed in `unsupported`; it becomes a problem only where something that runs needs one
 * of its attributes.
 *
 * @example
 * const loaded = loadAssembly('cdk.out', { stacks: ['Payments'] });
 * if (loaded.kind === 'problems') return loaded.problems.map(({ where, message }) => `${where} ${message}`);
 */
export function loadAssembly(directory: string, options: LoadOptions = {}): LoadResult {
  const root = path.resolve(directory);
  const problems: Problem[] = [];
  const artifacts = selectStacks(readManifest(root, problems), options.stacks, problems);
  const deployment = {
    account: options.account ?? ACCOUNT_DEFAULT,
    region: options.region ?? REGION_DEFAULT,
    parameters: options.parameters ?? {},
  };
  const world = readWorld(root, artifacts, deployment, problems);
  const assembly = assemble(world, problems);
  problems.push(...world.stacks.flatMap(findCycles), ...duplicateNames(assembly));
  if (problems.length === 0) return { kind: 'assembly', assembly };
  return { kind: 'problems', problems: withoutRepeats(problems) };
}

/** A name is worked out for every reference to it, so its problem may have been noted several times. */
function withoutRepeats(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()];
}
