import { isJsonObject, type Json } from './json';
import { evaluate, type Scope } from './jsonata';

// States Language, "Using JSONata expressions": a JSON value in which whole strings `{% ... %}` are computed
// and everything else stands for itself.

/** A JSON value of a definition, taken apart once so that evaluating it walks only what can change. */
export type Template =
  | { readonly kind: 'constant'; readonly value: Json }
  /** `source` is what stands between the delimiters, trimmed. */
  | { readonly kind: 'expression'; readonly source: string }
  | { readonly kind: 'array'; readonly items: readonly Template[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, value: Template])[] };

/** The value of a template, or the first failure in the order of the text. */
export type Evaluated =
  | { readonly kind: 'value'; readonly value: Json }
  /** `location` is the field as the service names it: `Arguments/Item/a/S`, `Choices[1]/Condition`. */
  | { readonly kind: 'failed'; readonly reason: string; readonly location: string };

/** Takes a JSON value of a definition apart. Parts without an expression become one constant. */
export function templateOf(json: Json): Template {
  const source = expressionIn(json);
  if (source !== undefined) return { kind: 'expression', source };
  if (Array.isArray(json)) {
    const items = json.map(templateOf);
    return items.every(isConstant) ? { kind: 'constant', value: json } : { kind: 'array', items };
  }
  if (isJsonObject(json)) {
    const members = Object.entries(json).map(([name, value]) => [name, templateOf(value)] as const);
    const constant = members.every(([, value]) => isConstant(value));
    return constant ? { kind: 'constant', value: json } : { kind: 'object', members };
  }
  return { kind: 'constant', value: json };
}

/** What stands between `{%` and `%}`, or undefined when the value is not an expression. */
export function expressionIn(json: Json): string | undefined {
  if (typeof json !== 'string' || !json.startsWith('{%') || !json.endsWith('%}') || json.length < 4) {
    return undefined;
  }
  return json.slice(2, -2).trim();
}

/** True when evaluating the template cannot fail and needs no scope. */
export function isConstant(template: Template): template is Template & { kind: 'constant' } {
  return template.kind === 'constant';
}

/**
 * Evaluates a template that stands in the field `location`.
 *
 * Members and items are evaluated one after another in the order of the text; the first failure ends it.
 */
export async function evaluateTemplate(
  template: Template,
  location: string,
  scope: Scope,
): Promise<Evaluated> {
  switch (template.kind) {
    case 'constant':
      return { kind: 'value', value: template.value };
    case 'expression':
      return evaluateExpression(template.source, location, scope);
    case 'array':
      return evaluateItems(template.items, location, scope);
    case 'object':
      return evaluateMembers(template.members, location, scope);
    default: {
      const never: never = template;
      return never;
    }
  }
}

async function evaluateExpression(source: string, location: string, scope: Scope): Promise<Evaluated> {
  const result = await evaluate(source, scope);
  if (result.kind === 'value') return result;
  const reason = `The JSONata expression '${source}' specified for the field '${location}' ${result.problem}`;
  return { kind: 'failed', reason, location };
}

async function evaluateItems(items: readonly Template[], location: string, scope: Scope): Promise<Evaluated> {
  const values: Json[] = [];
  for (const [index, item] of items.entries()) {
    const result = isConstant(item) ? item : await evaluateTemplate(item, `${location}[${index}]`, scope);
    if (result.kind === 'failed') return result;
    values.push(result.value);
  }
  return { kind: 'value', value: values };
}

async function evaluateMembers(
  members: readonly (readonly [string, Template])[],
  location: string,
  scope: Scope,
): Promise<Evaluated> {
  const entries: [string, Json][] = [];
  for (const [name, member] of members) {
    const result = isConstant(member) ? member : await evaluateTemplate(member, `${location}/${name}`, scope);
    if (result.kind === 'failed') return result;
    entries.push([name, result.value]);
  }
  // Unlike assignment, fromEntries keeps a member called `__proto__`.
  return { kind: 'value', value: Object.fromEntries(entries) };
}
