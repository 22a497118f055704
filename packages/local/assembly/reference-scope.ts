import type { Json } from '../json/json';
import { resolve } from './intrinsics';
import { scalarText } from './intrinsics/intrinsic';
import { readJsonFile } from './json-file';
import { type StackArtifact, shownPath } from './manifest';
import { nestedStacks } from './nested-stacks';
import type { Problem } from './problem';
import { exportKey } from './reading';
import { environmentOf, type Stack } from './stack';
import { member, readTemplate } from './template';
import type { ReferenceScope, ResourceTypes } from './types';

/**
 * What fills the environment of stacks that were synthesized without one, and the parameters of templates; and the
 * types of resources that are known.
 */
export interface Deployment {
  readonly account: string;
  readonly region: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly types: ResourceTypes;
}

/**
 * The stacks, and those within them, with their templates read and their exports indexed, so that references between
 * them resolve.
 */
export function readReferenceScope(
  root: string,
  artifacts: readonly StackArtifact[],
  deployment: Deployment,
  problems: Problem[],
): ReferenceScope {
  const stacks = artifacts.flatMap(artifact => readStack(root, artifact, deployment, problems) ?? []);
  const exports = new Map<string, { stack: Stack; output: string }>();
  const { types, parameters } = deployment;
  const scope: ReferenceScope = { stacks, types, parameters, exports };
  // Those that a stack nests follow, and may nest others.
  for (const stack of stacks) stacks.push(...nestedStacks(stack, scope, problems));
  for (const stack of stacks) {
    for (const output of Object.keys(stack.template.outputs)) {
      const name = exportName(scope, stack, output);
      if (name !== undefined) exports.set(exportKey(stack, name), { stack, output });
    }
  }
  return scope;
}

/** The name under which a stack exports an output; `undefined` for an output that is not exported. */
export function exportName(scope: ReferenceScope, stack: Stack, output: string): string | undefined {
  const name: Json | undefined = member(member(member(stack.template.outputs, output), 'Export'), 'Name');
  if (name === undefined) return undefined;
  // An export that is not imported must not stop the assembly; an import of it gets a
  // problem of their own.
  const reading = { scope, stack, path: `Outputs.${output}.Export.Name`, visiting: [], problems: [] };
  return scalarText(resolve(name, reading));
}

function readStack(
  root: string,
  artifact: StackArtifact,
  deployment: Deployment,
  problems: Problem[],
): Stack | undefined {
  const templateFile = shownPath(root, artifact.templateFile);
  const json = artifact.document ?? readJsonFile(artifact.templateFile, templateFile, problems);
  if (json === undefined) return undefined;
  const { artifactId, name, assets, constructPaths, account, region } = artifact;
  return {
    artifactId,
    name,
    templateFile,
    template: readTemplate(json, templateFile, problems),
    assets,
    constructPaths,
    environment: environmentOf(account ?? deployment.account, region ?? deployment.region),
  };
}
