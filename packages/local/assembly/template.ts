import { isJsonObject, type Json, type JsonObject } from '../json/json';
import type { Problem } from './problem';

/** A CloudFormation template, checked as far as its sections are objects. */
export interface Template {
  readonly parameters: JsonObject;
  readonly mappings: JsonObject;
  readonly conditions: JsonObject;
  readonly outputs: JsonObject;
  readonly resources: ReadonlyMap<string, TemplateResource>;
}

/** A resource as the template writes it, nothing resolved. */
export interface TemplateResource {
  readonly logicalId: string;
  readonly type: string;
  readonly properties: JsonObject;
  /** The condition under which it is created. */
  readonly condition?: string;
  /** The path of its construct, where the CDK has written it into the template. */
  readonly constructPath?: string;
}

/** The sections of a template; what is malformed is reported and left out. */
export function readTemplate(json: JsonObject, file: string, problems: Problem[]): Template {
  for (const path of pathsOfNulls(json)) {
    // In CloudFormation's words, which do not name the remedy.
    problems.push({
      where: file,
      message: `[${path}] 'null' values are not allowed in templates; omit the value`,
    });
  }
  const section = (name: string): JsonObject => {
    const value = member(json, name) ?? {};
    if (isJsonObject(value)) return value;
    problems.push({ where: `${file}: ${name}`, message: 'is not an object; run `cdk synth` again' });
    return {};
  };
  const resources = new Map<string, TemplateResource>();
  for (const [logicalId, value] of Object.entries(section('Resources'))) {
    const resource = readResource(logicalId, value);
    if (resource) resources.set(logicalId, resource);
    else problems.push({ where: `${file}: Resources.${logicalId}`, message: 'has no `Type`; give it one' });
  }
  return {
    parameters: section('Parameters'),
    mappings: section('Mappings'),
    conditions: section('Conditions'),
    outputs: section('Outputs'),
    resources,
  };
}

/** The path of a null in a template, such as `/Resources/Rule/Properties/EventPattern/detail/error/2`. */
export function pathsOfNulls(value: Json, path = ''): readonly string[] {
  if (value === null) return [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => pathsOfNulls(inner, `${path}/${name}`));
}

/** A member of an object, never something it inherits (`constructor` is a legal logical id). */
export function member(object: Json | undefined, name: string): Json | undefined {
  return isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

function readResource(logicalId: string, value: Json): TemplateResource | undefined {
  // A loop of AWS::LanguageExtensions is a list. It is not expanded, so it is listed as what is not run.
  const type = logicalId.startsWith('Fn::ForEach::') ? 'Fn::ForEach' : member(value, 'Type');
  if (typeof type !== 'string') return undefined;
  const properties = member(value, 'Properties');
  const condition = member(value, 'Condition');
  const constructPath = member(member(value, 'Metadata'), 'aws:cdk:path');
  return {
    logicalId,
    type,
    properties: isJsonObject(properties) ? properties : {},
    ...(typeof condition === 'string' && { condition }),
    ...(typeof constructPath === 'string' && { constructPath }),
  };
}
