import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject, type JsonObject } from '../json/json';
import { readManifest, type StackArtifact } from './manifest';
import type { Problem } from './problem';
import { definitionText, readDocument } from './read-document';
import { expandSam } from './sam/expand';
import { withoutUndefined } from './sam/resource';

const TEMPLATE = /^template\.(?:ya?ml|json)$/;
const DEFINITION = /\.asl\.(?:ya?ml|json)$/;
/** The stack of definitions that no template deploys. */
const STACK_OF_DEFINITIONS = 'local';
const EXPECTED =
  'give a directory that `cdk synth` writes, a template of SAM or CloudFormation, the directory of one, or a state machine';

/** The stacks of an app that must run: cloud assemblies, templates, and state machines as they are. */
export function readStacks(
  given: readonly string[],
  parameters: Readonly<Record<string, string>>,
  problems: Problem[],
): readonly StackArtifact[] {
  const stacks: StackArtifact[] = [];
  const machines: Record<string, JsonObject> = {};
  for (const source of given) {
    const file = path.resolve(source);
    if (isAssembly(file)) {
      stacks.push(...readManifest(file, problems));
      continue;
    }
    const files = statSync(file, { throwIfNoEntry: false })?.isDirectory() ? filesIn(file) : [file];
    if (files.length === 0) problems.push({ where: source, message: `has nothing to run; ${EXPECTED}` });
    for (const one of files) {
      const document = readDocument(one);
      if (typeof document === 'string') problems.push({ where: one, message: `${document}; ${EXPECTED}` });
      else if (isJsonObject(document['Resources'])) stacks.push(stackOf(one, document, problems));
      else if (isJsonObject(document['States'])) machines[nameOf(one)] = machineOf(one, document, parameters);
      else problems.push({ where: one, message: `has neither \`Resources\` nor \`States\`; ${EXPECTED}` });
    }
  }
  if (Object.keys(machines).length > 0)
    stacks.push(artifactOf(STACK_OF_DEFINITIONS, '.', { Resources: machines }));
  return stacks;
}

function isAssembly(file: string): boolean {
  const isMissing = !existsSync(file);
  return isMissing ? !/\.\w+$/.test(file) : existsSync(path.join(file, 'manifest.json'));
}

/** The template of a directory; its definitions, if it has none. */
function filesIn(directory: string): readonly string[] {
  const names = readdirSync(directory).sort();
  const template = names.filter(name => TEMPLATE.test(name)).slice(0, 1);
  const found = template.length > 0 ? template : names.filter(name => DEFINITION.test(name));
  return found.map(name => path.join(directory, name));
}

function stackOf(file: string, document: JsonObject, problems: Problem[]): StackArtifact {
  const directory = path.dirname(file);
  const problem = (logicalId: string, message: string) => {
    problems.push({ where: `${path.basename(file)}: Resources.${logicalId}`, message });
  };
  const { name } = path.parse(file);
  const stack = name === 'template' ? path.basename(directory) : name;
  // The name of a stack has letters, digits and hyphens.
  const stackName = stack.replace(/[^A-Za-z0-9-]+/g, '-').replace(/^-+|-+$/g, '') || STACK_OF_DEFINITIONS;
  return artifactOf(stackName, file, expandSam(document, { directory, problem }));
}

function artifactOf(name: string, templateFile: string, document: JsonObject): StackArtifact {
  return {
    artifactId: name,
    name,
    displayName: name,
    directory: path.dirname(templateFile),
    templateFile,
    document,
    account: undefined,
    region: undefined,
    dependencies: [],
    assets: new Map(),
    constructPaths: new Map(),
  };
}

function nameOf(file: string): string {
  return path
    .basename(file)
    .replace(/(?:\.asl)?\.\w+$/, '')
    .replace(/[^\w-]+/g, '-');
}

/** A state machine without a template; `${Name}` in it stands for a parameter. */
function machineOf(
  file: string,
  document: JsonObject,
  parameters: Readonly<Record<string, string>>,
): JsonObject {
  const DefinitionString = definitionText(file, document);
  const used = Object.keys(parameters).filter(name => DefinitionString.includes(`\${${name}}`));
  const Properties = withoutUndefined({
    StateMachineName: nameOf(file),
    DefinitionString,
    DefinitionSubstitutions: Object.fromEntries(used.map(name => [name, parameters[name] ?? ''])),
  });
  return { Type: 'AWS::StepFunctions::StateMachine', Properties };
}
