import { AspectPriority, Aspects, CfnMapping, Fn, Lazy, Stack } from 'aws-cdk-lib';
import { CfnStateMachine, type StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { renderedProperties } from '../../state-machine/template/rendered-properties';
import { ResolvedTime } from '../../state-machine/template/resolved-time';

// Two workflows of a stack have state machines of the same text, apart from a few values: the key's expression, a
// retention, what they refer to. CloudFormation has both means to write such a text once: a mapping holds it, and
// `DefinitionSubstitutions` puts the values of each state machine in. So each still has a definition, a role and
// executions of its own; only the template is shorter.

/** A value of a state machine that its definition contains as text. */
export type OwnValue = string | number | ResolvedTime | undefined;

/**
 * Lets the state machine share the text of its definition with others of its stack. A text that no other state machine
 * has stays in its resource. The deployed template is the same.
 *
 * @param values what tells this definition from others: the expression of the key, seconds
 */
export function shareDefinition(stateMachine: StateMachine, values: readonly OwnValue[]): void {
  const resource = stateMachine.node.defaultChild;
  if (resource instanceof CfnStateMachine) SharedDefinitions.of(stateMachine).add(resource, values);
}

/** What tells an ARN from others of its kind, if the app writes it: its end, behind what the deployment knows. */
export function ownText(scope: Construct, arn: string): string | undefined {
  const last = partsOf(Stack.of(scope).resolve(arn))?.at(-1);
  return typeof last === 'string' ? last : undefined;
}

/** The definition of a state machine as it is deployed, also if the template has its text in another place. */
export function wholeDefinition(resource: CfnStateMachine): unknown {
  const stack = Stack.of(resource);
  const { wholes } = (stack.node.tryFindChild(ID) ?? {}) as Partial<SharedDefinitions>;
  const whole = wholes?.get(resource);
  return whole === undefined ? renderedProperties(resource)['DefinitionString'] : stack.resolve(whole);
}

/** Of one state machine: the text of its definition with `${Name}` in place of its values. */
interface Template {
  readonly text: string;
  readonly substitutions: Readonly<Record<string, unknown>>;
}

class SharedDefinitions extends Construct {
  static of(scope: Construct): SharedDefinitions {
    const stack = Stack.of(scope);
    const known = stack.node.tryFindChild(ID) as SharedDefinitions | undefined;
    return known ?? new SharedDefinitions(stack, ID);
  }

  readonly wholes = new Map<CfnStateMachine, string | undefined>();
  private readonly templates: (() => Template | undefined)[] = [];
  /** The texts that several state machines have, with the names by which they are found. */
  private readonly shared = new Map<string, string>();

  private constructor(scope: Construct, id: string) {
    super(scope, id);
    // The definitions are complete when the app is. A later change of one makes its text its own again.
    Aspects.of(this).add(
      { visit: node => node === this && this.shareTexts() },
      { priority: AspectPriority.READONLY },
    );
  }

  add(resource: CfnStateMachine, values: readonly OwnValue[]): void {
    const whole = resource.definitionString;
    const template = () => templateOf(Stack.of(this).resolve(whole), values);
    const nameOf = (one: Template | undefined) => one && this.shared.get(one.text);
    this.wholes.set(resource, whole);
    this.templates.push(template);
    resource.definitionString = Lazy.uncachedString({
      produce: ({ preparing }) => {
        const name = preparing ? undefined : nameOf(template());
        return name === undefined ? whole : Fn.findInMap(MAPPING, name, TEXT);
      },
    });
    resource.definitionSubstitutions = Lazy.uncachedAny({
      produce: ({ preparing }) => {
        const one = preparing ? undefined : template();
        return nameOf(one) === undefined ? undefined : one?.substitutions;
      },
    });
  }

  private shareTexts(): void {
    const texts = this.templates.flatMap(template => template()?.text ?? []);
    const several = new Set(texts.filter((text, at) => texts.indexOf(text) !== at));
    for (const text of several) this.shared.set(text, `Text${this.shared.size + 1}`);
    if (several.size === 0) return;
    const mapping = Object.fromEntries([...this.shared].map(([text, name]) => [name, { [TEXT]: text }]));
    new CfnMapping(this, 'Texts', { mapping, lazy: false }).overrideLogicalId(MAPPING);
  }
}

const ID = 'OnceflowDefinitions';
const MAPPING = ID;
const TEXT = 'Definition';

/** Undefined for a text that CloudFormation would change in another place. */
function templateOf(definition: unknown, values: readonly OwnValue[]): Template | undefined {
  const parts = partsOf(definition);
  if (parts === undefined || parts.some(part => typeof part === 'string' && part.includes('${')))
    return undefined;
  const substitutions: Record<string, unknown> = {};
  const references: string[] = [];
  const known = values
    .map(value => (value instanceof ResolvedTime ? value.seconds() : value))
    .filter(value => value !== undefined);
  const text = parts
    .map(part => {
      if (typeof part === 'string') return withPlaceholders(part, known, substitutions);
      const written = JSON.stringify(part);
      if (!references.includes(written)) references.push(written);
      const name = `Reference${references.indexOf(written) + 1}`;
      substitutions[name] = part;
      return `\${${name}}`;
    })
    .join('');
  return { text, substitutions };
}

/** The parts of a definition: text and references. */
function partsOf(definition: unknown): readonly unknown[] | undefined {
  if (typeof definition === 'string') return [definition];
  const { 'Fn::Join': join } = (definition ?? {}) as { 'Fn::Join'?: readonly [string, readonly unknown[]] };
  return join?.[0] === '' ? join[1] : undefined;
}

/** The text with a placeholder for each value, which stands alone there, or within a text of its own. */
function withPlaceholders(
  text: string,
  values: readonly (string | number)[],
  substitutions: Record<string, unknown>,
): string {
  const names = new Map<string, string>();
  for (const [at, value] of values.entries()) {
    const once = inJson(String(value));
    const twice = inJson(once);
    if (!names.has(once)) names.set(once, `Value${at + 1}`);
    if (!names.has(twice)) names.set(twice, `Value${at + 1}InText`);
  }
  const longestFirst = [...names.keys()].filter(one => one !== '').sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return text;
  return text.replace(new RegExp(longestFirst.map(standingAlone).join('|'), 'g'), found => {
    const name = String(names.get(found));
    substitutions[name] = found;
    return `\${${name}}`;
  });
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** A pattern that finds a text, but not as a part of a longer word or number. */
function standingAlone(text: string): string {
  const pattern = text.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&');
  return `${/^\w/.test(text) ? '(?<![\\w.])' : ''}${pattern}${/\w$/.test(text) ? '(?![\\w.])' : ''}`;
}
