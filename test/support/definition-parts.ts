/** The properties of a state machine in a template, as far as they are its definition. */
interface DefinitionProperties {
  readonly DefinitionString: string | Readonly<Record<string, unknown>>;
  readonly DefinitionSubstitutions?: Readonly<Record<string, unknown>>;
}

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A template, as far as it has texts that several definitions share. */
export interface Mappings {
  readonly Mappings?: Readonly<Record<string, Texts>>;
}

/** The text of a definition and what it refers to, in their order, also if the template has the text in a mapping. */
export function definitionParts(template: Mappings, properties: object): unknown[] {
  const { DefinitionString: given, DefinitionSubstitutions: values = {} } =
    properties as DefinitionProperties;
  if (typeof given === 'string') return [given];
  const { 'Fn::Join': join, 'Fn::FindInMap': found } = given as Readonly<Record<string, unknown>>;
  if (join !== undefined) return (join as [string, unknown[]])[1];
  const [mapping, name, text] = found as [string, string, string];
  const shared = template.Mappings?.[mapping]?.[name]?.[text] ?? '';
  return shared.split(/(\$\{\w+\})/).map(part => values[part.slice(2, -1)] ?? part);
}
