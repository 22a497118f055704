import path from 'node:path';
import { findCycles } from './cycles';
import { type ImportedResource, importedBy } from './imported';
import { selectStacks } from './manifest';
import { NAME_ONLY_TYPES } from './name-only-types';
import type { Problem } from './problem';
import { type AssemblyContent, readResources } from './read-resources';
import { readStacks } from './read-stacks';
import { readReferenceScope } from './reference-scope';
import { withReplacedFunctions } from './replaced-functions';
import type { ReferenceScope, ResourceTypes } from './types';
import { GivenValues } from './unused-names';

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
  /** What runs instead of functions, by construct path, logical id or name. @default - their code */
  readonly functions?: Readonly<Record<string, string>>;
  /** Template parameters, by `Parameter` or `Stack:Parameter`. @default - the templates' defaults */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** What an assembly deploys, and what it takes from elsewhere. */
export interface ImportingContent extends AssemblyContent {
  /** The resources of other apps that it names, each with what is here instead. */
  readonly imported: readonly ImportedResource[];
}

/** The content of an assembly, or every problem that it cannot run with. */
export type LoadedContent =
  | { readonly kind: 'content'; readonly content: ImportingContent }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

/**
 * Reads a cloud assembly (the `cdk.out` that `cdk synth` writes), of which the resources of these types are run; those
 * that only lend their names are added to them.
 *
 * References resolve to the names and ARNs the resources have locally, the same in every run. Never throws
 * for the content of the directory: all problems are collected, each with its path. A resource that AWS would take, and
 * that is not run here, is listed in `resources.notRun`, and so is one that needs an attribute of such a resource.
 */
export function loadContent(
  sources: string | readonly string[],
  types: ResourceTypes,
  options: LoadOptions,
): LoadedContent {
  const given = typeof sources === 'string' ? [sources] : sources;
  const [first = '.'] = given;
  const root = path.resolve(first, path.extname(first) === '' ? '.' : '..');
  const problems: Problem[] = [];
  const parameters = new GivenValues(options.parameters ?? {});
  const read = readStacks(given, parameters.values, problems);
  const artifacts = selectStacks(read, options.stacks, problems);
  const deployment = {
    account: options.account ?? ACCOUNT_DEFAULT,
    region: options.region ?? REGION_DEFAULT,
    parameters: parameters.values,
    types: new Map([...types, ...NAME_ONLY_TYPES]),
  };
  const written = readReferenceScope(root, artifacts, deployment, problems);
  const scope = {
    ...written,
    stacks: withReplacedFunctions(written.stacks, options.functions ?? {}, problems),
  };
  const content = withImported(scope, readResources(scope, problems));
  problems.push(...scope.stacks.flatMap(findCycles));
  problems.push(...parameters.problems(written.stacks));
  if (problems.length === 0) return { kind: 'content', content };
  return { kind: 'problems', problems: withoutRepeats(problems) };
}

/** The content with what is made instead of the resources of other apps. */
function withImported(scope: ReferenceScope, content: AssemblyContent): ImportingContent {
  const { imported, stack } = importedBy(scope, content);
  // The problems have been noted.
  const all = stack ? readResources({ ...scope, stacks: [...scope.stacks, stack] }, []) : content;
  return { ...all, imported };
}

/** A name is worked out for every reference to it, so its problem may have been noted several times. */
function withoutRepeats(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()];
}
