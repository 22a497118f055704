import type { Plain, PlainObject } from './plain';

/**
 * The definition of a state machine alone, with the references and permissions that it needs.
 *
 * @example
 * const { definition, statements } = workflowTemplate(props).asl;
 */
export interface ExportedDefinition {
  /** In the States Language, with a `${Name}` where the template has a reference. */
  readonly definition: PlainObject;
  /** What each `${Name}` stands for, as `DefinitionSubstitutions` takes it. */
  readonly substitutions: PlainObject;
  /** The statements of IAM that the state machine's role needs, with the same `${Name}`s. */
  readonly statements: readonly Plain[];
}

/** The definition of the state machine with this logical id. @throws Error if the template has none */
export function exportedDefinition(template: PlainObject, logicalId: string): ExportedDefinition {
  const resources = objectIn(template['Resources']);
  const { DefinitionString, RoleArn } = propertiesOf(resources[logicalId]);
  if (DefinitionString === undefined)
    throw new Error(
      `the template has no state machine ${logicalId}: use one that \`onceflow template\` has made`,
    );
  const substitutions: Record<string, Plain> = {};
  const definition = JSON.parse(String(withPlaceholders(DefinitionString, substitutions)));
  const statements = grantsOf(roleIn(RoleArn), resources);
  return {
    definition,
    statements: statements.map(one => withPlaceholders(one, substitutions)),
    substitutions,
  };
}

const roleIn = (arn: Plain | undefined) => String([objectIn(arn)['Fn::GetAtt'] ?? ''].flat()[0]);

/** The statements in a role, and those of policies for it. A policy of several roles says for which each one is. */
function grantsOf(role: string, resources: PlainObject): readonly Plain[] {
  const own = [propertiesOf(resources[role])['Policies'] ?? []].flat();
  const attached = Object.values(resources).filter(resource => {
    const names = [propertiesOf(resource)['Roles'] ?? []].flat();
    return (
      objectIn(resource)['Type'] === 'AWS::IAM::Policy' && names.some(one => objectIn(one)['Ref'] === role)
    );
  });
  const documents = [...own.map(objectIn), ...attached.map(propertiesOf)].map(one =>
    objectIn(one['PolicyDocument']),
  );
  return documents
    .flatMap(one => one['Statement'] ?? [])
    .flatMap(statement => {
      const { Condition, ...others } = objectIn(statement);
      const { ArnEquals, ...conditions } = objectIn(Condition);
      const arns = [objectIn(ArnEquals)['aws:PrincipalArn'] ?? []].flat();
      if (arns.length > 0 && !arns.some(arn => roleIn(arn) === role)) return [];
      return { ...others, ...(Object.keys(conditions).length > 0 && { Condition: conditions }) };
    });
}

/** The value with its references as `${Name}`, which are noted. */
function withPlaceholders(value: Plain, noted: Record<string, Plain>): Plain {
  if (Array.isArray(value)) return value.map(one => withPlaceholders(one, noted));
  if (typeof value !== 'object' || value === null) return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as PlainObject;
  if (Array.isArray(join)) {
    const [separator, parts] = join;
    return (withPlaceholders(parts ?? [], noted) as readonly string[]).join(String(separator));
  }
  const name = [Ref ?? attribute ?? []].flat().join('').replaceAll('::', '');
  if (name === '') {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withPlaceholders(one, noted)]));
  }
  noted[name] = value;
  return `\${${name}}`;
}

function propertiesOf(resource: Plain | undefined): PlainObject {
  return objectIn(objectIn(resource)['Properties']);
}

function objectIn(value: Plain | undefined): PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PlainObject) : {};
}
