import { existsSync } from 'node:fs';
import path from 'node:path';
import { resolve } from './intrinsics';
import { conditionHolds } from './intrinsics/conditions';
import { scalarText } from './intrinsics/intrinsic';
import { physicalName } from './names';
import type { Problem } from './problem';
import { readDocument } from './read-document';
import { expandSam } from './sam/expand';
import { constructPathOf, NESTED_STACK, type Stack, stackIdOf } from './stack';
import { member, readTemplate, type TemplateResource } from './template';
import type { ReferenceScope, ResourceType } from './types';

/** CloudFormation takes no longer name of a stack. */
const NAME_CHARACTERS_MAX = 128;

/** AWS::CloudFormation::Stack. What it deploys is run if its template is on this machine. */
export const NESTED_STACK_TYPE: ResourceType = {
  nameLimit: NAME_CHARACTERS_MAX,
  ref: stackIdOf,
  attributes: {},
  read: resource => {
    const url = resource.text('TemplateURL');
    if (url !== '' && templateFileOf(url, resource.stack) === undefined)
      resource.notRun(`its template is ${url}, which is not on this machine`);
    return {};
  },
};

/** The stacks that a stack nests itself: those whose templates are on this machine, and whose conditions hold. */
export function nestedStacks(stack: Stack, scope: ReferenceScope, problems: Problem[]): readonly Stack[] {
  const resources = [...stack.template.resources.values()].filter(({ type }) => type === NESTED_STACK);
  return resources.flatMap(resource => nestedStack(resource, stack, scope, problems) ?? []);
}

function nestedStack(
  resource: TemplateResource,
  stack: Stack,
  scope: ReferenceScope,
  problems: Problem[],
): Stack | undefined {
  const { logicalId, condition, properties } = resource;
  // The resource is read once more later, and its problems are noted then.
  const reading = { scope, stack, path: `Resources.${logicalId}`, visiting: [], problems: [] };
  if (condition !== undefined && conditionHolds(condition, reading, resolve) !== true) return undefined;
  const url = scalarText(resolve(member(properties, 'TemplateURL') ?? '', reading));
  const file = url === undefined ? undefined : templateFileOf(url, stack);
  if (file === undefined) return undefined;
  const templateFile = path.basename(file);
  const document = readDocument(file);
  if (typeof document === 'string') {
    problems.push({ where: templateFile, message: `${document}; ${stack.name}/${logicalId} nests it` });
    return undefined;
  }
  const directory = path.dirname(file);
  const problem = (id: string, message: string) =>
    problems.push({ where: `${templateFile}: Resources.${id}`, message });
  return {
    ...stack,
    artifactId: `${stack.artifactId}/${logicalId}`,
    name: physicalName(stack.name, logicalId, NAME_CHARACTERS_MAX),
    templateFile,
    template: readTemplate(expandSam(document, { directory, problem }), templateFile, problems),
    scope: constructPathOf(resource, stack).replace(/([^/]+)\.NestedStack\/\1\.NestedStackResource$/, '$1/'),
    outer: { artifactId: stack.artifactId, logicalId },
  };
}

/** A template by its path, or the asset that a URL of S3 names. */
function templateFileOf(url: string, { assets }: Stack): string | undefined {
  const [, file = url] = [...assets].find(([key]) => url.endsWith(`/${key}`)) ?? [];
  return path.isAbsolute(file) && existsSync(file) ? file : undefined;
}
